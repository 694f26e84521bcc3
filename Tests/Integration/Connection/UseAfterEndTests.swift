import BridgeSSH
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// The errors of a program that uses a connection, a command or an SFTP client after its end.
@Suite("Use after the end") struct UseAfterEndTests {
    static let misuse = SSHError.Code.localClosed

    /// Holds an object that escapes from a closure.
    private final class Escaped<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)
        func set(_ new: Value) { value.withLock { $0 = new } }
        func get() throws -> Value { try #require(value.withLock { $0 }) }
    }

    private func expectMisuse(_ words: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
            Issue.record("it succeeded")
        } catch let error as SSHError {
            #expect(error.code == Self.misuse, "\(error.code): \(error.message)")
            #expect(error.message.contains(words), "\(error.message)")
        }
    }

    @Test("after close()") func closed() async throws {
        let box = try await SharedSandbox.plain.box()
        let connection = try await SSHClient.connect(to: box.endpoint(), configuration: try await box.configuration())
        await connection.close()
        try await expectMisuse("run was called after close()") { _ = try await connection.run("true") }
        try await expectMisuse("execute was called after close()") { _ = try await connection.execute("true") { _ in } }
        try await expectMisuse("execute was called after close()") { _ = try await connection.execute("cat") { _, _ in } }
        try await expectMisuse("withSFTP was called after close()") { try await connection.withSFTP { _ in } }
        try await expectMisuse("withSubsystem was called after close()") {
            _ = try await connection.withSubsystem("sftp") { _, _ in }
        }
        try await expectMisuse("open was called after close()") { try await connection.open(to: "127.0.0.1", port: 1) { _ in } }
    }

    @Test("a file after close(), while its closure has not returned") func fileAfterClose() async throws {
        let box = try await SharedSandbox.plain.box()
        let connection = try await SSHClient.connect(to: box.endpoint(), configuration: try await box.configuration())
        let reads = Mutex(0)
        try await expectMisuse("or the connection was closed") {
            try await connection.withSFTP { sftp in
                try await sftp.withFile("/etc/passwd", .reading) { file in
                    await connection.close()
                    reads.withLock { $0 += 1 }
                    _ = try await file.read(1, at: 0)
                    reads.withLock { $0 += 1 }
                }
            }
        }
        #expect(reads.withLock { $0 } == 1)
    }

    @Test("a connection that left its closure") func escapedConnection() async throws {
        let box = try await SharedSandbox.plain.box()
        let escaped = Escaped<SSHConnection>()
        try await box.connected { escaped.set($0) }
        try await expectMisuse("the closure that the connection was lent to had returned") {
            _ = try await escaped.get().run("true")
        }
    }

    @Test("a pool's connection that left its closure, while others use it") func escapedFromPool() async throws {
        let box = try await SharedSandbox.plain.box()
        let configuration = try await box.configuration()
        try await SSHConnectionPool.withPool { pool in
            let escaped = Escaped<SSHConnection>()
            try await pool.withConnection(to: box.endpoint(), configuration: configuration) { escaped.set($0) }
            try await expectMisuse("had returned") { _ = try await escaped.get().run("true") }
            try await pool.withConnection(to: box.endpoint(), configuration: configuration) { connection in
                await connection.close()
                try await expectMisuse("after close()") { _ = try await connection.run("true") }
            }
            // close() of one caller does not take the connection from the others.
            #expect(await pool.connectionCount == 1)
            _ = try await pool.withConnection(to: box.endpoint(), configuration: configuration) { try await $0.run("true") }
        }
    }

    @Test("an execution and its streams that left their closure") func escapedExecution() async throws {
        let box = try await SharedSandbox.plain.box()
        try await box.connected { connection in
            let escaped = Escaped<SSHExecution>()
            _ = try await connection.execute("echo here") { escaped.set($0) }
            try await expectMisuse("the output of a command was read") {
                for try await _ in try escaped.get().standardOutput {}
            }
            try await expectMisuse("the output of a command was read") {
                for try await _ in try escaped.get().standardError.lines {}
            }
        }
    }

    @Test("an SFTP client that left its closure, or outlived its connection") func escapedSFTP() async throws {
        let box = try await SharedSandbox.plain.box()
        let outer = Escaped<SFTPClient>()
        try await box.connected { connection in
            let inner = Escaped<SFTPClient>()
            try await connection.withSFTP { inner.set($0) }
            try await expectMisuse("an SFTP client was used") { _ = try await inner.get().attributes(of: "/tmp") }
            try await connection.withSFTP { outer.set($0) }
        }
        try await expectMisuse("an SFTP client was used") { _ = try await outer.get().attributes(of: "/tmp") }
    }

    @Test("a pool that is closed") func closedPool() async throws {
        let box = try await SharedSandbox.plain.box()
        let configuration = try await box.configuration()
        let escaped = Escaped<SSHConnectionPool>()
        try await SSHConnectionPool.withPool { escaped.set($0) }
        try await expectMisuse("after the pool was closed") {
            try await escaped.get().withConnection(to: box.endpoint(), configuration: configuration) { _ in }
        }
    }

    @Test("dropped connections close themselves") func dropped() async throws {
        try await SSHDSandbox.run { box in
            let configuration = try await box.configuration()
            for _ in 0..<20 {
                let connection = try await SSHClient.connect(to: box.endpoint(), configuration: configuration)
                _ = try await connection.run("true", check: true)
            }
            // The server has seen the end of all connections, and this process has none of their descriptors left.
            try await box.connectionsEnded()
            #expect(box.connectionCount == 20)
            #expect(try !OwnSocket.all().contains { $0.peerPort == box.port })
        }
    }

    @Test("closed() says why a connection was lost, and nothing if it was closed here") func ended() async throws {
        let box = try await SharedSandbox.plain.box()
        try await FaultProxy.run(to: box.port) { proxy in
            let configuration = try await box.configuration(port: proxy.port)
            let endpoint = box.endpoint(port: proxy.port)
            let lost = try await SSHClient.connect(to: endpoint, configuration: configuration)
            async let end = lost.closed()
            await proxy.trigger(.reset)
            #expect(await end?.code == .sessionConnectionLost)
            await lost.close()
            let closed = try await SSHClient.connect(to: endpoint, configuration: configuration)
            await closed.close()
            #expect(await closed.closed() == nil)
            let watched = try await SSHClient.connect(to: endpoint, configuration: configuration)
            let watch = Task { await watched.closed() }
            watch.cancel()
            #expect(await watch.value == nil)
            #expect(try await watched.run("echo still here").standardOutputText == "still here\n")
            await watched.close()
        }
    }
}
