import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Jump hosts that several connections share.
@Suite("Shared jump hosts") struct SharedHopTests {
    /// A separate jump host with counted connections, and the host behind it.
    private func withChain(
        behind count: Int = 1, _ body: (SSHDSandbox, Chain) async throws -> Void
    ) async throws {
        var options = SSHDSandbox.Options()
        options.hostName = "bastion"
        try await SSHDSandbox.run(options) { bastion in
            var chain = try await Chain.plain(count)
            chain.hops.insert(try await bastion.hop(), at: 0)
            try await body(bastion, chain)
        }
    }

    @Test("20 connections at once go through one connection to the jump host") func together() async throws {
        try await withChain { bastion, chain in
            try await SSHHopPool.withHops { hops in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            let result = try await SSHClient.withConnection(
                                to: chain.endpoint, configuration: chain.configuration, sharing: hops
                            ) { try await $0.run("echo \(number)", check: true) }
                            #expect(result.standardOutputText == "\(number)\n")
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(await hops.connectionCount == 1)
            }
            #expect(bastion.connectionCount == 1)
            try await bastion.connectionsEnded()
        }
    }

    @Test("a jump host outlives the connections through it, and is closed after its idle time")
    func idle() async throws {
        try await withChain { bastion, chain in
            var limits = SSHHopPool.Limits()
            // Longer than a busy machine takes from the end of one connection to the beginning of the next.
            limits.idleTimeout = .seconds(5)
            try await SSHHopPool.withHops(limits: limits) { hops in
                for turn in 1...2 {
                    for _ in 0..<3 {
                        let first = try await SSHClient.connect(
                            to: chain.endpoint, configuration: chain.configuration, sharing: hops)
                        let second = try await SSHClient.connect(
                            to: chain.endpoint, configuration: chain.configuration, sharing: hops)
                        await first.close()
                        #expect(try await second.run("echo here").standardOutputText == "here\n")
                        #expect(bastion.connectionCount == turn)
                        let third = try await SSHClient.connect(
                            to: chain.endpoint, configuration: chain.configuration, sharing: hops)
                        await second.close()
                        await third.close()
                        if turn == 1 { break }
                    }
                    while await hops.connectionCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
                    try await bastion.connectionsEnded()
                }
            }
        }
    }

    @Test("after the pool was closed, a jump host is closed with the last connection through it") func closed() async throws {
        let chain = try await Chain.plain(2)
        let hops = try SSHHopPool()
        let connection = try await SSHClient.connect(to: chain.endpoint, configuration: chain.configuration, sharing: hops)
        await hops.close()
        #expect(await hops.connectionCount == 1)
        #expect(try await connection.run("echo here").standardOutputText == "here\n")
        await connection.close()
        #expect(await hops.connectionCount == 0)
    }

    @Test("chains with the same first hops share them") func prefixes() async throws {
        try await withChain(behind: 2) { bastion, long in
            var short = long
            short.hops.remove(at: 1)
            var inner = long
            inner.hops.removeLast()
            try await SSHHopPool.withHops { hops in
                for chain in [short, long, inner, long] {
                    let result = try await SSHClient.withConnection(
                        to: chain.endpoint, configuration: chain.configuration, sharing: hops
                    ) { try await $0.run("hostname", check: true) }
                    #expect(
                        result.standardOutputText
                            == (chain.hops.count == 2 && chain.hops[1].port == inner.hops[1].port ? "hop2\n" : "hop3\n"))
                }
                #expect(await hops.connectionCount == 2)
            }
            #expect(bastion.connectionCount == 1)
        }
    }

    @Test("a jump host that was lost is opened again", arguments: [false, true]) func lost(isSilent: Bool) async throws {
        let box = try await SharedChain.shared.boxes(3)[0]
        try await FaultProxy.run(to: box.port) { proxy in
            var chain = try await Chain.plain(1)
            chain.hops.insert(try await box.hop(through: proxy.port), at: 0)
            try await SSHHopPool.withHops { hops in
                for _ in 0..<3 {
                    let connection = try await SSHClient.connect(
                        to: chain.endpoint, configuration: chain.configuration, sharing: hops)
                    #expect(try await connection.run("echo here").standardOutputText == "here\n")
                    await proxy.trigger(isSilent ? .finish : .reset)
                    // The error is the jump host's, and names it.
                    let end = try #require(await connection.closed())
                    #expect(end.evidence.port == proxy.port, "\(end.message)")
                    await connection.close()
                }
            }
        }
    }

    @Test("one refusal of the jump host fails all connections that wait for it") func refused() async throws {
        try await withChain { bastion, chain in
            var chain = chain
            chain.hops[0].user = SandboxUser.loosehome.name
            try await SSHHopPool.withHops { [chain] hops in
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<5 {
                        group.addTask {
                            do {
                                let connection = try await SSHClient.connect(
                                    to: chain.endpoint, configuration: chain.configuration, sharing: hops)
                                await connection.close()
                                Issue.record("it connected")
                            } catch {
                                #expect((error as? SSHError)?.code == .authKeyRejected, "\(error)")
                            }
                        }
                    }
                }
                #expect(await hops.connectionCount == 0)
            }
            #expect(bastion.connectionCount < 5)
        }
    }

    @Test("cancelling the first caller does not cancel the others") func cancelled() async throws {
        let box = try await SharedChain.shared.boxes(3)[0]
        try await FaultProxy.run(to: box.port) { proxy in
            var chain = try await Chain.plain(1)
            chain.hops.insert(try await box.hop(through: proxy.port), at: 0)
            try await SSHHopPool.withHops { [chain] hops in
                let connecting = (0..<4).map { _ in
                    Task {
                        try await SSHClient.withConnection(
                            to: chain.endpoint, configuration: chain.configuration, sharing: hops
                        ) { try await $0.run("echo here").standardOutputText }
                    }
                }
                connecting[0].cancel()
                _ = await connecting[0].result
                for task in connecting.dropFirst() {
                    let text = try await task.value
                    #expect(text == "here\n")
                }
            }
        }
    }

    @Test("a host behind the jump host that does not answer fails alone") func unreachable() async throws {
        // A full queue of connections: the jump host's connect(2) waits.
        try await FullListener.run { listener in
            try await withChain { bastion, chain in
                var dead = chain
                dead.hops[1].port = listener.port
                dead.connectTimeout = 10
                try await SSHHopPool.withHops { [chain, dead] hops in
                    let running = try await SSHClient.connect(
                        to: chain.endpoint, configuration: chain.configuration, sharing: hops)
                    async let failed = SSHClient.connect(to: dead.endpoint, configuration: dead.configuration, sharing: hops)
                    do {
                        await (try failed).close()
                        Issue.record("it connected")
                    } catch {
                        #expect((error as? SSHError)?.evidence.port == listener.port, "\(error)")
                    }
                    // Neither the existing connection nor the next one is affected.
                    #expect(try await running.run("echo here").standardOutputText == "here\n")
                    let next = try await SSHClient.withConnection(
                        to: chain.endpoint, configuration: chain.configuration, sharing: hops
                    ) { try await $0.run("echo next").standardOutputText }
                    #expect(next == "next\n")
                    await running.close()
                }
            }
        }
    }

    @Test("invalid limits are refused") func limits() throws {
        for change in [{ $0.connectionsPerHop = 0 }, { $0.idleTimeout = .seconds(-1) }] as [(inout SSHHopPool.Limits) -> Void] {
            var limits = SSHHopPool.Limits()
            change(&limits)
            let error = try #require(#expect(throws: SSHError.self) { try SSHHopPool(limits: limits) })
            #expect(error.code == .localUsage)
        }
    }

    @Test("a pool of connections shares jump hosts, too") func pooled() async throws {
        try await withChain { bastion, chain in
            try await SSHHopPool.withHops { hops in
                var limits = SSHConnectionPool.Limits()
                limits.sessionsPerConnection = 1
                try await SSHConnectionPool.withPool(limits, sharing: hops) { pool in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<8 {
                            group.addTask {
                                _ = try await pool.withConnection(to: chain.endpoint, configuration: chain.configuration) {
                                    try await $0.run("sleep 0.05", check: true)
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    #expect(await pool.connectionCount > 1)
                }
            }
            #expect(bastion.connectionCount == 1)
        }
    }
}
