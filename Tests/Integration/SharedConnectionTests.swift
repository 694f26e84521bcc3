import Foundation
import NIOCore
import SSHTestSupport
import Synchronization
import Testing

@testable import BridgeSSH
@testable import SSHTransport

/// Several commands on one connection: the failure of one does not affect the others.
@Suite struct SharedConnectionTests {
    @Test("a command that gets no channel in time does not end those that run") func lateStart() async throws {
        try await SSHDSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                try await box.connected(through: proxy.port) {
                    $0.timeouts.connect = .seconds(10)
                } _: { connection in
                    // Only output proves that its start has ended; a created file does not.
                    _ = try await connection.execute("echo ready; read line; echo $line") { execution, input in
                        var lines = execution.standardOutput.lines.makeAsyncIterator()
                        #expect(try await lines.next() == "ready")
                        await proxy.stopReading(from: .server)
                        for name in ["second", "third"] {
                            let error = try await #require(throws: SSHError.self) {
                                try await connection.run("touch /tmp/\(name)")
                            }
                            #expect(error.code == .channelTimedOut)
                            #expect(error.commandMayHaveRun == .no)
                        }
                        await proxy.resumeReading(from: .server)
                        try await input.write("done\n")
                        #expect(try await lines.next() == "done")
                    }
                    #expect(try await connection.run("ls /tmp").standardOutputText == "")
                }
            }
        }
    }

    @Test("tasks can run on the connection's event loop, and code that produces input does not") func onTheLoop() async throws {
        try await SharedSandbox.plain.box().connected { connection in
            let loop = connection.session.eventLoop
            try await withTaskExecutorPreference(connection.executor) {
                let result = try await connection.run("echo here", check: true)
                #expect(result.standardOutputText == "here\n")
                #expect(await Self.isOn(loop))
            }
            let isOnLoop = Mutex(true)
            let input = SSHStandardInput.pieces {
                isOnLoop.withLock { $0 = loop.inEventLoop }
                return nil
            }
            try await connection.run("cat", standardInput: input, check: true)
            #expect(isOnLoop.withLock { !$0 })
        }
    }

    /// Whether code without an actor runs on the event loop.
    @concurrent private static func isOn(_ loop: any EventLoop) async -> Bool { loop.inEventLoop }

    @Test("the channel of a shell that was left is in use until the server closes it") func leftShell() async throws {
        var script = ServerScript().on(.request("shell"), .accept, .output("r1#")).on(.channelClosed)
            .on(.data, .output("terminal length 0\r\nr1#")).on(.data, .output("show clock\r\n12:00\r\nr1#"))
        script.identification = "SSH-2.0-Cisco-1.25"
        try await ScriptedServer.run(script) { server in
            try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: server.host, port: server.port, user: "alice"),
                configuration: server.testRun().configuration
            ) { connection in
                let result = try await connection.runInShell("show clock")
                #expect(result.standardOutputText == "12:00\n")
                let inUse = connection.session.slots.inUse
                #expect(inUse.active == 0 && inUse.lingering == 1)
            }
        }
    }

    @Test("a host key that the policy accepted and that could not be stored has no person's word") func acceptedKey() async throws
    {
        try await ScriptedServer.run(ServerScript()) { server in
            var configuration = server.testRun().configuration
            configuration.hostKeyPolicy = .acceptNew
            configuration.knownHosts = SSHKnownHostsFiles(
                user: ["/nonexistent/known"], areExplicit: false, acceptsWithoutRemembering: true)
            let endpoint = SSHEndpoint(unchecked: server.host, port: server.port, user: "alice")
            try await SSHClient.withConnection(to: endpoint, configuration: configuration) { connection in
                #expect(connection.acceptedHostKeys.map(\.acceptance) == [.policy])
            }
        }
    }

    @Test("data is acknowledged at once until a command runs") func acknowledgement() async throws {
        try await SharedSandbox.plain.box().connected { connection in
            #expect(await connection.session.acknowledgesAtOnce)
            try await connection.run("true", check: true)
            #expect(await !connection.session.acknowledgesAtOnce)
        }
    }

    @Test("a command's close message is sent together with the next command's request") func together() async throws {
        let count = 8
        let record = WireRecord()
        try await FaultProxy.run(to: SharedSandbox.plain.box().port, record: record) { proxy in
            try await SharedSandbox.plain.box().connected(through: proxy.port) { connection in
                try await connection.run("true", check: true)
                try await withTaskExecutorPreference(connection.executor) {
                    let before = record.pieces
                    for _ in 0..<count { try await connection.run("true", check: true) }
                    // Each command needs three writes: the previous command's SSH_MSG_CHANNEL_CLOSE together with the channel's
                    // opening, then the command, then the end of its input. The ends of the earlier command and of the last one
                    // may be separate writes.
                    #expect(record.pieces - before <= 3 * count + 2)
                }
            }
        }
    }

    @Test("read buffers belong to the event loop, not to each connection", .timeLimit(.minutes(5)))
    func spareBuffer() async throws {
        try await SharedSandbox.plain.box().connected { connection in
            #expect(await connection.session.sharesTheLoopsBuffer)
            // A read of another connection takes the buffer out while it lasts.
            repeat { try await connection.run("true", check: true) } while await !connection.session.hasUsedTheSharedBuffer
        }
    }

    @Test("a connection without other users has failed if a command gets no channel in time") func lateAlone() async throws {
        try await SharedSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                try await box.connected(through: proxy.port) {
                    $0.timeouts.connect = .seconds(10)
                } _: { connection in
                    _ = try await connection.run("true")
                    await proxy.stopReading(from: .server)
                    let error = try await #require(throws: SSHError.self) { try await connection.run("true") }
                    #expect(error.code == .channelTimedOut)
                    #expect(await !connection.isAlive)
                }
            }
        }
    }

    @Test("a command cancelled before its turn is never sent") func cancelledInLine() async throws {
        try await SSHDSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                try await box.connected(through: proxy.port) { connection in
                    let session = connection.session
                    let channel = try await session.openChannel()
                    await proxy.stopReading(from: .server)
                    let opening = Task { try await session.openChannel() }
                    while await session.waitingCount < 1 { try await Task.sleep(for: .milliseconds(5)) }
                    let command = Task { try await session.execute(channel, "touch /tmp/mark") {} }
                    while await session.waitingCount < 2 { try await Task.sleep(for: .milliseconds(5)) }
                    command.cancel()
                    await #expect(throws: (any Error).self) { try await command.value }
                    await session.closeChannel(channel)
                    await proxy.resumeReading(from: .server)
                    await session.closeChannel(try await opening.value)
                    #expect(try await connection.run("ls /tmp").standardOutputText == "")
                }
            }
        }
    }
}

extension WireRecord {
    /// The number of the client's writes.
    fileprivate var pieces: Int { arrivals.count { $0.side == .client } }
}

extension Session {
    fileprivate var sharesTheLoopsBuffer: Bool { wire.spare === executor.spare.value }
    fileprivate var hasUsedTheSharedBuffer: Bool { wire.spare.buffer.capacity >= LibraryChannel.readLength }
}
