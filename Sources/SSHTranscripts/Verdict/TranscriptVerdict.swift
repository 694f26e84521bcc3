/// What a transcript that has been read stands for, by the status that came with it.
struct TranscriptVerdict {
    let transcript: SSHTranscript
    let reader: TranscriptReader
    let client: LocalClient

    init(_ transcript: SSHTranscript, _ reader: TranscriptReader) {
        self.transcript = transcript
        self.reader = reader
        client = LocalClient(transcript, isVerbose: reader.facts.trace.isPresent)
    }

    /// Whether the debug messages are the client's.
    private var isVerbose: Bool { client.mayBeVerbose && reader.facts.trace.isPresent }

    /// The verdict; nil where nothing failed.
    var error: SSHError? {
        if client.name == "ssh" || client.name.isEmpty, isVerbose, !client.isBare, !reader.isLibrary {
            return VerboseVerdict(self).error
        }
        guard let status = transcript.exitStatus else {
            return (reader.reading ?? unreached).map { reader.verdict($0, limit: client.limit(reader, transcript)) }
        }
        if let reading = client.runnerReading(of: status, reader) {
            return reader.verdict(reader.reading.flatMap { $0.rank > reading.rank ? $0 : nil } ?? reading, limit: (.likely, []))
        }
        if !client.failsItself(with: status, saying: reader) {
            // A program here that runs ssh adds its own last words, and ends as it likes; but so does a remote command that runs ssh.
            if client.isBare, let reading = reader.reading, reading.rank >= .plain,
                !reader.facts.host.isEmpty || reading.evidence.authentication?.methodsRemaining?.isEmpty == false
            {
                return reader.verdict(reading, limit: (.guess, ["the remote command used ssh itself, and failed"]))
            }
            // rsync, git and the like end with statuses of their own, whatever the remote command ended with.
            if !client.name.isEmpty, client.name != "ssh", client.name != "sshpass", !client.isBare { return silent(status) }
            return remote(status)
        }
        guard let reading = reader.reading else { return silent(status) }
        let verdict = reader.verdict(reading, limit: client.limit(reader, transcript))
        return client.name == "git" ? verdict.of(clone: LocalClone(transcript.standardError)) : verdict
    }

    /// The status of the remote command itself.
    func remote(_ status: Int) -> SSHError {
        let facts = reader.facts
        var evidence = SSHEvidence(
            event: .commandEnded, stage: .command, host: facts.host, port: facts.port ?? 22, user: facts.user)
        if evidence.host.isEmpty { evidence.host = client.host }
        let shown = isVerbose ? facts.trace.command ?? "" : ""
        var command = SSHCommandEvidence(command: client.remoteCommand.isEmpty ? shown : client.remoteCommand)
        command.progress = .accepted
        command.exitStatus = status
        command.endOfOutput = true
        command.channelClosed = true
        command.standardErrorTail = output
        evidence.command = command
        let verdict = SSHFailureClassifier.classify(evidence)
        if isVerbose { return verdict }
        // timeout(1) and signals can have ended ssh as well as the command.
        if transcript.command.isEmpty, status == 124 || (129...159).contains(status) {
            return verdict.weakened(to: .guess, adding: ["ssh itself was ended, by timeout(1) or a signal"])
        }
        if transcript.command.isEmpty, (5...7).contains(status), reader.lastKnown < 0, reader.lastOther < 0 {
            return verdict.weakened(to: .guess, adding: ["sshpass ended ssh: a wrong password, or a host key that is not known"])
        }
        // Without a command line the status may be any program's.
        if transcript.command.isEmpty { return verdict.unattributed }
        if client.isBare, reader.reading != nil || Self.loginWords.contains(where: { output.mentions($0) }) {
            return verdict.weakened(to: .guess, adding: ["a program here could not log in to the host"])
        }
        // The command line may be that of a program here, and the status that of whatever ran ssh.
        return client.isBare ? verdict.weakened(to: verdict.cause == nil ? .guess : .likely, adding: []) : verdict
    }

    /// Ansible says that it could not reach the host, and not why.
    private var unreached: TranscriptReading? {
        guard reader.facts.isUnreachable || client.isUnreachable else { return nil }
        return .notReached(.guess, or: ["the login was refused", "the host key was refused", "the connection was lost"])
    }

    /// What the remote command wrote last, without what ssh's own debug messages say.
    private var output: String {
        let facts = reader.facts
        let lines =
            isVerbose && facts.trace.isRunning
            ? facts.otherLines.last(100).map { $0[...] } : transcript.standardError.split(whereSeparator: \.isNewline).suffix(200)
        let words = facts.trace.isPresent ? lines.filter { line in !Self.ownWords.contains { line.hasPrefix($0) } } : Array(lines)
        return Greeting.removed(from: words).joined(separator: "\n").end(ofBytes: 8192)
    }

    /// What a remote command says seldom, and a client whose words are not known often.
    private static let loginWords = ["resolve hostname", "ermission denied (", "uthentication ", "uthenticate", "ost key"]
    private static let ownWords = ["debug1: ", "debug2: ", "debug3: ", "Transferred: sent ", "Bytes per second: sent "]

    /// Without a word of ssh's that tells of a failure.
    private func silent(_ status: Int) -> SSHError {
        if let unreached { return reader.verdict(unreached, limit: (.guess, [])) }
        // What rsync, git or Ansible exit with for anything else.
        if status != 255 || client.isLocalOnly { return remote(status).of(program: client.name).weakened(to: .guess, adding: []) }
        // `Killed by signal 2.`, which ssh says to LogLevel VERBOSE, and before 6.6 always. One that carries another is ended by signal 1.
        if let signal = reader.facts.trace.killedBy, signal != 1 {
            return reader.verdict(.interrupted(by: signal, .likely), limit: (.likely, []))
        }
        return remote(status).weakened(
            to: .guess, adding: ["ssh itself failed and ran quietly (-q, LogLevel)"])
    }
}

extension SSHError {
    /// The same of a program that ran here and whose status it is.
    fileprivate func of(program: String) -> SSHError {
        guard !program.isEmpty, program != "ssh", let status = evidence.command?.exitStatus else { return self }
        return SSHError(
            code: .commandExitNonzero,
            message:
                "\(program) ended with status \(status), and reported no failure of SSH that is known.\(evidence.lastMessage)",
            hint: evidence.lastMessage.isEmpty ? "" : hint, confidence: confidence,
            alternatives: alternatives + ["\(program) failed by itself, and no command was run"], retry: retry, evidence: evidence
        )
    }

    /// The same, where it is not known whose status it is: nothing is said of a cause on the server.
    fileprivate var unattributed: SSHError {
        SSHError(
            code: code, message: message, hint: hint, confidence: .guess,
            alternatives: alternatives + ["the status is that of a program here, whose words are not known"], retry: retry,
            evidence: evidence)
    }
}

extension String {
    /// The end of the text, at most this many bytes of UTF-8, in whole characters.
    func end(ofBytes limit: Int) -> String {
        utf8.count <= limit ? self : String(self[utf8.index(endIndex, offsetBy: -limit)...])
    }
}
