import BridgeSSH
import SSHTestSupport
import Testing

/// Each kind of failure at each hop of three.
@Suite("Jump hosts: failures") struct JumpFailureTests {
    static let unreached = SSHError.Code.channelJumpTargetUnreachable

    /// An unreachable host is unreachable from the previous hop, if there is one.
    private func unreachable(_ hop: Int, _ first: SSHError.Code, saying words: String) -> HopFailure {
        hop == 1
            ? HopFailure(code: first, hop: 1) : HopFailure(code: Self.unreached, hop: hop - 1, words: words)
    }

    private func check(
        _ expected: HopFailure, _ change: (inout Chain) async throws -> Void = { _ in },
        location: SourceLocation = #_sourceLocation
    ) async throws {
        try await Gate.shared.pass {
            var chain = try await Chain.plain()
            try await change(&chain)
            try await chain.check(expected, location: location)
        }
    }

    @Test("a hop without a listener", arguments: 1...3) func refused(hop: Int) async throws {
        try await check(unreachable(hop, .connectRefused, saying: "Connection refused")) { $0.hops[hop - 1].port = 1 }
    }

    @Test("a hop whose name is unknown", arguments: 1...3) func unknownName(hop: Int) async throws {
        try await check(unreachable(hop, .resolveHostNotFound, saying: "no-such-host.invalid")) {
            $0.hops[hop - 1].host = "no-such-host.invalid"
        }
    }

    @Test("a hop whose host key is unknown", arguments: 1...3) func unknownKey(hop: Int) async throws {
        try await check(HopFailure(code: .hostKeyUnknown, hop: hop)) { $0.hops[hop - 1].knownHosts = "/dev/null" }
    }

    @Test("a hop whose host key has changed", arguments: 1...3) func changedKey(hop: Int) async throws {
        let boxes = try await SharedChain.shared.boxes(3)
        let key = try await TestKey.make(.ed25519, name: "another")
        let known = try await boxes[hop - 1].knownHosts(keys: [key.publicKey])
        // Only the known type is requested, so the differing key is of this type.
        try await check(HopFailure(code: .hostKeyChanged, hop: hop)) { $0.hops[hop - 1].knownHosts = known }
    }

    @Test("a hop that rejects the key", arguments: 1...3) func rejectedKey(hop: Int) async throws {
        let boxes = try await SharedChain.shared.boxes(3)
        let identity = try boxes[0].identityFile(try await TestKey.make(.ed25519, name: "stranger"))
        try await check(HopFailure(code: .authKeyRejected, hop: hop)) { $0.hops[hop - 1].identity = identity }
    }

    @Test(
        "a hop that forwards no connection", arguments: 1...2,
        ["AllowTcpForwarding no", "DisableForwarding yes", "PermitOpen 127.0.0.1:1"])
    func prohibited(hop: Int, configuration: String) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(SSHDSandbox.Options(configuration)) { box in
                var chain = try await Chain.plain()
                chain.hops[hop - 1] = try await box.hop()
                try await chain.check(
                    HopFailure(code: .channelProhibited, hop: hop, words: "\(chain.hops[hop].port)"))
            }
        }
    }

    @Test("a hop that accepts and closes", arguments: 1...3) func closes(hop: Int) async throws {
        try await FaultServer.run(.closesAtOnce) { server in
            try await check(HopFailure(code: .bannerClosed, hop: hop)) { $0.hops[hop - 1].port = server.port }
        }
    }

    @Test("a hop that is another service", arguments: 1...3) func notSSH(hop: Int) async throws {
        try await FaultServer.run(.says("HTTP/1.1 400 Bad Request\r\n\r\n", then: .finishes)) { server in
            try await check(HopFailure(code: .bannerNotSSH, hop: hop, words: "HTTP")) { $0.hops[hop - 1].port = server.port }
        }
    }

    @Test("a hop that never speaks", arguments: 1...3) func silent(hop: Int) async throws {
        try await FaultServer.run(.silent) { server in
            try await check(HopFailure(code: .bannerTimedOut, hop: hop)) { chain in
                chain.hops[hop - 1].port = server.port
                chain.connectTimeout = 3
            }
        }
    }

    @Test("a hop that does not answer in time", arguments: 1...3) func blackhole(hop: Int) async throws {
        try await FullListener.run { listener in
            try await check(HopFailure(code: .connectTimedOut, hop: hop)) { chain in
                chain.hops[hop - 1].port = listener.port
                chain.connectTimeout = 3
            }
        }
    }

    // MARK: Its own ConnectTimeout

    @Test("a jump host that never speaks, with its own ConnectTimeout", arguments: 1...2)
    func ownTimeout(hop: Int) async throws {
        try await FaultServer.run(.silent) { server in
            try await check(HopFailure(code: .bannerTimedOut, hop: hop, words: "its ConnectTimeout of 2 seconds")) { chain in
                chain.hops[hop - 1].port = server.port
                chain.hops[hop - 1].connectTimeout = 2
                chain.connectTimeout = 600
            }
        }
    }

    @Test("a jump host that does not answer, with its own ConnectTimeout", arguments: 1...2)
    func ownTimeoutToConnect(hop: Int) async throws {
        try await FullListener.run { listener in
            try await check(HopFailure(code: .connectTimedOut, hop: hop, words: "its ConnectTimeout of 2 seconds")) { chain in
                chain.hops[hop - 1].port = listener.port
                chain.hops[hop - 1].connectTimeout = 2
                chain.connectTimeout = 600
            }
        }
    }

    /// As with ssh(1), whose limit covers only the version exchange.
    @Test("a jump host's ConnectTimeout does not limit its login") func ownTimeoutEnds() async throws {
        try await Gate.shared.pass {
            var chain = try await Chain.plain(2)
            chain.hops[0].connectTimeout = 5
            // With %I, the command knows that it is called once the server's key is known.
            var slow = chain.configuration
            slow.jumpHosts[0].configuration.knownHostsCommand = SSHKnownHostsCommand(
                ["/bin/sh", "-c", "[ $0 = ORDER ] || sleep 6", "%I"], environment: ["PATH=/usr/bin:/bin"])
            let result = try await SSHClient.withConnection(to: chain.endpoint, configuration: slow) {
                try await $0.run("echo through")
            }
            #expect(result.standardOutputText == "through\n")
        }
    }

    @Test("a hop that is cut off while the command runs", arguments: 1...3, ["finish", "reset"])
    func cut(hop: Int, how: String) async throws {
        try await Gate.shared.pass {
            let box = try await SharedChain.shared.boxes(3)[hop - 1]
            try await FaultProxy.run(to: box.port) { proxy in
                var chain = try await Chain.plain()
                chain.hops[hop - 1] = try await box.hop(through: proxy.port)
                chain.command = "echo running; exec sleep 600"
                let expected = HopFailure(code: .sessionConnectionLost, hop: hop, commandMayHaveRun: .unknown)
                try await chain.check(expected) { await proxy.trigger(how == "reset" ? .reset : .finish) }
            }
        }
    }

    @Test("a hop whose bytes are changed on the way", arguments: 1...3) func corrupted(hop: Int) async throws {
        try await Gate.shared.pass {
            let box = try await SharedChain.shared.boxes(3)[hop - 1]
            try await FaultProxy.run(to: box.port) { proxy in
                var chain = try await Chain.plain()
                chain.hops[hop - 1] = try await box.hop(through: proxy.port)
                chain.command = "echo running; while sleep 0.1; do echo more; done"
                let expected = HopFailure(code: .sessionProtocolError, hop: hop, commandMayHaveRun: .unknown)
                try await chain.check(expected) { await proxy.trigger(.corrupt) }
            }
        }
    }
}
