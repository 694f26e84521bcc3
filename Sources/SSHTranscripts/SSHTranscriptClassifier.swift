/// What a plain SSH client left behind: its standard error, and what it exited with.
public struct SSHTranscript: Sendable, Hashable, Codable {
    /// What it wrote to standard error, or a log that holds this.
    public var standardError: String
    /// Its exit status; nil where it is not known.
    public var exitStatus: Int?
    /// The command line that was run (`ssh web1 make`, `git fetch`, `rsync …`), or the remote command alone; empty where
    /// it is not known.
    public var command: String

    /// A transcript.
    public init(standardError: String, exitStatus: Int? = nil, command: String = "") {
        self.standardError = standardError
        self.exitStatus = exitStatus
        self.command = command
    }
}

/// Tells failures apart from the words of plain SSH clients: OpenSSH's `ssh`, `scp` and `sftp` from 6.6 to 10, what runs
/// them (rsync, git, Ansible), and the SSH libraries of other languages. Codes, messages and hints are those of a run.
///
/// Words are weaker than evidence: standard error of a remote command may hold the same ones. So a verdict is `exact` only
/// where the client's own exit status and last words agree and nothing else could have written them.
public enum SSHTranscriptClassifier {
    /// The verdict; nil where nothing failed (exit status 0, or no status and no words that are known).
    public static func classify(_ transcript: SSHTranscript) -> SSHError? {
        if transcript.exitStatus == 0 { return nil }
        let client = LocalClient(transcript)
        let reader = TranscriptReader(transcript.standardError)
        if let status = transcript.exitStatus, let reading = client.runnerReading(of: status) {
            return reader.verdict(reader.reading.flatMap { $0.rank > reading.rank ? $0 : nil } ?? reading, limit: (.likely, []))
        }
        if let status = transcript.exitStatus, !client.failsItself(with: status, saying: reader) {
            return remote(status, client, transcript, reader)
        }
        guard let reading = reader.reading else {
            return transcript.exitStatus.map { silent($0, client, transcript, reader) }
        }
        return reader.verdict(reading, limit: client.limit(reader, transcript))
    }

    /// The status of the remote command itself.
    private static func remote(
        _ status: Int, _ client: LocalClient, _ transcript: SSHTranscript, _ reader: TranscriptReader
    ) -> SSHError {
        var evidence = Evidence(
            event: .commandEnded, stage: .command, host: reader.facts.host, port: reader.facts.port ?? 22, user: reader.facts.user
        )
        if evidence.host.isEmpty { evidence.host = client.host }
        var command = CommandEvidence(command: client.remoteCommand)
        command.progress = .accepted
        command.exitStatus = status
        command.endOfOutput = true
        command.channelClosed = true
        command.standardErrorTail = String(transcript.standardError.suffix(8192))
        evidence.command = command
        let verdict = FailureClassifier.classify(evidence)
        // The command line may be that of a program here.
        return client.isBare ? verdict.weakened(to: .likely, adding: []) : verdict
    }

    /// 255 without a word of ssh's: the remote command's own, or ssh was told to be quiet.
    private static func silent(
        _ status: Int, _ client: LocalClient, _ transcript: SSHTranscript, _ reader: TranscriptReader
    ) -> SSHError {
        let verdict = remote(status, client, transcript, reader)
        // What rsync, git or Ansible exit with for anything else: nothing of ssh's was said.
        if status != 255 { return verdict.weakened(to: .likely, adding: []) }
        return verdict.weakened(
            to: .guess, adding: ["ssh itself failed and was told to be quiet (-q, LogLevel)"])
    }
}

extension SSHError {
    /// The same verdict, no surer than this.
    func weakened(to limit: Confidence, adding more: [String]) -> SSHError {
        let order: [Confidence] = [.exact, .likely, .guess]
        let index = max(order.firstIndex(of: confidence) ?? 2, order.firstIndex(of: limit) ?? 2)
        return SSHError(
            code: code, message: message, hint: hint, confidence: order[index],
            alternatives: alternatives + more.filter { !alternatives.contains($0) }, retry: retry,
            cause: cause, evidence: evidence)
    }
}
