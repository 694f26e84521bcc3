#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Opening a TCP connection. Sources of the errno values: connect(2), tcp(7).
enum ConnectRules {
    static let all = addresses + proxy + deadline

    static let addresses: [FailureRule] = [
        FailureRule(.connectRefused, .exact, source: "connect(2): ECONNREFUSED", when: { every($0, .refused) }) {
            VerdictText(
                "\($0.endpoint) refused the connection\(places($0)).",
                hint: """
                    Check the port and that sshd runs there: on the server \(run: "ss -ltn", .mayBeWrong, on: .server) lists the \
                    listening ports.
                    """,
                alternatives: ["no SSH server listens on this port", "a firewall answers with a refusal"])
        },
        FailureRule(
            .bannerClosed, .exact, source: "a reset while connecting is a close before identification",
            when: { every($0, .reset) }
        ) {
            VerdictText(
                "\($0.endpoint) reset the connection while it was being opened.",
                hint: "Try again; if it persists, look at the server's log and at firewalls on the path.",
                alternatives: ["a firewall or load balancer without a server behind it", "the server is overloaded"])
        },
        FailureRule(.connectTimedOut, .exact, source: "connect(2): ETIMEDOUT", when: { every($0, .timedOut) }) {
            timedOutText($0)
        },
        FailureRule(
            .connectHostUnreachable, .exact, source: "connect(2): EHOSTUNREACH, EHOSTDOWN",
            when: { every($0, .hostUnreachable) }
        ) {
            VerdictText(
                "There is no route to \($0.endpoint)\(places($0)): a router or this machine reports that the host is unreachable.",
                hint: "Check that the host is up and that this machine is in the right network or VPN.",
                alternatives: ["the host is down", "a firewall answers in its place"])
        },
        FailureRule(
            .connectFailed, .exact, source: "bind(2): EADDRNOTAVAIL, for the address of BindAddress",
            when: { $0.setting?.keyword == "BindAddress" && $0.lacksLocalAddress }
        ) {
            VerdictText(
                "This machine does not have the address from which to connect to \($0.endpoint): your setting \($0.settingText).",
                hint: "Name one of this machine's own addresses there, or remove the setting.")
        },
        FailureRule(
            .connectNetworkUnreachable, .exact, source: "connect(2): ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT",
            when: { every($0, .networkUnreachable) }
        ) {
            VerdictText(
                "This machine has no route to the network of \($0.endpoint)\(places($0)).",
                hint:
                    "Check this machine's own network: its addresses, routes and VPN; for an IPv6-only host, whether IPv6 works here."
            )
        },
        FailureRule(
            .connectBlockedLocally, .exact, source: "connect(2): EACCES, EPERM", when: { every($0, .blockedLocally) }
        ) {
            VerdictText(
                "This machine blocked the connection to \($0.endpoint)\(places($0)).",
                hint: "Check this machine's firewall, and whether a sandbox forbids network access.")
        },
        FailureRule(
            .connectLocalResources, .exact, source: "connect(2), socket(2): EMFILE, ENFILE, ENOBUFS, ENOMEM",
            when: { every($0, .localResources) }
        ) {
            VerdictText(
                "This machine has no free file descriptors, buffers or memory for another connection\(places($0)).",
                hint: "Close other connections, or raise this machine's limit of open files.")
        },
        FailureRule(
            .connectFailed, .exact, source: "connect(2): EINVAL; RFC 4007 section 11", when: lacksZone
        ) {
            VerdictText(
                "\($0.server) is a link-local address, which needs the network interface.",
                hint: "Add the interface to the address, as in \($0.server)%eth0.")
        },
        FailureRule(.connectFailed, .exact, source: "connect(2): several reasons", when: { !$0.addresses.isEmpty }) {
            VerdictText(
                "Every address of \($0.endpoint) failed: \(reasons($0).listed()).",
                hint: "Each address failed for its own reason; start with the one that should have worked.")
        },
        FailureRule(.connectFailed, .guess, source: "no address was tried") {
            VerdictText(
                "The connection to \($0.endpoint) failed, and no address gives a reason.",
                hint: "\(.withMoreLog) to see the addresses that are tried.")
        },
    ]

    static let proxy: [FailureRule] = [
        FailureRule(.connectProxyFailed, .exact, source: "ssh_config(5): ProxyCommand") { evidence in
            guard case .proxyFailed(let command, let status, let text) = evidence.event else {
                return LocalRules.unforeseenText(evidence)
            }
            let last = text.split(whereSeparator: \.isNewline).last.map { " It said: \(String($0).oneLine())" } ?? ""
            let ending =
                status.map { "ended with status \($0) before the server identified itself" }
                ?? (evidence.streamHasEnded ? "closed its output before the server identified itself" : "did not start")
            return VerdictText(
                "The proxy command \(ending).\(last)".ended,
                hint: command.isEmpty
                    ? "Use the proxy or the jump host by itself to see what is wrong."
                    : "Run it by itself to see what is wrong: \(run: command.oneLine())")
        }
    ]

    static let deadline: [FailureRule] = [
        FailureRule(.connectTimedOut, .exact, source: "our own clock") { timedOutText($0) }
    ]

    /// Whether the host is an address in fe80::/10 without `%interface`.
    private static func lacksZone(_ evidence: SSHEvidence) -> Bool {
        let host = evidence.host.lowercased()
        return ["fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) } && host.contains(":") && !host.contains("%")
            && !evidence.addresses.isEmpty && evidence.addresses.allSatisfy { $0.systemError == EINVAL }
    }

    private static func timedOutText(_ evidence: SSHEvidence) -> VerdictText {
        if let hop = evidence.hop?.via.last {
            return VerdictText(
                "\(evidence.endpoint) did not answer the jump host \(hop.oneLine()) within \(evidence.awaitedTime).",
                hint: "Check the address and port, and that the jump host can reach it: log in there and try.",
                alternatives: ["a firewall drops the packets", "the host is down", "the jump host has stopped answering"])
        }
        return VerdictText(
            "\(evidence.endpoint) did not answer within \(evidence.awaitedTime)\(places(evidence)).",
            hint: "Check the address and port, and that the host is up and this machine is in the right network or VPN.",
            alternatives: ["a firewall drops the packets", "the host is down", "the server's queue of connections is full"])
    }

    private static func every(_ evidence: SSHEvidence, _ failure: SystemError.ConnectFailure) -> Bool {
        !evidence.addresses.isEmpty && evidence.addresses.allSatisfy { self.failure($0) == failure }
    }

    private static func failure(_ address: SSHAddressFailure) -> SystemError.ConnectFailure {
        address.systemError.map(SystemError.connectFailure) ?? .timedOut
    }

    /// The addresses that were tried, if the host is a name.
    private static func places(_ evidence: SSHEvidence) -> String {
        let tried = evidence.addresses.map(\.address).filter { !$0.isEmpty && $0 != "\(evidence.host):\(evidence.port)" }
        return tried.isEmpty ? "" : " (tried \(tried.listed(4)))"
    }

    private static func reasons(_ evidence: SSHEvidence) -> [String] {
        evidence.addresses.map { "\($0.address): \($0.systemError.map(SystemError.text) ?? "no answer in time")" }
    }
}

extension SSHEvidence {
    /// Whether no connection could start from the requested local address: bind(2), EADDRNOTAVAIL.
    package var lacksLocalAddress: Bool {
        !addresses.isEmpty && addresses.allSatisfy { $0.systemError == EADDRNOTAVAIL }
    }
}

/// Resolving a name to addresses. Sources: getaddrinfo(3), RFC 1035 section 2.3.4.
enum ResolveRules {
    static let all = name + lookup + deadline

    static let name: [FailureRule] = [
        FailureRule(.resolveHostNameInvalid, .exact, source: "RFC 1035 section 2.3.4, RFC 1123 section 2.1") { evidence in
            guard case .hostNameInvalid(let problem) = evidence.event else { return LocalRules.unforeseenText(evidence) }
            return VerdictText(
                "\"\(evidence.host.oneLine(80))\" is not a valid host name: \(problem.oneLine())".ended,
                hint: "Check the spelling of the host. A literal IPv6 address with a port is written [::1]:22.")
        }
    ]

    static let lookup: [FailureRule] = [
        FailureRule(
            .resolveHostNotFound, .exact, source: "getaddrinfo(3): EAI_NONAME; RFC 4007 section 11",
            when: { kind($0) == .notFound && zone($0) != nil }
        ) {
            VerdictText(
                "This machine has no network interface named \((zone($0) ?? "").oneLine(60)).",
                hint: "Name one of this machine's interfaces behind the % of the address.")
        },
        FailureRule(
            .resolveHostNotFound, .exact, source: "getaddrinfo(3): EAI_NONAME, EAI_NODATA", when: { kind($0) == .notFound }
        ) {
            VerdictText(
                $0.host.isEmpty
                    ? "The host's name does not exist, or it has no address."
                    : "There is no host named \($0.server), or it has no address.",
                hint: "Check the spelling; \(run: "getent hosts \($0.lookedUpWord)") shows its addresses.",
                alternatives: ["the name is only known inside another network or a VPN"])
        },
        FailureRule(.resolveTemporaryFailure, .exact, source: "getaddrinfo(3): EAI_AGAIN", when: { kind($0) == .temporary }) {
            VerdictText(
                "The name servers did not answer for \($0.server).",
                hint: "Try again; if it persists, check this machine's network and /etc/resolv.conf.",
                alternatives: ["this machine has no network", "the name server is down"])
        },
        FailureRule(
            .resolveFailed, .exact, source: "getaddrinfo(3): EAI_ADDRFAMILY", when: { kind($0) == .noAddressOfFamily }
        ) {
            VerdictText(
                "\($0.server) has an address, but none of the requested family.",
                hint: "\(.anyFamily).")
        },
        FailureRule(.resolveFailed, .exact, source: "getaddrinfo(3): every other EAI code") { evidence in
            guard case .resolutionFailed(let code, _, let message) = evidence.event else {
                return LocalRules.unforeseenText(evidence)
            }
            let said = message.isEmpty ? "resolver error \(code)" : message.oneLine()
            return VerdictText(
                "Looking up \(evidence.server) failed: \(said)".ended,
                hint: "Check this machine's resolver: /etc/resolv.conf and /etc/nsswitch.conf.")
        },
    ]

    static let deadline: [FailureRule] = [
        FailureRule(.resolveTemporaryFailure, .likely, source: "our own clock") {
            VerdictText(
                "Looking up \($0.server) took longer than \($0.awaitedTime).",
                hint: "Try again; if it persists, check this machine's network and /etc/resolv.conf.",
                alternatives: ["the name server is down or slow", "this machine has no network"])
        }
    ]

    /// The interface in an IPv6 address such as `fe80::1%eth0`.
    private static func zone(_ evidence: SSHEvidence) -> String? {
        let parts = evidence.host.split(separator: "%", maxSplits: 1)
        return parts.count == 2 && parts[0].contains(":") ? String(parts[1]) : nil
    }

    private static func kind(_ evidence: SSHEvidence) -> SSHEvidence.ResolverFailure? {
        guard case .resolutionFailed(_, let kind, _) = evidence.event else { return nil }
        return kind
    }
}
