import ErrorCore

/// The end of an established session. Sources: RFC 4253 section 11.1.
enum SessionRules {
    static let all = broken + keepalive + helper

    static let broken: [FailureRule] = [
        FailureRule(.sessionDisconnected, .exact, source: "RFC 4253 section 11.1", when: { $0.disconnect != nil }) {
            VerdictText(
                "\($0.endpoint) ended the session: \($0.disconnectText). \(CommandRules.fate($0))",
                hint: CommandRules.checkHint($0))
        },
        FailureRule(
            .sessionProtocolError, .exact, source: "libssh2 returns -4, -12, -14, -29, -38, -41",
            when: { $0.libraryFailed(.corruption) }
        ) { corrupted($0) },
        FailureRule(
            .sessionProtocolError, .exact,
            source: "RFC 4254 section 5.2; libssh2 packet.c drops what passes the window or the packet",
            when: { $0.libraryError == .channelWindowExceeded }
        ) {
            VerdictText(
                "\($0.endpoint) sent more output at once than SSH allows, and some of it is lost. \(CommandRules.fate($0))",
                hint: CommandRules.checkHint($0), alternatives: ["a bug in the server"])
        },
        FailureRule(
            .sessionProtocolError, .likely, source: "RFC 4253 section 9: key re-exchange",
            when: { $0.libraryFailed([.kexFailure, .keyExchangeFailure, .hostKeySign]) }
        ) { corrupted($0) },
        FailureRule(.sessionConnectionLost, .exact, source: "FIN, RST or errno", when: \.streamHasEnded) { lost($0) },
        FailureRule(
            .sessionProtocolError, .likely, source: "libssh2 returns -1 for messages that make no sense where they come",
            when: { $0.libraryError == .socketNone }
        ) { corrupted($0) },
        FailureRule(
            .sessionConnectionLost, .likely, source: "libssh2 returns -7, -13, -43",
            when: { $0.libraryFailed(.socket) || $0.libraryError == .timeout }
        ) { lost($0) },
        FailureRule(
            .commandOutcomeUnknown, .likely, source: "libssh2 returns -26",
            when: { $0.libraryError == .channelClosed && $0.commandMayHaveRun == .unknown }
        ) { CommandRules.unknownOutcome($0) },
        LocalRules.unforeseen,
    ]

    static let keepalive: [FailureRule] = [
        FailureRule(.sessionKeepaliveTimedOut, .exact, source: "our own keepalives") { evidence in
            guard case .keepaliveUnanswered(let count) = evidence.event else { return LocalRules.unforeseenText(evidence) }
            return VerdictText(
                "\(evidence.endpoint) stopped answering: \(keepalives(count)) got no answer. \(CommandRules.fate(evidence))",
                hint: CommandRules.checkHint(evidence),
                alternatives: ["the network stopped passing packets", "the server hangs or lost its power"])
        }
    ]

    /// Another client's log does not give the number.
    private static func keepalives(_ count: Int) -> String {
        switch count {
        case ...0: "its keepalives"
        case 1: "1 keepalive"
        default: "\(count) keepalives in a row"
        }
    }

    static let helper: [FailureRule] = [
        FailureRule(.sessionConnectionLost, .exact, source: "our own socket") {
            VerdictText(
                "The process that kept the connection to \($0.endpoint) ended before the end of the "
                    + ($0.copy == nil ? "command was known. " : "copy. ") + CommandRules.fate($0),
                hint: CommandRules.checkHint($0),
                alternatives: ["it was killed", "the machine ran out of memory", "a bug in bridge-ssh"])
        }
    ]

    static func corrupted(_ evidence: SSHEvidence) -> VerdictText {
        let said = evidence.library.map { $0.message.isEmpty ? "" : " (\($0.message.oneLine(120)))" } ?? ""
        return VerdictText(
            "Corrupt data was received from \(evidence.endpoint)\(said), and the session was closed. \(CommandRules.fate(evidence))",
            hint: CommandRules.checkHint(evidence),
            alternatives: ["faulty hardware or a device on the path changes the data", "a bug in the server or in libssh2"])
    }

    static func lost(_ evidence: SSHEvidence) -> VerdictText {
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
        // A channel was open without a command: files were read or written, or the session was idle.
        if evidence.copy == nil, evidence.command == nil, [.session, .sftp].contains(evidence.stage) {
            return VerdictText("\(ending).", hint: "Connect again.", alternatives: alternatives)
        }
        return VerdictText(
            "\(ending) before the end of the \(evidence.copy == nil ? "command was known" : "copy"). \(status?.dropFirst().description ?? CommandRules.fate(evidence))",
            hint: CommandRules.checkHint(evidence), alternatives: alternatives)
    }
}

/// Protocol violations by the server that bridge-ssh detected before they could harm libssh2.
enum ViolationRules {
    static let all: [FailureRule] = [
        FailureRule(
            .kexProtocolError, .exact, source: "RFC 4253 sections 6 and 7.1; our own reading of the packets",
            when: { $0.stage == .keyExchange || $0.stage == .hostKey }
        ) { evidence in
            VerdictText(
                "\(evidence.endpoint) \(action(evidence)) during key exchange, and the connection was closed. "
                    + "Nothing secret was sent.",
                hint:
                    "Try again; if it persists, try from another network to see whether something on the path changes the data.",
                alternatives: causes(evidence))
        },
        FailureRule(
            .sessionProtocolError, .exact,
            source: "RFC 4253 sections 6 and 9, RFC 4254 section 5.2; our own reading of the packets"
        ) { evidence in
            VerdictText(
                "\(evidence.endpoint) \(action(evidence)), and the session was closed. \(CommandRules.fate(evidence))",
                hint: CommandRules.checkHint(evidence), alternatives: causes(evidence))
        },
    ]

    private static func action(_ evidence: SSHEvidence) -> String {
        guard case .protocolViolated(let violation) = evidence.event else { return "broke the SSH protocol" }
        switch violation {
        case .malformedPacket: return "sent a packet whose length or padding is wrong"
        case .unexpectedMessage(let number): return "sent message \(number) where the protocol does not allow it"
        case .clientOnlyMethod: return "named a method of key exchange that only a client may name"
        case .unrequestedData(let limit): return "sent more than \(mebibytes(limit)) of data that this client did not ask for"
        case .unreadAnswers(let limit):
            return "sent requests without reading the answers; more than \(mebibytes(limit)) of answers were waiting"
        case .endlessQuestions(let limit): return "asked more than \(limit) rounds of questions to log in"
        case .keyExchangeFailed: return "started a key re-exchange that failed"
        case .hostKeyReplaced: return "presented another host key in a key re-exchange"
        }
    }

    private static func mebibytes(_ count: Int) -> String { "\(count >> 20) MiB" }

    private static func causes(_ evidence: SSHEvidence) -> [String] {
        switch evidence.event {
        case .protocolViolated(.malformedPacket):
            [
                "faulty hardware or a device on the path changes the data", "the server attacks its clients",
                "a bug in the server",
            ]
        case .protocolViolated(.hostKeyReplaced): ["the server was replaced during the session", "an attack"]
        default: ["the server attacks its clients", "a bug in the server"]
        }
    }
}

/// The retry advice for a DISCONNECT message: by its text first, and by its reason code second, since OpenSSH's server uses
/// reason 2 for everything (packet.c, sshpkt_disconnect).
package enum DisconnectTexts {
    /// A text that a message may contain, in lower case, and its advice.
    struct Row: Sendable {
        let words: String
        let advice: RetryAdvice
        init(_ words: String, _ advice: RetryAdvice) {
            self.words = words
            self.advice = advice
        }
    }

    /// OpenSSH 9.8 and later penalise an address for at least 15 s (sshd_config(5), PerSourcePenalties).
    private static let penalised = RetryAdvice.backoff(minimumWait: .seconds(15))

    static let rows: [Row] = [
        // OpenSSH servconf.c, auth.c; Go x/crypto/ssh; Apache MINA; paramiko.
        Row("too many auth", .never), Row("no more auth", .never), Row("too many bad auth", .never),
        // Load, which is temporary.
        Row("not allowed at this time", penalised), Row("penalt", penalised),
        Row("too many connections", .backoff()), Row("too many users", .backoff()), Row("too many sessions", .backoff()),
        Row("too many logins", .backoff()), Row("maxstartups", .backoff()), Row("connection limit", .backoff()),
        Row("maximum number of", .backoff()), Row("max connections", .backoff()), Row("busy", .backoff()),
        Row("overload", .backoff()),
        Row("try again", .backoff()), Row("resource shortage", .backoff()), Row("out of memory", .backoff()),
        // A server that restarts.
        Row("shutting down", .backoff()), Row("shutdown", .backoff()), Row("going down", .backoff()), Row("reboot", .backoff()),
        Row("restart", .backoff()), Row("maintenance", .backoff()), Row("terminating", .backoff()),
        // Time limits of the server.
        Row("timeout", .backoff()), Row("timed out", .backoff()), Row("time-out", .backoff()), Row("idle", .backoff()),
        Row("inactiv", .backoff()),
        // Damage in transit.
        Row("corrupt", .backoff()), Row("mac error", .backoff()), Row("bad packet length", .backoff()),
        // Permanent rules: OpenSSH packet.c, kex.c, auth2.c, session.c.
        Row("protocol error", .never), Row("strict kex violation", .never), Row("not supported", .never),
        Row("unsupported", .never), Row("no matching", .never), Row("no common", .never), Row("bad service request", .never),
        Row("change of username", .never), Row("not allowed", .never), Row("denied", .never), Row("not permitted", .never),
        Row("forbidden", .never), Row("blocked", .never), Row("banned", .never), Row("prohibited", .never),
        Row("disabled", .never), Row("expired", .never),
    ]

    /// Reason codes (RFC 4253 section 11.1) after which a retry cannot help. Code 2 has no meaning, see above.
    static let hopelessReasons: Set<UInt32> = [1, 3, 6, 8, 9, 13, 14, 15]

    static func advice(_ message: SSHDisconnectMessage) -> RetryAdvice {
        let text = message.description.lowercased()
        if let row = rows.first(where: { text.contains($0.words) }) { return row.advice }
        return hopelessReasons.contains(message.reason) ? .never : .backoff()
    }

    /// SSH_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE (RFC 4253 section 11.1).
    static let noMoreMethods: UInt32 = 14

    /// Whether the message's text says that too many credentials were tried.
    package static func countsAttempts(_ message: SSHDisconnectMessage) -> Bool {
        let text = message.description.lowercased()
        return ["too many auth", "no more auth", "too many bad auth", "too many login attempts", "too many password"]
            .contains { text.contains($0) }
    }
}
