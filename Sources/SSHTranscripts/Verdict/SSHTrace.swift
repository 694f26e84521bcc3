package import SSHFailure

/// The facts about a run of ssh that its own log proves, at `-v` or above.
package struct SSHTrace: Sendable {
    /// The verdict; nil if nothing failed.
    package let error: SSHError?
    /// The exit status of the remote command; nil if ssh reports none.
    package let remoteStatus: Int?
    /// Whether ssh may have requested a session. Then a command may have run and read input.
    package let mayHaveSession: Bool
    /// Whether the connection of another ssh was used.
    package let usesMaster: Bool
    /// Whether the reader of the command's output has gone.
    package let isOutputClosed: Bool
    /// The stage of the connection; nil if no line shows it.
    package let stage: SSHStage?

    private let reader: TranscriptReader

    /// Reads a log.
    ///
    /// - Parameters:
    ///   - logsClose: whether the log has a line for each channel that the server closes (nchan.c: chan_rcvd_oclose).
    ///   - isSSHAlone: whether only ssh can have written the text, as it does the file of `-E`.
    package init(_ transcript: SSHTranscript, logsClose: Bool = false, isSSHAlone: Bool = false) {
        // Making the rows of all other clients takes several times as long as ssh's own work, so they are used only if another
        // program may have written some of the text and ssh's rows are not certain.
        var reader = TranscriptReader(transcript.standardError, .openSSH)
        var verdict = transcript.exitStatus == 0 ? nil : TranscriptVerdict(transcript, reader).error
        if !isSSHAlone, let confidence = verdict?.confidence, confidence != .exact {
            reader = TranscriptReader(transcript.standardError)
            verdict = TranscriptVerdict(transcript, reader).error
        }
        self.reader = reader
        let trace = reader.facts.trace
        // ssh writes the end of the connection only to standard error, not to its log (clientloop.c: quit_message).
        let isLost =
            logsClose && transcript.exitStatus == 255 && verdict?.code == .commandOutcomeUnknown && !trace.isClosedByServer
            && trace.end.map { $0.status < 0 } == true
        error = isLost ? reader.verdict(.lost(.closed), limit: (.exact, [])) : verdict
        remoteStatus = trace.end.flatMap { $0.status >= 0 ? $0.status : nil }
        mayHaveSession = !trace.isPresent || trace.step >= .authenticated || trace.usesMaster
        usesMaster = trace.usesMaster
        isOutputClosed = trace.isOutputClosed
        stage = reader.facts.stage
    }

    /// The verdict if known_hosts has another key of the presented type for the host.
    ///
    /// - Parameter place: the line of that key. ssh names the last line for the host, of any key type.
    package func changed(to fingerprint: String, known place: String) -> SSHError? {
        // With a jump host, the presented key may be another host's.
        guard reader.facts.isProved else { return error }
        return reader.verdict(OpenSSHTrustRows.changed(to: fingerprint, known: place), limit: (.exact, []))
    }

    /// The verdict if known_hosts has keys for the host, but none of the presented type.
    ///
    /// - Parameter types: the types of the known keys.
    package func otherTypeKnown(_ types: [String], shown: String) -> SSHError {
        reader.verdict(OpenSSHTrustRows.otherType(types, shown: shown), limit: (.exact, []))
    }
}

/// The progress of a running ssh, from its own log.
package struct SSHTraceProgress: Sendable {
    private var reader = TranscriptReader(.openSSH)

    package init() {}

    /// Reads lines, each with its line end.
    package mutating func take(_ text: String) {
        TranscriptLines.each(of: text) { reader.take($0) }
    }

    private var trace: VerboseTrace { reader.facts.trace }

    /// The current stage of the main ssh, or of the one that carries its connection.
    package var stage: SSHStage {
        switch trace.step {
        case .command: .command
        case .session, .authenticated: .channel
        case .started, .connected, .exchanging, .keyed, .authenticating:
            reader.facts.stage ?? (trace.isCarried ? .connect : .resolve)
        }
    }

    /// Whether the server has authenticated the user.
    package var isAuthenticated: Bool { trace.step >= .authenticated }
    /// Whether the session is open.
    package var hasSession: Bool { trace.isRunning }
    /// Whether the command or subsystem was requested.
    package var isSent: Bool { trace.step >= .command }
    /// Whether the server has accepted the command. A connection of another ssh (ControlMaster) does not show that.
    package var isAccepted: Bool { trace.isAccepted || trace.usesMaster && isSent }
    /// Whether the lines of another program may be among ssh's: a ProxyCommand, or the ssh of a jump host.
    package var isCarried: Bool { trace.isCarried }

    /// Whether a credential was accepted, and the server wants another.
    package var hasPartialSuccess: Bool { trace.login.partialSuccess }
    /// Whether ssh has offered a credential.
    package var hasOffered: Bool { !trace.login.method.isEmpty }
    /// The credentials and the server's answers.
    package var login: SSHAuthenticationEvidence { trace.login.evidence(remaining: nil) }

    /// The verdict on an ssh that was ended because a deadline of this library passed.
    package func passed(_ deadline: SSHDeadline) -> SSHError {
        var reading = TranscriptReading(.telling, .deadlinePassed(deadline), at: stage) {
            $0.keyExchangeBegun = reader.facts.keyExchangeBegun
            $0.linesBeforeIdentification = reader.facts.serverLines
            $0.firstBytes = Array(reader.facts.serverLines.joined(separator: "\r\n").utf8)
            if trace.step >= .authenticating { $0.authentication = login }
        }
        // ssh logs only whole lines.
        reading.isUnproved = stage == .banner
        return reader.verdict(reading, limit: (.exact, []))
    }
}
