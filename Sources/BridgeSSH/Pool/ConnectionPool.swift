/// Connections that several tasks share and that outlast them: opened when they are needed, handed out in the order of the
/// requests, checked by keepalives, and closed when they have been unused for a while.
///
/// ```swift
/// try await ConnectionPool.withPool { pool in
///     try await pool.withConnection(to: endpoint, configuration: configuration) { try await $0.run("uptime") }
/// }
/// ```
/// A connection serves callers that name the same endpoint and the same configuration, except for deadlines, secrets, the
/// interaction and the observer; it is opened with the configuration of the first that waits for it.
public actor ConnectionPool {
    /// The limits of a pool: numbers of connections, and idle time.
    public struct Limits: Sendable, Hashable {
        /// Connections to one endpoint with one configuration; at least 1. Default 4.
        public var connectionsPerKey = 4
        /// Connections in all; at least 1. Default 64.
        public var connections = 64
        /// Callers that have one connection at a time; at least 1, and no more than the server's MaxSessions. Default 10, as
        /// sshd_config(5) has it.
        public var sessionsPerConnection = 10
        /// The time that an unused connection stays open; zero or less closes it at once. Default 60 seconds.
        public var idleTimeout = Duration.seconds(60)

        /// The defaults.
        public init() {}
    }

    /// Why a caller gets no connection.
    public enum Failure: Error, Sendable, Hashable {
        /// The pool was closed.
        case closed
    }

    private struct Caller {
        let endpoint: Endpoint
        let configuration: Configuration
        let key: ConnectionIdentity
        let continuation: CheckedContinuation<Lease, any Error>
    }

    struct Lease: Sendable {
        let id: Int
        let connection: SSHConnection
    }

    /// The keepalive interval where the configuration sets none, in a pool.
    private static let watch = KeepaliveOptions(interval: .seconds(15))

    private typealias Job = @Sendable () async -> Void

    private var state: PoolState<ConnectionIdentity>
    private var callers: [Int: Caller] = [:]
    private var connections: [Int: SSHConnection] = [:]
    /// Those that are to be closed and have not ended: a cancelled pool reads no more jobs.
    private var closing: [Int: SSHConnection] = [:]
    private var failures: [Int: any Error] = [:]
    private var nextCaller = 1
    private var isClosed = false
    private var isWakeScheduled = false
    private let startedAt = ContinuousClock.now
    private let jobs = AsyncStream.makeStream(of: Job.self)

    private init(_ limits: Limits) {
        state = PoolState(limits: limits)
    }

    // MARK: The pool's life

    /// Lends a pool to `body` and closes it, with all of its connections, whatever happens.
    ///
    /// - Throws: what `body` throws.
    public static func withPool<Result>(
        _ limits: Limits = Limits(), isolation: isolated (any Actor)? = #isolation,
        _ body: (ConnectionPool) async throws -> Result
    ) async throws -> Result {
        let pool = ConnectionPool(limits)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.work() }
            do {
                let result = try await body(pool)
                await pool.close()
                return result
            } catch {
                await pool.close()
                throw error
            }
        }
    }

    /// Does what has to be done beside the callers, until the pool is closed.
    private nonisolated func work() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs.stream { group.addTask { await job() } }
            group.cancelAll()
        }
    }

    private func close() async {
        isClosed = true
        perform(state.close())
        closing.merge(connections) { $1 }
        connections = [:]
        for connection in closing.values { await connection.close() }
        jobs.continuation.finish()
    }

    // MARK: Using it

    /// Lends a connection to `body`, as soon as there is one; others may run commands on it at the same time.
    ///
    /// - Throws: `SSHError` and what an ``Interaction`` throws, if the connection does not come about; ``Failure``;
    ///   `CancellationError` for a task that is cancelled while it waits; what `body` throws.
    public func withConnection<Result>(
        to endpoint: Endpoint, configuration: Configuration, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHConnection) async throws -> Result
    ) async throws -> Result {
        let lease = try await lease(endpoint, configuration)
        do {
            let result = try await body(lease.connection)
            await giveBack(lease)
            return result
        } catch {
            await giveBack(lease)
            throw error
        }
    }

    /// Connections that are open or being opened.
    public var connectionCount: Int { state.connectionCount }

    private func lease(_ endpoint: Endpoint, _ configuration: Configuration) async throws -> Lease {
        while true {
            let lease = try await wait(endpoint, configuration)
            if await lease.connection.isAlive { return lease }
            // It ended a moment ago; its monitor will report that too.
            perform(state.died(lease.id, at: now))
            await giveBack(lease)
        }
    }

    private func wait(_ endpoint: Endpoint, _ configuration: Configuration) async throws -> Lease {
        let id = nextCaller
        nextCaller += 1
        let key = ConnectionIdentity(endpoint, configuration)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                callers[id] = Caller(endpoint: endpoint, configuration: configuration, key: key, continuation: continuation)
                perform(state.ask(id, for: key, at: now))
            }
        } onCancel: {
            Task { await self.withdraw(id) }
        }
    }

    private func withdraw(_ id: Int) {
        guard let caller = callers.removeValue(forKey: id) else { return }
        caller.continuation.resume(throwing: CancellationError())
        perform(state.withdraw(id, at: now))
    }

    private func giveBack(_ lease: Lease) async {
        if await !lease.connection.isAlive { perform(state.died(lease.id, at: now)) }
        perform(state.returned(lease.id, at: now))
    }

    // MARK: What the state asks for

    private var now: Double { startedAt.duration(to: .now).seconds }

    private func perform(_ actions: [PoolState<ConnectionIdentity>.Action]) {
        for action in actions {
            switch action {
            case .open(let id, let key): open(id, key)
            case .lend(let id, let caller): lend(id, to: caller)
            case .fail(let caller, let id): fail(caller, failures[id] ?? Failure.closed)
            case .refuse(let caller): fail(caller, Failure.closed)
            case .close(let id):
                guard let connection = connections.removeValue(forKey: id) else { continue }
                closing[id] = connection
                jobs.continuation.yield { await connection.close() }
            case .wake(let time): wake(at: time)
            }
        }
    }

    private func lend(_ id: Int, to caller: Int) {
        guard let caller = callers.removeValue(forKey: caller), let connection = connections[id] else { return }
        caller.continuation.resume(returning: Lease(id: id, connection: connection))
    }

    private func fail(_ caller: Int, _ error: any Error) {
        callers.removeValue(forKey: caller)?.continuation.resume(throwing: error)
    }

    private func open(_ id: Int, _ key: ConnectionIdentity) {
        guard let caller = callers.filter({ $0.value.key == key }).min(by: { $0.key < $1.key })?.value else { return }
        var configuration = caller.configuration
        configuration.keepalive = configuration.keepalive ?? Self.watch
        jobs.continuation.yield { [configuration] in
            do {
                let connection = try await SSHClient.connect(to: caller.endpoint, configuration: configuration)
                guard await self.opened(id, connection) else { return await connection.close() }
                await connection.ended()
                await self.ended(id)
            } catch {
                await self.openingFailed(id, error)
            }
        }
    }

    /// - Returns: false if the pool was closed meanwhile.
    private func opened(_ id: Int, _ connection: SSHConnection) -> Bool {
        guard !isClosed else { return false }
        connections[id] = connection
        perform(state.opened(id, at: now))
        return true
    }

    private func openingFailed(_ id: Int, _ error: any Error) {
        failures[id] = error
        perform(state.openingFailed(id, at: now))
        failures[id] = nil
    }

    private func ended(_ id: Int) {
        closing[id] = nil
        perform(state.died(id, at: now))
    }

    /// One timer is enough: the next time is never before one that is set already, and each asks for the next.
    private func wake(at time: Double) {
        guard !isWakeScheduled else { return }
        isWakeScheduled = true
        let seconds = max(0, time - now)
        jobs.continuation.yield {
            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
            await self.timerFired()
        }
    }

    private func timerFired() {
        isWakeScheduled = false
        perform(state.timerFired(at: now))
    }
}
