public import CoreMetrics
internal import Logging

#if ServiceLifecycle
    public import ServiceLifecycle

    extension SSHConnectionPool: Service {}
#endif

/// Connections that several tasks share and that outlive them. They are opened on demand, lent in order of the requests, checked
/// by keepalives, and closed after an idle time.
///
/// For one part of a program:
/// ```swift
/// try await SSHConnectionPool.withPool { pool in
///     try await pool.withConnection(to: endpoint, configuration: configuration) { try await $0.run("uptime") }
/// }
/// ```
/// For the lifetime of an app, ``run()`` does the pool's work in a task of its own:
/// ```swift
/// let pool = try SSHConnectionPool()
/// try await withThrowingDiscardingTaskGroup { group in
///     group.addTask { await pool.run() }
///     group.addTask { try await server.run() }
/// }
/// ```
/// Callers share a connection if their endpoint and configuration are the same, except for deadlines, secrets, the interaction
/// and the observer. It is opened with the configuration of the first waiting caller.
///
/// The pool counts the channels as the server does. A cancelled or timed-out command keeps its channel until the server has
/// closed it; before libssh2 1.11 that is when the command ends on its own. Such a connection serves fewer callers, and is
/// replaced when no channel is left.
public actor SSHConnectionPool {
    /// The limits of a pool.
    public struct Limits: Sendable, Hashable {
        /// The greatest number of connections with the same endpoint and configuration; at least 1. Default 4.
        public var connectionsPerKey: Int
        /// The greatest number of connections in total; at least 1. Default 64.
        public var connections: Int
        /// The greatest number of channels on one connection, and so of callers that share it; at least 1. Default 10, like
        /// MaxSessions in sshd_config(5). If a server allows fewer, the pool finds out.
        public var sessionsPerConnection: Int
        /// How long an unused connection stays open; 0 closes it at once. Default 60 seconds.
        public var idleTimeout: Duration
        /// How long a caller may wait for a connection, including its opening; 0 or more. After that it gets
        /// `ssh.local.pool-timed-out`. Nil, the default, sets no limit. The limit also applies to each additional connection for
        /// one caller's channels.
        public var waitTimeout: Duration?

        /// The defaults, except for the given values.
        public init(
            connectionsPerKey: Int = 4, connections: Int = 64, sessionsPerConnection: Int = 10,
            idleTimeout: Duration = .seconds(60), waitTimeout: Duration? = nil
        ) {
            self.connectionsPerKey = connectionsPerKey
            self.connections = connections
            self.sessionsPerConnection = sessionsPerConnection
            self.idleTimeout = idleTimeout
            self.waitTimeout = waitTimeout
        }

        /// Why the limits are invalid; nil if they are valid.
        var problem: String? {
            let counts = [
                ("connectionsPerKey", connectionsPerKey), ("connections", connections),
                ("sessionsPerConnection", sessionsPerConnection),
            ]
            if let (name, value) = counts.first(where: { $0.1 < 1 }) { return "\(name) is \(value), and must be at least 1" }
            let times = [("idleTimeout", idleTimeout), ("waitTimeout", waitTimeout ?? .zero)]
            return times.first { $0.1 < .zero }.map { "\($0.0) is \($0.1), and must not be negative" }
        }
    }

    private struct Caller {
        let endpoint: SSHEndpoint
        let configuration: SSHConnectionConfiguration
        let key: ConnectionIdentity
        let continuation: CheckedContinuation<(Int, SSHConnection), any Error>
    }

    /// The keepalive interval of pooled connections, if the configuration sets none.
    private static let defaultKeepalive = SSHKeepaliveOptions(interval: .seconds(15))

    private typealias Job = @Sendable () async -> Void

    private let limits: Limits
    private let metrics: PoolMetrics
    private let sharedHops: SSHHopPool?
    private var state: PoolState<ConnectionIdentity>
    private var callers: [Int: Caller] = [:]
    private var connections: [Int: SSHConnection] = [:]
    /// Connections that are closing: a cancelled pool runs no more jobs.
    private var closing: [Int: SSHConnection] = [:]
    private var failures: [Int: any Error] = [:]
    private var nextCaller = 1
    private var isClosed = false
    /// Whether a task does the pool's work.
    private var isAttended = false
    /// Warns if no task does the pool's work a second after the first caller has come.
    private(set) var attendanceWarning: Task<Void, Never>?
    private var isWakeScheduled = false
    private let startedAt = ContinuousClock.now
    private let jobs = AsyncStream.makeStream(of: Job.self)

    // MARK: Lifetime

    /// A pool, which opens connections while ``run()`` is running.
    ///
    /// - Parameters:
    ///   - limits: the limits on connections and waiting.
    ///   - hops: jump hosts that its connections share; nil for separate ones.
    ///   - metrics: the factory for the pool's own metrics; nil for the one that the app bootstrapped. Its connections use
    ///     ``SSHConnectionConfiguration/metrics``.
    /// - Throws: ``SSHError/localUsage`` for a limit out of range.
    public init(limits: Limits = Limits(), sharing hops: SSHHopPool? = nil, metrics: (any MetricsFactory)? = nil) throws {
        if let problem = limits.problem {
            throw SSHFailureClassifier.classify(SSHEvidence(local: .usage(field: "limits", problem: problem), stage: .local))
        }
        self.limits = limits
        sharedHops = hops
        self.metrics = PoolMetrics(metrics)
        state = PoolState(limits: limits)
    }

    deinit { attendanceWarning?.cancel() }

    /// Lends a pool to `body`, and closes it with all its connections, even after an error.
    ///
    /// - Throws: as ``init(limits:sharing:metrics:)``; errors of `body`.
    public static func withPool<Result>(
        _ limits: Limits = Limits(), sharing hops: SSHHopPool? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHConnectionPool) async throws -> Result
    ) async throws -> Result {
        let pool = try SSHConnectionPool(limits: limits, sharing: hops)
        await pool.attend()
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

    /// Does the pool's work until the task is cancelled, then closes the pool with all its connections. Call it once.
    ///
    /// Callers that come earlier wait, at most for ``Limits/waitTimeout``; after a second the first one's logger gets a warning.
    /// Callers that come later get `ssh.local.closed`.
    ///
    /// With this package's trait `ServiceLifecycle`, a pool is a `Service` of swift-service-lifecycle, and a graceful shutdown
    /// also ends this method. Without the trait only cancellation does, and a service group would never end. A service of your
    /// own must then cancel it:
    /// ```swift
    /// func run() async { await cancelWhenGracefulShutdown { await pool.run() } }
    /// ```
    public func run() async {
        #if ServiceLifecycle
            await cancelWhenGracefulShutdown { await self.work() }
        #else
            await work()
        #endif
        await close()
    }

    /// Does the background work until the pool is closed.
    private nonisolated func work() async {
        await attend()
        await withDiscardingTaskGroup { group in
            for await job in jobs.stream { group.addTask { await job() } }
            group.cancelAll()
        }
    }

    private func attend() {
        isAttended = true
        attendanceWarning?.cancel()
        attendanceWarning = nil
    }

    private func close() async {
        isClosed = true
        perform(state.close())
        closing.merge(connections) { $1 }
        connections = [:]
        for connection in closing.values { await connection.close() }
        jobs.continuation.finish()
    }

    // MARK: Use

    /// Connections that are open or being opened.
    public var connectionCount: Int { state.connectionCount }

    func wait(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, isBorrower: Bool) async throws -> (
        Int, SSHConnection
    ) {
        let id = nextCaller
        nextCaller += 1
        if !isAttended { watch(configuration.logger) }
        let key = ConnectionIdentity(endpoint, configuration)
        let start = ContinuousClock.now
        defer { metrics.waited(seconds: start.duration(to: .now).seconds) }
        let timer = limits.waitTimeout.map { limit in
            Task { [weak self] in
                guard (try? await Task.sleep(for: limit.bounded)) != nil else { return }
                await self?.expire(id, after: limit)
            }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                callers[id] = Caller(endpoint: endpoint, configuration: configuration, key: key, continuation: continuation)
                // Recount first, so that a full connection is not lent to one of its own callers again.
                if isBorrower { for id in connections.keys { usageChanged(id) } }
                perform(state.ask(id, for: key, isBorrower: isBorrower, at: now))
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

    /// The wait limit of a caller has passed. A caller that got its connection, or gave up, is no longer in the list.
    private func expire(_ id: Int, after limit: Duration) {
        guard let caller = callers.removeValue(forKey: id) else { return }
        caller.continuation.resume(throwing: lateness(of: caller, limit))
        perform(state.withdraw(id, at: now))
    }

    private func lateness(of caller: Caller, _ limit: Duration) -> SSHError {
        guard isAttended else {
            let problem = "run() has not been called, so no connection is opened; call it in a task of its own, or use withPool"
            return SSHFailureClassifier.classify(
                SSHEvidence(local: .usage(field: "pool", problem: problem), stage: .local, endpoint: caller.endpoint))
        }
        var evidence = SSHEvidence(
            local: .deadlinePassed(SSHDeadline(kind: .lease, seconds: limit.seconds)), stage: .local, endpoint: caller.endpoint)
        let (all, own) = (state.connectionCount, state.count(of: caller.key))
        let waiting = state.waitingCount == 1 ? "1 caller waits" : "\(state.waitingCount) callers wait"
        evidence.notices = ["the pool has \(own) of its \(all) connections there, and \(waiting)"]
        return SSHFailureClassifier.classify(evidence)
    }

    private func watch(_ logger: Logger?) {
        guard let logger, attendanceWarning == nil else { return }
        attendanceWarning = Task {
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            logger.warning("a caller waits for a connection, but the pool's run() has not been called")
        }
    }

    func returned(_ lease: Lease, isAlive: Bool) {
        if !isAlive { perform(state.died(lease.id, at: now)) }
        perform(state.returned(lease.id, isBorrowed: lease.isBorrowed, at: now))
    }

    // MARK: Actions

    private var now: Double { startedAt.duration(to: .now).seconds }

    private func perform(_ actions: [PoolState<ConnectionIdentity>.Action]) {
        defer { metrics.record(connections: state.connectionCount, waiting: state.waitingCount) }
        for action in actions {
            switch action {
            case .open(let id, let key): open(id, key)
            case .lend(let id, let caller): lend(id, to: caller)
            case .fail(let caller, let id): fail(caller, failures[id])
            case .refuse(let caller): fail(caller, nil)
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
        caller.continuation.resume(returning: (id, connection))
    }

    /// - Parameter error: the reason; nil if the pool is closed.
    private func fail(_ caller: Int, _ error: (any Error)?) {
        guard let caller = callers.removeValue(forKey: caller) else { return }
        let closed = SSHEvidence(
            local: .closed(problem: "a connection was asked for after the pool was closed"), stage: .local,
            endpoint: caller.endpoint)
        caller.continuation.resume(throwing: error ?? SSHFailureClassifier.classify(closed))
    }

    private func open(_ id: Int, _ key: ConnectionIdentity) {
        guard let caller = callers.filter({ $0.value.key == key }).min(by: { $0.key < $1.key })?.value else { return }
        var configuration = caller.configuration
        configuration.keepalive = configuration.keepalive ?? Self.defaultKeepalive
        jobs.continuation.yield { [configuration, sharedHops] in
            do {
                let connection = try await SSHClient.connect(
                    to: caller.endpoint, configuration: configuration, sharing: sharedHops)
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
        connection.session.slots.bound(to: limits.sessionsPerConnection) { [weak self] in
            // Runs in a task, so that the server's reply does not wait for the pool.
            Task { await self?.usageChanged(id) }
        }
        perform(state.opened(id, at: now))
        return true
    }

    private func usageChanged(_ id: Int) {
        guard let slots = connections[id]?.session.slots else { return }
        let (active, lingering) = slots.inUse
        perform(state.used(id, .init(active: active, lingering: lingering, limit: slots.limit), at: now))
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

    /// One timer is enough: a later request is never earlier than the pending one, and each run schedules the next.
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
