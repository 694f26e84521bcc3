package import SSHFailure

/// What an ssh's own log has said so far, while it runs.
package struct SSHTraceProgress: Sendable {
    private var reader = TranscriptReader()

    package init() {}

    /// Takes lines, each with its end.
    package mutating func take(_ text: String) {
        TranscriptLines.each(of: text) { reader.take($0) }
    }

    private var trace: VerboseTrace { reader.facts.trace }

    /// What the outermost ssh, or the one that carries it, is at.
    package var stage: SSHStage {
        switch trace.step {
        case .command: .command
        case .session, .authenticated: .channel
        case .started, .connected, .exchanging, .keyed, .authenticating:
            reader.facts.stage ?? (trace.isCarried ? .connect : .resolve)
        }
    }

    /// Whether the server has let us in.
    package var isAuthenticated: Bool { trace.step >= .authenticated }
    /// Whether commands can be asked for.
    package var hasSession: Bool { trace.isRunning }
    /// Whether the command, or the subsystem, was asked for.
    package var isSent: Bool { trace.step >= .command }
    /// Whether the server has said that it runs; a connection that another ssh keeps does not tell.
    package var isAccepted: Bool { trace.isAccepted || trace.usesMaster && isSent }
    /// Whether another program's words may stand among ssh's: that of a ProxyCommand, or a jump host's ssh.
    package var isCarried: Bool { trace.isCarried }

    /// Whether a credential was accepted and another is wanted.
    package var hasPartialSuccess: Bool { trace.login.partialSuccess }
    /// Whether anything was offered to the server.
    package var hasOffered: Bool { !trace.login.method.isEmpty }
    /// The credentials and the server's answers.
    package var login: SSHAuthenticationEvidence { trace.login.evidence(remaining: nil) }

    /// The verdict on an ssh that was ended because a deadline of ours had passed.
    package func passed(_ deadline: SSHDeadline) -> SSHError {
        var reading = TranscriptReading(.telling, .deadlinePassed(deadline), at: stage) {
            $0.keyExchangeBegun = reader.facts.keyExchangeBegun
            $0.linesBeforeIdentification = reader.facts.serverLines
            $0.firstBytes = Array(reader.facts.serverLines.joined(separator: "\r\n").utf8)
            if trace.step >= .authenticating { $0.authentication = login }
        }
        // ssh tells of whole lines alone.
        reading.isUnproved = stage == .banner
        return reader.verdict(reading, limit: (.exact, []))
    }
}
