/// The verdict on an ssh whose debug messages tell how far it came and how the command ended.
struct VerboseVerdict {
    private let whole: TranscriptVerdict
    private var reader: TranscriptReader { whole.reader }
    private var trace: VerboseTrace { whole.reader.facts.trace }

    init(_ whole: TranscriptVerdict) { self.whole = whole }

    /// The verdict; nil where nothing failed.
    var error: SSHError? {
        let status = whole.transcript.exitStatus
        // Of a run whose beginning is not there, or was reported already, nothing is proved.
        if status == nil, trace.step < .session { return reported(.likely) }
        guard let end = trace.end else { return unended(status) }
        // An ssh within the command reported its end, and then ours was cut off.
        if reader.readingLine > reader.endLine, status == nil || status == 255 { return reported(.exact) }
        if end.status < 0 { return status == nil || status == 255 ? withoutStatus(end) : whole.remote(status ?? 255).likely }
        if let status, status != end.status { return otherwise(status, end) }
        return end.status == 0 ? nil : limited(whole.remote(end.status))
    }

    /// `Exit status -1`: the channel closed without one.
    private func withoutStatus(_ end: VerboseTrace.End) -> SSHError? {
        if reader.reading != nil { return reported(.exact) }
        if trace.killedBy != nil { return cancelled(trace.killedBy) }
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

    /// What ran ssh ended with another status than the command.
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
            return reader.verdict(
                .refused(trace.login.method.isEmpty ? "password" : trace.login.method, .exact), limit: (.exact, []))
        case 5? where trace.step < .authenticated && trace.login.isAskingPassphrase:
            return reader.verdict(.key(.passphraseWrong, nil, "", .exact), limit: (.exact, []))
        case 6? where reader.reading == nil && trace.step < .keyed:
            return reader.verdict(.hostKeyUnknown(.exact), limit: (.exact, []))
        case 255?, nil:
            if reader.reading != nil { return reported(.exact) }
            return status == nil ? nil : reader.verdict(cutOff, limit: (.guess, []))
        default:
            // Something else runs ssh, and ends with its own status.
            if reader.reading != nil, !trace.isRunning, whole.client.name.isEmpty { return reported(.exact) }
            return whole.remote(status ?? 255).weakened(to: .guess, adding: [])
        }
    }

    private func reported(_ limit: SSHError.Confidence) -> SSHError? {
        reader.reading.map { reader.verdict($0, limit: (limit, [])) }
    }

    /// An ssh whose connection ends says so: one that says nothing was still waiting when it was ended itself.
    private var cutOff: TranscriptReading {
        if trace.isRunning { return .lost(.closed) }
        return TranscriptReach.foreign(reader.facts)
            ?? .timedOut(
                reader.facts.stage ?? .connect, .guess,
                alternatives: ["ssh was ended by a signal", "the server closed the connection, and ssh's log is not complete"])
    }

    /// A signal to ssh itself.
    private func cancelled(_ signal: Int?) -> SSHError {
        // sshpass(1) and the like hang up when they are asked something else than they know an answer to.
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
    /// An exit-signal, whose name ssh does not tell.
    fileprivate static func killedUnnamed(_ command: String) -> Self {
        var reading = direct(.telling, .commandKilledBySignal) {
            Words(
                "The command on \($0.account) was killed by a signal; ssh does not say by which.",
                hint:
                    "bridge-ssh run reports the signal. If it was not killed on purpose, the server may have run out of memory: "
                    + "`journalctl -k | grep -i oom` there.")
        }
        reading.evidence.command = SSHCommandEvidence(command: command)
        reading.evidence.command?.progress = .accepted
        return reading
    }

    /// How far the command had come.
    fileprivate mutating func note(_ trace: VerboseTrace) {
        guard let command = trace.command else { return }
        evidence.command = SSHCommandEvidence(command: command)
        evidence.command?.progress = .sent
    }
}
