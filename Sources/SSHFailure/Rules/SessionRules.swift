/// An established session that breaks. Sources: RFC 4253 section 11.1.
enum SessionRules {
    static let all = broken + keepalive + helper

    static let broken: [FailureRule] = [
        FailureRule(.sessionDisconnected, .exact, source: "RFC 4253 section 11.1", when: { $0.disconnect != nil }) {
            Words(
                "\($0.endpoint) ended the session: \($0.disconnectWords). \(CommandRules.fate($0))",
                hint: CommandRules.checkHint($0))
        },
        FailureRule(
            .sessionProtocolError, .exact, source: "libssh2 returns -4, -12, -14, -29, -38, -41",
            when: { LibraryFailures.corruption.contains($0.libraryName) }
        ) { corrupted($0) },
        FailureRule(
            .sessionProtocolError, .exact,
            source: "RFC 4254 section 5.2; libssh2 packet.c drops what passes the window or the packet",
            when: { $0.libraryName == "CHANNEL_WINDOW_EXCEEDED" }
        ) {
            Words(
                "\($0.endpoint) sent more output at once than SSH allows, and some of it is lost. \(CommandRules.fate($0))",
                hint: CommandRules.checkHint($0), alternatives: ["a bug in the server"])
        },
        FailureRule(
            .sessionProtocolError, .likely, source: "RFC 4253 section 9: key re-exchange",
            when: { ["KEX_FAILURE", "KEY_EXCHANGE_FAILURE", "HOSTKEY_SIGN"].contains($0.libraryName) }
        ) { corrupted($0) },
        FailureRule(.sessionConnectionLost, .exact, source: "FIN, RST or errno", when: \.streamHasEnded) { lost($0) },
        FailureRule(
            .sessionProtocolError, .likely, source: "libssh2 returns -1 for messages that make no sense where they come",
            when: { $0.libraryName == "SOCKET_NONE" }
        ) { corrupted($0) },
        FailureRule(
            .sessionConnectionLost, .likely, source: "libssh2 returns -7, -13, -43",
            when: { $0.libraryName.hasPrefix("SOCKET_") || $0.libraryName == "TIMEOUT" }
        ) { lost($0) },
        FailureRule(
            .commandOutcomeUnknown, .likely, source: "libssh2 returns -26",
            when: { $0.libraryName == "CHANNEL_CLOSED" && $0.commandMayHaveRun == .unknown }
        ) { CommandRules.unknownOutcome($0) },
        LocalRules.unforeseen,
    ]

    static let keepalive: [FailureRule] = [
        FailureRule(.sessionKeepaliveTimedOut, .exact, source: "our own keepalives") { evidence in
            guard case .keepaliveUnanswered(let count) = evidence.event else { return LocalRules.unforeseenWords(evidence) }
            return Words(
                "\(evidence.endpoint) stopped answering: \(keepalives(count)) got no answer. \(CommandRules.fate(evidence))",
                hint: CommandRules.checkHint(evidence),
                alternatives: ["the network stopped passing packets", "the server hangs or lost its power"])
        }
    ]

    /// Another client's log does not say how many.
    private static func keepalives(_ count: Int) -> String {
        switch count {
        case ...0: "its keepalives"
        case 1: "1 keepalive"
        default: "\(count) keepalives in a row"
        }
    }

    static let helper: [FailureRule] = [
        FailureRule(.sessionConnectionLost, .exact, source: "our own socket") {
            Words(
                "The process that kept the connection to \($0.endpoint) ended before the end of the "
                    + ($0.copy == nil ? "command was known. " : "copy. ") + CommandRules.fate($0),
                hint: CommandRules.checkHint($0),
                alternatives: ["it was killed", "the machine ran out of memory", "a bug in bridge-ssh"])
        }
    ]

    static func corrupted(_ evidence: SSHEvidence) -> Words {
        let said = evidence.library.map { $0.message.isEmpty ? "" : " (\($0.message.oneLine(120)))" } ?? ""
        return Words(
            "Corrupt data was received from \(evidence.endpoint)\(said), and the session was closed. \(CommandRules.fate(evidence))",
            hint: CommandRules.checkHint(evidence),
            alternatives: ["faulty hardware or a device on the path changes the data", "a bug in the server or in libssh2"])
    }

    static func lost(_ evidence: SSHEvidence) -> Words {
        let ending =
            evidence.streamHasEnded
            ? "\(evidence.endpoint) \(evidence.streamEnding)" : "The connection to \(evidence.endpoint) was lost"
        let status = evidence.command?.exitStatus.map {
            " The command had ended with status \($0), but its output is incomplete."
        }
        let alternatives = [
            "the network dropped the connection", "the server or its sshd was stopped or restarted",
            "the server ended an idle session (ClientAliveInterval)",
        ]
        // A channel was open and no command: files were read or written, or nothing was under way.
        if evidence.copy == nil, evidence.command == nil, [.session, .sftp].contains(evidence.stage) {
            return Words("\(ending).", hint: "Connect again.", alternatives: alternatives)
        }
        return Words(
            "\(ending) before the end of the \(evidence.copy == nil ? "command was known" : "copy"). \(status?.dropFirst().description ?? CommandRules.fate(evidence))",
            hint: CommandRules.checkHint(evidence), alternatives: alternatives)
    }
}
