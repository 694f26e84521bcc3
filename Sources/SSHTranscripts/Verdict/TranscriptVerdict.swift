/// The verdict on a transcript, from its lines and its exit status.
struct TranscriptVerdict {
    let transcript: SSHTranscript
    let reader: TranscriptReader
    let client: LocalClient

    init(_ transcript: SSHTranscript, _ reader: TranscriptReader) {
        self.transcript = transcript
        self.reader = reader
        client = LocalClient(transcript, isVerbose: reader.facts.trace.isPresent)
    }

    /// Whether the debug messages belong to the client.
    private var isVerbose: Bool { client.mayBeVerbose && reader.facts.trace.isPresent }

    /// The verdict; nil if nothing failed.
    var error: SSHError? {
        if client.name == "ssh" || client.name.isEmpty, isVerbose, !client.isBare, !reader.isLibrary {
            return VerboseVerdict(self).error
        }
        guard let status = transcript.exitStatus else {
            return told.map { reader.verdict($0, limit: client.limit(reader, transcript)) }
        }
        if let reading = client.runnerReading(of: status, reader) {
            return reader.verdict(reader.reading.flatMap { $0.rank > reading.rank ? $0 : nil } ?? reading, limit: (.likely, []))
        }
        if !client.failsItself(with: status, saying: reader) {
            // A local program that runs ssh adds its own last lines, and exits with any status. So does a remote command that
            // runs ssh.
            if let reading = transcript.command.isEmpty ? told : ofLocalProgram {
                return reader.verdict(reading, limit: (.guess, ["the remote command used ssh itself, and failed"]))
            }
            // rsync, git and similar programs exit with their own statuses, not with that of the remote command.
            if !client.name.isEmpty, client.name != "ssh", client.name != "sshpass", !client.isBare { return silent(status) }
            return remote(status)
        }
        guard let reading = reader.reading else { return silent(status) }
        let verdict = reader.verdict(reading, limit: client.limit(reader, transcript))
        return client.name == "git" ? verdict.of(clone: GitCloneFailure(transcript.standardError)) : verdict
    }

    /// The verdict for a status of the remote command.
    func remote(_ status: Int) -> SSHError {
        let facts = reader.facts
        var evidence = SSHEvidence(
            event: .commandEnded, stage: .command, host: facts.host, port: facts.port ?? 0, user: facts.user)
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
        // timeout(1) or a signal may have ended ssh, or the command.
        if transcript.command.isEmpty, status == 124 || (129...159).contains(status) {
            return verdict.weakened(to: .guess, adding: ["ssh itself was ended, by timeout(1) or a signal"])
        }
        if transcript.command.isEmpty, (5...7).contains(status), reader.lastKnown < 0, reader.lastOther < 0 {
            return verdict.weakened(to: .guess, adding: ["sshpass ended ssh: a wrong password, or a host key that is not known"])
        }
        // Without a command line, the status may be that of any program.
        if transcript.command.isEmpty { return verdict.unattributed }
        if client.isBare, reader.reading != nil || Self.loginWords.contains(where: { output.mentions($0) }) {
            return verdict.weakened(to: .guess, adding: ["a program here could not log in to the host"])
        }
        // The command line may be that of a local program, and the status that of the program that ran ssh.
        return client.isBare ? verdict.weakened(to: verdict.cause == nil ? .guess : .likely, adding: []) : verdict
    }

    /// The reading if Ansible could not reach the host and gives no reason.
    private var unreached: TranscriptReading? {
        guard reader.facts.isUnreachable || client.isUnreachable else { return nil }
        return .notReached(.guess, or: ["the login was refused", "the host key was refused", "the connection was lost"])
    }

    /// The reading if the log ends after a password that was refused.
    private var askedAgain: TranscriptReading? {
        guard reader.facts.isAskedAgain, reader.lastKnown >= reader.lastOther else { return nil }
        return .refused("password", .guess, alternatives: ["a later password was accepted"])
    }

    /// What the lines tell, whatever the status.
    private var told: TranscriptReading? { reader.reading ?? unreached ?? askedAgain }

    /// The reading if the command line may be that of a local program that runs ssh.
    private var ofLocalProgram: TranscriptReading? {
        guard client.isBare, let reading = reader.reading, reading.rank >= .plain else { return nil }
        let isTold = !reader.facts.host.isEmpty || reading.evidence.authentication?.methodsRemaining?.isEmpty == false
        return isTold ? reading : nil
    }

    /// The last output of the remote command, without ssh's debug messages.
    private var output: String {
        let facts = reader.facts
        let lines =
            isVerbose && facts.trace.isRunning
            ? facts.otherLines.last(100).map { $0[...] }
            : PastedText.withPlainBlanks(transcript.standardError).split(whereSeparator: \.isNewline).suffix(200)
        let words = facts.trace.isPresent ? lines.filter { line in !Self.ownWords.contains { line.hasPrefix($0) } } : Array(lines)
        return Greeting.removed(from: words).joined(separator: "\n").end(ofBytes: 8192)
    }

    /// Words that are rare in a remote command's output, but common in the messages of unknown clients.
    private static let loginWords = [
        "resolve hostname", "ermission denied (", "uthentication ", "uthenticate", "ost key", "SSH", "ssh: ", "sftp", "SFTP",
        "known_hosts", "paramiko", "libssh",
    ]
    private static let ownWords = ["debug1: ", "debug2: ", "debug3: ", "Transferred: sent ", "Bytes per second: sent "]

    /// The verdict without a message about a failure.
    private func silent(_ status: Int) -> SSHError {
        if let unreached = unreached ?? askedAgain { return reader.verdict(unreached, limit: (.guess, [])) }
        // rsync, git and Ansible exit with other statuses for their own failures.
        if status != 255 || client.isLocalOnly { return remote(status).of(program: client.name).weakened(to: .guess, adding: []) }
        // `Killed by signal 2.`: ssh logs it at LogLevel VERBOSE, and before 6.6 always. Signal 1 ends an ssh that carries a
        // connection.
        if let signal = reader.facts.trace.killedBy, signal != 1 {
            return reader.verdict(.interrupted(by: signal, .likely), limit: (.likely, []))
        }
        return remote(status).weakened(
            to: .guess, adding: ["ssh itself failed and ran quietly (-q, LogLevel)"])
    }
}

extension SSHError {
    /// The same, for the status of a local program.
    fileprivate func of(program: String) -> SSHError {
        guard !program.isEmpty, program != "ssh" else { return self }
        return ended(program, or: "\(program) itself failed, and no command was run")
    }

    /// The same, for a status of an unknown program. It names no cause on the server.
    fileprivate var unattributed: SSHError {
        let other = "the status is that of a local program whose messages are unknown"
        if code == .commandExitNonzero { return ended("A command", or: other).weakened(to: .guess, adding: []) }
        return SSHError(
            code: code, message: message, hint: remedyText, confidence: .guess, alternatives: alternatives + [other],
            retry: retry, evidence: evidence)
    }

    /// The end of a program that may have run here or on the server. It names no cause.
    private func ended(_ program: String, or other: String) -> SSHError {
        guard let status = evidence.command?.exitStatus else { return self }
        return SSHError(
            code: .commandExitNonzero,
            message:
                "\(program) ended with status \(status), and reported no known failure of SSH.\(evidence.lastMessage)",
            hint: evidence.lastMessage.isEmpty ? "" : remedyText, confidence: confidence,
            alternatives: alternatives + [other], retry: retry, evidence: evidence
        )
    }
}

extension String {
    /// The end of the text: whole characters, at most this many bytes of UTF-8.
    func end(ofBytes limit: Int) -> String {
        utf8.count <= limit ? self : String(self[utf8.index(endIndex, offsetBy: -limit)...])
    }
}

/// The verdict on an ssh whose debug messages show its progress and the end of the command.
struct VerboseVerdict {
    private let whole: TranscriptVerdict
    private var reader: TranscriptReader { whole.reader }
    private var trace: VerboseTrace { whole.reader.facts.trace }

    init(_ whole: TranscriptVerdict) { self.whole = whole }

    /// The verdict; nil if nothing failed.
    var error: SSHError? {
        let status = whole.transcript.exitStatus
        // If the beginning of the run is missing, or was reported already, nothing is proved.
        if status == nil, trace.step < .session { return reported(.likely) }
        guard let end = trace.end else { return unended(status) }
        // An ssh within the command reported its end, and then the main connection was lost.
        if reader.readingLine > reader.endLine, status == nil || status == 255 { return reported(.exact) }
        if end.status < 0 { return status == nil || status == 255 ? withoutStatus(end) : whole.remote(status ?? 255).likely }
        if let status, status != end.status { return otherwise(status, end) }
        return end.status == 0 ? nil : limited(whole.remote(end.status))
    }

    /// `Exit status -1`: the channel closed without one.
    private func withoutStatus(_ end: VerboseTrace.End) -> SSHError? {
        if reader.reading != nil { return reported(.exact) }
        if trace.killedBy != nil || trace.isEscaped { return cancelled(trace.killedBy) }
        if trace.isSubsystem { return whole.remote(255).weakened(to: .guess, adding: []) }
        return limited(
            reader.verdict(
                end.wasSignalled ? .killedUnnamed(trace.command ?? "") : ended(trace.command ?? ""), limit: (.exact, [])))
    }

    private func ended(_ command: String) -> TranscriptReading {
        var reading = TranscriptReading.commandEnded()
        reading.confidence = .exact
        reading.evidence.command?.command = command
        return reading
    }

    /// The program that ran ssh exited with another status than the command.
    private func otherwise(_ status: Int, _ end: VerboseTrace.End) -> SSHError? {
        if status == 255, !trace.isSubsystem {
            if trace.isNested { return reader.verdict(.lost(.closed), limit: (.guess, ["the remote command exited with 255"])) }
            return whole.remote(status).weakened(to: .guess, adding: [])
        }
        return whole.remote(status).likely
    }

    /// No end was reported.
    private func unended(_ status: Int?) -> SSHError? {
        if let signal = trace.killedBy { return status == 124 ? timedOut : cancelled(signal) }
        // A kept connection reports the status at -vv only.
        if trace.usesMaster, let status {
            if reader.reading != nil, status == 255 { return reported(.likely) }
            return whole.remote(status).weakened(to: status == 255 ? .guess : .likely, adding: [])
        }
        switch status {
        case 124?: return timedOut
        case 129?, 130?, 131?, 137?, 143?: return cancelled((status ?? 128) - 128)
        case 5? where trace.step < .authenticated && trace.login.method != "publickey":
            let isTold = trace.login.refusedMethod != nil || trace.login.method.isEmpty
            return reader.verdict(askedAgain, limit: (isTold ? .exact : .likely, []))
        case 5? where trace.step < .authenticated && trace.login.isAskingPassphrase:
            return reader.verdict(.key(.passphraseWrong, nil, "", .exact), limit: (.exact, []))
        case 6? where reader.reading == nil && trace.step < .keyed:
            return reader.verdict(.hostKeyUnknown(.exact), limit: (.exact, []))
        case 255?, nil:
            if reader.reading != nil { return reported(.exact) }
            return status == nil ? nil : reader.verdict(cutOff, limit: (.guess, []))
        default:
            // Another program runs ssh, and exits with its own status.
            if reader.reading != nil, whole.client.name.isEmpty { return reported(trace.isRunning ? .guess : .exact) }
            return whole.remote(status ?? 255).weakened(to: .guess, adding: [])
        }
    }

    private func reported(_ limit: SSHError.Confidence) -> SSHError? {
        reader.reading.map { reader.verdict($0, limit: (limit, [])) }
    }

    /// ssh reports the end of its connection. An ssh without such a message was still waiting when it was ended.
    private var cutOff: TranscriptReading {
        if trace.isRunning { return .lost(.closed) }
        return OpenSSHConnectionRows.foreign(reader.facts)
            ?? .timedOut(
                reader.facts.stage ?? .connect, .guess,
                alternatives: ["ssh was ended by a signal", "the server closed the connection, and ssh's log is not complete"])
    }

    /// sshpass(1) answers the first question for a password, and ends ssh at the second.
    private var askedAgain: TranscriptReading {
        if let words = reader.facts.accountDenied { return .accountDenied(words) }
        if let refused = trace.login.refusedMethod { return .refused(refused, .exact) }
        return switch trace.login.method {
        case "keyboard-interactive": .askedFurther()
        case "password": .passwordExpired()
        default: .refused("password", .exact)
        }
    }

    /// The question at which sshpass(1) ended ssh, which loses its terminal then.
    private var unansweredQuestion: TranscriptReading? {
        if trace.step < .keyed { return reader.reading == nil ? .hostKeyUnknown(.exact) : nil }
        return trace.step < .authenticated && !["", "publickey"].contains(trace.login.method) ? askedAgain : nil
    }

    /// A signal to ssh itself.
    private func cancelled(_ signal: Int?) -> SSHError {
        if signal == 1, whole.client.isRun(by: "sshpass"), let question = unansweredQuestion {
            return reader.verdict(question, limit: (.likely, ["sshpass was ended"]))
        }
        // sshpass(1) and the like end ssh at a prompt that they cannot answer.
        if [1, 15].contains(signal), trace.step < .authenticated, trace.login.passphrasesAsked > 0, let key = trace.login.unsigned
        {
            return reader.verdict(
                .key(.passphraseWrong, key.credential, "", .likely, alternatives: ["ssh was ended by a signal"]),
                limit: (.likely, []))
        }
        var reading = TranscriptReading(
            .telling, .cancelled(signal: signal.flatMap { SSHExitSignal.name(ofNumber: $0) }), at: .local)
        reading.note(trace)
        return reader.verdict(reading, limit: (signal == 9 ? .likely : .exact, []))
    }

    /// timeout(1) ended ssh.
    private var timedOut: SSHError {
        if trace.isRunning { return reader.verdict(.commandTimedOut(.exact), limit: (.exact, [])) }
        return reader.verdict(.timedOut(reader.facts.stage ?? .connect, .exact), limit: (.exact, []))
    }

    /// A log's lines may be out of order.
    private func limited(_ error: SSHError) -> SSHError {
        whole.transcript.exitStatus == nil ? error.likely : error
    }
}

extension SSHError {
    fileprivate var likely: SSHError { weakened(to: .likely, adding: []) }
}

extension TranscriptReading {
    /// An exit-signal, whose name ssh does not log.
    fileprivate static func killedUnnamed(_ command: String) -> Self {
        var reading = direct(.telling, .commandKilledBySignal) {
            VerdictText(
                "The command on \($0.account) was killed by a signal; ssh does not say by which.",
                hint: """
                    bridge-ssh run without --via ssh reports the signal. If it was not killed on purpose, the server may \
                    have run out of memory: \
                    \(run: "journalctl -k | grep -i oom", .mayBeWrong, on: .server) there.
                    """)
        }
        reading.evidence.command = SSHCommandEvidence(command: command)
        reading.evidence.command?.progress = .accepted
        return reading
    }

    /// Notes the progress of the command.
    fileprivate mutating func note(_ trace: VerboseTrace) {
        guard let command = trace.command else { return }
        evidence.command = SSHCommandEvidence(command: command)
        evidence.command?.progress = .sent
    }
}

extension TranscriptReader {
    /// The verdict for a reading, with at most the confidence of `limit`.
    func verdict(_ reading: TranscriptReading, limit: (SSHError.Confidence, [String])) -> SSHError {
        var evidence = reading.evidence
        // The host may be named after the reason. The place at the time of the reading belongs to the reason.
        let known = facts.isUnreachable && !place.host.isEmpty ? place : (facts.host, facts.port, facts.user)
        evidence.host = known.0
        evidence.port = known.1 ?? 0
        evidence.user = known.2
        if facts.quotesCommand {
            let lines = facts.otherLines.last(100).joined(separator: "\n")
            evidence.command?.standardErrorTail = String(AnsibleResult.withoutMessage(lines).suffix(8192))
        }
        // Debug messages prove the stage. Words that another program could have written are then ssh's.
        let isProved = facts.isProved && !reading.isUnproved
        let confidence: SSHError.Confidence =
            reading.isUnproved && reading.confidence == .exact
            ? .likely : isProved && reading.confidence == .likely ? .exact : reading.confidence
        let judged: SSHError
        if let verdict = reading.verdict {
            let (code, words) = verdict(evidence)
            judged = SSHError(
                code: code, message: words.message, hint: words.hint, confidence: .exact, alternatives: words.alternatives,
                retry: .advice(for: code, evidence), evidence: evidence)
        } else {
            judged = SSHFailureClassifier.classify(evidence)
        }
        return judged.weakened(to: confidence, adding: reading.alternatives).weakened(to: limit.0, adding: limit.1)
    }
}
