import BridgeSSH
import NIOCore
import NIOPosix
import SSHTestSupport
import Testing

/// Connections on the event loops that an app has already.
@Suite("A caller's event loops") struct EventLoopGroupTests {
    @Test("a connection, its files, a scan and a pool use them, and leave nothing behind") func live() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        try await SSHDSandbox.run { box in
            var configuration = try await box.configuration()
            configuration.eventLoopGroup = group
            func use(_ connection: SSHConnection) async throws {
                #expect(await Task(executorPreference: connection.executor) { loop.inEventLoop }.value)
                #expect(try await connection.run("echo here").standardOutputText == "here\n")
                #expect(try await connection.withSFTP { try await $0.attributes(of: "/tmp").kind } == .directory)
            }
            try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) { try await use($0) }
            var through = configuration
            through.jumpHosts = [SSHJumpHost(box.endpoint(), configuration: try await box.configuration())]
            try await SSHClient.withConnection(to: box.endpoint(), configuration: through) { try await use($0) }
            try await SSHConnectionPool.withPool { pool in
                try await pool.withConnection(to: box.endpoint(), configuration: configuration) { try await use($0) }
            }
            #expect(try await !SSHClient.hostKeys(of: box.endpoint(), configuration: configuration).offers.isEmpty)
            // Without a group of the caller's, another loop is used.
            let plain = try await box.configuration()
            try await SSHClient.withConnection(to: box.endpoint(), configuration: plain) { connection in
                #expect(await !Task(executorPreference: connection.executor) { loop.inEventLoop }.value)
            }
        }
        try await group.shutdownGracefully()
    }

    @Test("a group without sockets is refused by name") func refused() async throws {
        var configuration = SSHConnectionConfiguration()
        configuration.eventLoopGroup = SimulatedLoop()
        let error = try await #require(throws: SSHError.self) {
            try await SSHClient.withConnection(to: "alice@192.0.2.1", configuration: configuration) { _ in }
        }
        #expect(error.code == .localUsage && error.message.hasPrefix("eventLoopGroup: "), "\(error.message)")
    }
}
