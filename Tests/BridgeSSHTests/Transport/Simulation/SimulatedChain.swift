import BridgeSSH
import NIOCore
import SSHTestSupport
import SSHTransportTesting
import Synchronization

@testable import SSHTransport

/// A chain of sessions, each inside the one before it, and their servers: all on one thread and in simulated time.
final class SimulatedChain {
    struct Stuck: Error {}

    let loop = SimulatedLoop()
    /// The nearest first, like the sessions.
    let servers: [InMemoryServer]
    private(set) var sessions: [Session] = []
    private(set) var waiters: [Waiter] = []
    var random: SeededGenerator
    private let wire: SimulatedWire
    private var executor: LoopExecutor { .of(loop) }

    init(hops: Int, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var servers: [InMemoryServer] = []
        for _ in 0..<hops { servers.insert(InMemoryServer(next: servers.first), at: 0) }
        self.servers = servers
        wire = SimulatedWire(to: servers[0], on: loop)
    }

    // MARK: Time

    /// Lets a little time pass, in which bytes mostly move on.
    func step() throws {
        loop.advance(by: .milliseconds(.random(in: 1...30, using: &random)))
        if chance(8) { _ = try wire.carryToServer() }
        loop.run()
        if chance(8) { _ = try wire.carryToClient { Bool.random(using: &random) ? $0 : Int.random(in: 1...$0, using: &random) } }
        loop.run()
        if loop.hasSpun { throw Stuck() }
    }

    /// Continues until a condition holds, at most for `limit`.
    ///
    /// - Returns: whether it holds.
    func run(atMost limit: TimeAmount, until isSo: () -> Bool) throws -> Bool {
        let end = loop.now + limit
        while !isSo() {
            guard loop.now < end else { return false }
            try step()
        }
        return true
    }

    /// True with a probability of `tenths` tenths.
    func chance(_ tenths: Int) -> Bool { Int.random(in: 0..<10, using: &random) < tenths }

    // MARK: Sessions

    /// Adds the next hop's session, authenticated.
    func addSession(_ keepalive: SSHKeepaliveOptions?) throws {
        let transport: any ByteTransport
        if let outer = sessions.last {
            let channel = try complete { try await outer.openTunnel(to: "next", port: 22) }
            transport = TunnelTransport(through: outer, channel)
        } else {
            try servers[0].connect()
            transport = wire
        }
        let session = try Session(transport: transport) { _ in }
        sessions.append(session)
        try complete {
            await session.attach()
            _ = try await session.handshake(SSHAlgorithmPreferences())
            _ = try await session.authenticationMethods(user: "user")
            await session.authenticated(keepalive: keepalive)
        }
    }

    /// Starts the SFTP server behind the last session.
    func startSFTP() throws -> ChannelID {
        guard let session = sessions.last else { throw Stuck() }
        return try complete {
            let channel = try await session.openChannel()
            try await session.startSubsystem(channel, "sftp")
            _ = try await session.beginSFTP(channel)
            return channel
        }
    }

    /// Starts a command on the last session.
    func startCommand() throws -> ChannelID {
        guard let session = sessions.last else { throw Stuck() }
        return try complete {
            let channel = try await session.openChannel()
            try await session.execute(channel, "command") {}
            return channel
        }
    }

    func fault(_ hop: Int) -> Fault? { sessions[hop].assumeIsolated { $0.fault } }

    /// Closes all sessions as a connection's owner does, the innermost first.
    func close() -> Waiter {
        let sessions = sessions
        return wait("the owner's close", on: 0) { for session in sessions.reversed() { await session.close() } }
    }

    // MARK: Waiting

    /// Something that waits for a session.
    final class Waiter: Sendable {
        let name: String
        let hop: Int
        private let done = Mutex(false)
        private let task = Mutex<Task<Void, Never>?>(nil)

        init(_ name: String, hop: Int) {
            self.name = name
            self.hop = hop
        }

        var isDone: Bool { done.withLock { $0 } }
        func cancel() { task.withLock { $0 }?.cancel() }

        fileprivate func start(on executor: LoopExecutor, _ work: @escaping @Sendable () async throws -> Void) {
            let task = Task(executorPreference: executor) {
                try? await work()
                self.done.withLock { $0 = true }
            }
            self.task.withLock { $0 = task }
        }
    }

    /// Begins to wait.
    @discardableResult
    func wait(_ name: String, on hop: Int, _ work: @escaping @Sendable () async throws -> Void) -> Waiter {
        let waiter = Waiter(name, hop: hop)
        waiters.append(waiter)
        waiter.start(on: executor, work)
        loop.run()
        return waiter
    }

    /// Simulates until `work` has ended.
    private func complete<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        Task(executorPreference: executor) {
            do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
        }
        guard try run(atMost: .milliseconds(60_000), until: { outcome.value != nil }), let result = outcome.value else {
            throw Stuck()
        }
        return try result.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>?>(nil)
        var value: Result<Value, any Error>? { result.withLock { $0 } }
        func set(_ new: Result<Value, any Error>) { result.withLock { $0 = new } }
    }
}
