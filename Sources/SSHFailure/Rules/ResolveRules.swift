/// Turning a name into addresses. Sources: getaddrinfo(3), RFC 1035 section 2.3.4.
enum ResolveRules {
    static let all = name + lookup + deadline

    static let name: [FailureRule] = [
        FailureRule(.resolveHostNameInvalid, .exact, source: "RFC 1035 section 2.3.4, RFC 1123 section 2.1") { evidence in
            guard case .hostNameInvalid(let problem) = evidence.event else { return LocalRules.unforeseenWords(evidence) }
            return Words(
                "\"\(evidence.host.oneLine(80))\" is not a valid host name: \(problem.oneLine())".ended,
                hint: "Check the spelling of the host. A literal IPv6 address with a port is written [::1]:22.")
        }
    ]

    static let lookup: [FailureRule] = [
        FailureRule(
            .resolveHostNotFound, .exact, source: "getaddrinfo(3): EAI_NONAME; RFC 4007 section 11",
            when: { kind($0) == .notFound && zone($0) != nil }
        ) {
            Words(
                "This machine has no network interface named \((zone($0) ?? "").oneLine(60)).",
                hint: "Name one of this machine's interfaces behind the % of the address.")
        },
        FailureRule(
            .resolveHostNotFound, .exact, source: "getaddrinfo(3): EAI_NONAME, EAI_NODATA", when: { kind($0) == .notFound }
        ) {
            Words(
                "There is no host named \($0.server), or it has no address.",
                hint: "Check the spelling; `getent hosts \($0.lookedUpWord)` shows what this machine knows of it.",
                alternatives: ["the name is only known inside another network or a VPN"])
        },
        FailureRule(.resolveTemporaryFailure, .exact, source: "getaddrinfo(3): EAI_AGAIN", when: { kind($0) == .temporary }) {
            Words(
                "The name servers did not answer for \($0.server).",
                hint: "Try again; if it persists, check this machine's network and /etc/resolv.conf.",
                alternatives: ["this machine has no network", "the name server is down"])
        },
        FailureRule(
            .resolveFailed, .exact, source: "getaddrinfo(3): EAI_ADDRFAMILY", when: { kind($0) == .noAddressOfFamily }
        ) {
            Words(
                "\($0.server) has an address, but none of the requested family.",
                hint: "Leave out -4 or -6.")
        },
        FailureRule(.resolveFailed, .exact, source: "getaddrinfo(3): every other EAI code") { evidence in
            guard case .resolutionFailed(let code, _, let message) = evidence.event else {
                return LocalRules.unforeseenWords(evidence)
            }
            let said = message.isEmpty ? "resolver error \(code)" : message.oneLine()
            return Words(
                "Looking up \(evidence.server) failed: \(said)".ended,
                hint: "Check this machine's resolver: /etc/resolv.conf and /etc/nsswitch.conf.")
        },
    ]

    static let deadline: [FailureRule] = [
        FailureRule(.resolveTemporaryFailure, .likely, source: "our own clock") {
            Words(
                "Looking up \($0.server) took longer than \($0.patience).",
                hint: "Try again; if it persists, check this machine's network and /etc/resolv.conf.",
                alternatives: ["the name server is down or slow", "this machine has no network"])
        }
    ]

    /// The interface of an IPv6 address: `fe80::1%eth0`.
    private static func zone(_ evidence: SSHEvidence) -> String? {
        let parts = evidence.host.split(separator: "%", maxSplits: 1)
        return parts.count == 2 && parts[0].contains(":") ? String(parts[1]) : nil
    }

    private static func kind(_ evidence: SSHEvidence) -> SSHEvidence.ResolverFailure? {
        guard case .resolutionFailed(_, let kind, _) = evidence.event else { return nil }
        return kind
    }
}
