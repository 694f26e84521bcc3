import SSHTestSupport

extension Fault {
    /// Key exchange.
    static let exchanging = [
        disjoint("no-common-kex", "ssh.kex.no-common-kex", "no common key exchange method") { $0.keyExchange = $1 },
        disjoint("no-common-host-key", "ssh.kex.no-common-host-key-algorithm", "no common host key algorithm") {
            $0.hostKey = $1
        },
        disjoint("no-common-cipher", "ssh.kex.no-common-cipher", "no common cipher") { $0.cipher = $1 },
        disjoint("no-common-mac", "ssh.kex.no-common-mac", "no common MAC") { $0.mac = $1 },
        scripted(
            "disconnects", "ssh.kex.disconnected", "disconnects with a reason before key exchange",
            .disconnects(reason: 12, text: "Too many connections")),
        cut("closed-in-kex", "ssh.kex.closed", "closed during key exchange", .finish, afterServerBytes: 600),
        cut("stalled-in-kex", "ssh.kex.timed-out", "no answer during key exchange", .stall, afterServerBytes: 600),
    ]

    /// A server with one list of which no client has anything.
    private static func disjoint(
        _ name: String, _ code: String, _ summary: String, _ set: (inout KeyExchangeLists, [String]) -> Void
    ) -> Fault {
        var lists = KeyExchangeLists()
        // Without integrity of its own, so that a MAC is looked for.
        lists.cipher = ["aes128-ctr", "aes256-ctr"]
        set(&lists, ["of-tomorrow@example.com"])
        return scripted(name, code, summary, .keyExchangeInit(lists, then: .waits))
    }
}
