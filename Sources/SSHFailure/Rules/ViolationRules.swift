/// What a server must not do, found before libssh2 would have been harmed by it.
enum ViolationRules {
    static let all: [FailureRule] = [
        FailureRule(
            .kexProtocolError, .exact, source: "RFC 4253 sections 6 and 7.1; our own reading of the packets",
            when: { $0.stage == .keyExchange || $0.stage == .hostKey }
        ) { evidence in
            Words(
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
            Words(
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
            return "sent requests without reading the answers, of which more than \(mebibytes(limit)) were waiting"
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
