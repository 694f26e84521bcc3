import BridgeSSH
import NIOCore
import SSHTestSupport
import Synchronization
import Testing

@testable import SSHTransport

/// Chains of one to three sessions whose servers renew their keys at any time, in simulated time. Each seed gives another order
/// of events.
///
/// During an exchange libssh2 sends only the exchange's messages, not even a window adjustment: a reader must wait for the
/// server's bytes, and the event loop must get to them.
@Suite("Renewed keys, in simulated time") struct KeyRenewalTests {
    private static let keepalive = SSHKeepaliveOptions(interval: .seconds(1), countMax: 3)
    /// Such a window is adjusted every few packets.
    private static let window = ReceiveWindow.Limits.fixed(1 << 17)
    private static let count = 400_000

    @Test("all data read and written arrives", arguments: 0..<12, ["command", "collected", "sftp"])
    func everyOrder(seed: Int, use: String) throws {
        let chain = SimulatedChain(hops: seed % 3 + 1, seed: UInt64(seed))
        for _ in chain.servers {
            try chain.addSession(Self.keepalive)
            chain.sessions.last?.assumeIsolated { $0.limitWindows(Self.window) }
        }
        let server = try #require(chain.servers.last)
        let transfer = Transfer(chain)
        if use == "sftp" { try transfer.throughFile() } else { try transfer.throughCommand(isCollected: use == "collected") }
        let rate = Int.random(in: 1...6, using: &chain.random)
        let isDone = try chain.run(atMost: .milliseconds(600_000)) {
            // A caller's requests during the exchange must not be sent before it is over.
            if chain.chance(1) { transfer.useAnotherChannel() }
            if chain.chance(rate) { try? chain.servers.randomElement(using: &chain.random)?.renewKeys() }
            return transfer.isDone
        }
        #expect(isDone && !chain.loop.hasSpun)
        for hop in chain.sessions.indices { #expect(chain.fault(hop) == nil) }
        #expect(chain.servers.map(\.unexpectedMessages) == chain.servers.map { _ in [] })
        #expect(chain.servers.contains { $0.renewalCount > 0 })
        #expect(transfer.read.withLock { $0 } == Self.content)
        #expect(use == "sftp" ? server.writtenCount == Self.count : server.received == Self.content)
        _ = chain.close()
        let isOver = try chain.run(atMost: .milliseconds(10_000)) { chain.waiters.allSatisfy(\.isDone) }
        #expect(isOver)
    }

    private static let content = (0..<count).map { InMemoryServer.fileByte(at: $0) }

    /// Bytes in both directions at the end of a chain.
    private final class Transfer {
        let read = Box()
        private let chain: SimulatedChain
        private let session: Session
        private let hop: Int
        private var mainWaiters: [SimulatedChain.Waiter] = []

        final class Box: Sendable {
            private let bytes = Mutex<[UInt8]>([])
            func withLock<Value: Sendable>(_ body: (inout [UInt8]) -> Value) -> Value { bytes.withLock { body(&$0) } }
        }

        init(_ chain: SimulatedChain) {
            self.chain = chain
            hop = chain.sessions.count - 1
            session = chain.sessions[hop]
        }

        var isDone: Bool { mainWaiters.allSatisfy(\.isDone) }

        private func wait(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
            mainWaiters.append(chain.wait(name, on: hop, work))
        }

        func throughCommand(isCollected: Bool) throws {
            let (session, read) = (session, read)
            let command = try chain.startCommand()
            let server = try #require(chain.servers.last)
            try server.write(KeyRenewalTests.content)
            try server.exit(0)
            wait("the reader") {
                if isCollected {
                    let output = await session.collect(command, limit: 1 << 20)
                    read.withLock { $0 = output.standardOutput }
                } else {
                    while let chunk = try await session.read(command, stream: 0) {
                        let bytes = chunk.bytes
                        read.withLock { $0 += bytes }
                    }
                }
            }
            wait("the writer") {
                let content = KeyRenewalTests.content
                for start in stride(from: 0, to: content.count, by: 50_000) {
                    _ = try await session.write(command, Array(content[start..<min(start + 50_000, content.count)]))
                }
            }
        }

        func throughFile() throws {
            let (session, read) = (session, read)
            let channel = try chain.startSFTP()
            wait("the reader") {
                // As a copy does: several requests at a time.
                for start in stride(from: 0, to: KeyRenewalTests.count, by: 200_000) {
                    let requests = stride(from: start, to: start + 200_000, by: 25_000).map {
                        SFTPRequest.read([1], UInt64($0)..<UInt64($0 + 25_000), path: "")
                    }
                    for reply in try await session.sftp(channel, requests) {
                        guard case .data(let data) = reply else { return }
                        read.withLock { $0 += data.readableBytesView }
                    }
                }
            }
            wait("the writer") {
                for start in stride(from: 0, to: KeyRenewalTests.count, by: 25_000) {
                    let piece = ByteBuffer(bytes: KeyRenewalTests.content[start..<start + 25_000])
                    let request = SFTPRequest.write([1], at: UInt64(start), FileBytes(buffer: piece), path: "")
                    _ = try await session.sftp(channel, [request])
                }
            }
        }

        /// Opens a channel on any of the sessions, asks for something on it, and closes it.
        func useAnotherChannel() {
            let session = chain.sessions.randomElement(using: &chain.random) ?? session
            chain.wait("another channel", on: hop) {
                let channel = try await session.openChannel()
                _ = try await session.setEnvironment(channel, name: "A", value: "B")
                try await session.resize(channel, to: WindowSize(columns: 80, rows: 24))
                try await session.sendEOF(channel)
                await session.closeChannel(channel)
            }
        }
    }
}
