internal import NIOCore

/// Authenticated jump hosts that several connections share. Each jump host is connected once, and carries one channel per
/// connection through it.
///
/// ```swift
/// try await SSHHopPool.withHops { hops in
///     for host in hosts {
///         try await SSHClient.withConnection(to: host, configuration: configuration, sharing: hops) { try await
///         $0.run("uptime") }
///     }
/// }
/// ```
/// Connections share a jump host if its host, user, credentials and trust are the same, except for passwords, deadlines and the
/// interaction. It is opened with the configuration of the first connection that needs it. If it cannot be reached, the waiting
/// connections fail too, without offering it any credentials. After a loss, it is opened again for the next connection; the
/// connections that it carried are lost.
///
/// libssh2 opens one channel at a time. A target that the jump host cannot reach delays others until its deadline passes;
/// after that, they continue through a new connection to the jump host.
public actor SSHHopPool {
    /// The limits of shared jump hosts.
    public struct Limits: Sendable, Hashable {
        /// Connections to one jump host; at least 1. Default 1. More connections spread the work over several cores of the jump
        /// host, and over several event loops here.
        public var connectionsPerHop: Int
        /// How long an unused jump host stays connected; 0 or more. Default 60 seconds.
        public var idleTimeout: Duration

        /// The defaults, except for the given values.
        public init(connectionsPerHop: Int = 1, idleTimeout: Duration = .seconds(60)) {
            self.connectionsPerHop = connectionsPerHop
            self.idleTimeout = idleTimeout
        }
    }

    /// A connection to a jump host.
    private struct Shared {
        let hop: AuthenticatedHop
        let key: ConnectionIdentity
        var users = 0
        /// It is not lent any more, and closes with its last user.
        var isRetired = false
        var timer: Scheduled<Void>?
    }

    private enum Outcome {
        /// Look again: a jump host is available, or its opening was cancelled.
        case again
        case failed(any Error)
        case late
    }

    private struct Waiter {
        let key: ConnectionIdentity
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private let limits: Limits
    private var hops: [Int: Shared] = [:]
    private var opening: [ConnectionIdentity: Int] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var nextNumber = 1
    private var isClosed = false

    /// Shared jump hosts. Close them at the end.
    ///
    /// - Throws: ``SSHError/localUsage`` for a limit out of range.
    public init(limits: Limits = Limits()) throws {
        if limits.connectionsPerHop < 1 || limits.idleTimeout < .zero {
            let problem = "connectionsPerHop must be at least 1, and idleTimeout 0 or more"
            throw SSHFailureClassifier.classify(SSHEvidence(local: .usage(field: "limits", problem: problem), stage: .local))
        }
        self.limits = limits
    }

    /// Lends shared jump hosts to `body`, and closes them, even after an error.
    ///
    /// - Throws: as ``init(limits:)``; errors of `body`.
    public static func withHops<Result>(
        limits: Limits = Limits(), isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHHopPool) async throws -> Result
    ) async throws -> Result {
        let pool = try SSHHopPool(limits: limits)
        do {
            let result = try await body(pool)
            await pool.close()
            return result
        } catch {
            await pool.close()
            throw error
        }
    }

    /// Open connections to jump hosts.
    public var connectionCount: Int { hops.count }

    /// Closes unused jump hosts at once, and the others with their last connection. No new connection can use these jump hosts.
    public func close() async {
        isClosed = true
        for (id, waiter) in waiters {
            waiters[id] = nil
            waiter.continuation.resume(returning: .again)
        }
        for (id, shared) in hops where shared.users == 0 { await retire(id) }
    }

    /// A jump host for one connection: an existing one, or the one that `dial` connects to.
    ///
    /// - Parameters:
    ///   - chain: the connection's hops, up to this one.
    ///   - deadline: the connection's deadline.
    /// - Throws: the error of `dial`, called for this connection or for an earlier one; a passed deadline.
    func hop(
        along chain: ArraySlice<Hop>, _ timeline: Timeline, _ deadline: PausableDeadline,
        dial: @Sendable () async throws -> AuthenticatedHop
    ) async throws -> AuthenticatedHop {
        let key = ConnectionIdentity(along: chain)
        while true {
            guard !isClosed else { throw await failure(.closed(problem: "its jump hosts were closed"), .local, chain, timeline) }
            if Task.isCancelled { throw await failure(.cancelled(signal: nil), .local, chain, timeline) }
            await retireUnusable(key)
            let candidates = hops.filter { $0.value.key == key && !$0.value.isRetired }
            let count = candidates.count + opening[key, default: 0]
            let best = candidates.min { ($0.value.users, $0.key) < ($1.value.users, $1.key) }
            if let (id, shared) = best, shared.users == 0 || count >= limits.connectionsPerHop {
                if let hop = lend(id, along: chain, timeline) { return hop }
            } else if count < limits.connectionsPerHop {
                let id = try await open(key, dial)
                if let hop = lend(id, along: chain, timeline) { return hop }
            } else {
                try await wait(for: key, chain, timeline, deadline)
            }
        }
    }

    // MARK: Opening

    /// - Throws: the error of another connection's attempt; a passed deadline.
    private func wait(
        for key: ConnectionIdentity, _ chain: ArraySlice<Hop>, _ timeline: Timeline, _ deadline: PausableDeadline
    ) async throws {
        timeline.begin(.connect, "waiting for the connection to \(chain.last?.endpoint.host ?? "")")
        switch await outcome(of: key, deadline) {
        case .again: return
        case .failed(let error): throw error
        case .late:
            let limit = SSHDeadline(kind: .connect, seconds: deadline.seconds)
            throw await failure(.deadlinePassed(limit), .connect, chain, timeline)
        }
    }

    private func failure(
        _ event: SSHEvidence.Event, _ stage: SSHStage, _ chain: ArraySlice<Hop>, _ timeline: Timeline
    ) async -> any Error {
        guard let hop = chain.last else { return CancellationError() }
        return await EvidenceRecorder(hop: hop, timeline: timeline).error(Fault(event, stage: stage))
    }

    private func open(_ key: ConnectionIdentity, _ dial: @Sendable () async throws -> AuthenticatedHop) async throws -> Int {
        opening[key, default: 0] += 1
        do {
            let hop = try await dial()
            opening[key, default: 1] -= 1
            nextNumber += 1
            let id = nextNumber
            hops[id] = Shared(hop: hop, key: key)
            release(key, .again)
            return id
        } catch {
            opening[key, default: 1] -= 1
            // An error that concerns only the first caller does not answer the others.
            let isPersonal = error is CancellationError || (error as? SSHError)?.code == .localCancelled
            release(key, isPersonal ? .again : .failed(error))
            throw error
        }
    }

    private func release(_ key: ConnectionIdentity, _ outcome: Outcome) {
        for (id, waiter) in waiters where waiter.key == key {
            waiters[id] = nil
            waiter.continuation.resume(returning: outcome)
        }
    }

    /// The outcome of another caller's attempt.
    private func outcome(of key: ConnectionIdentity, _ deadline: PausableDeadline) async -> Outcome {
        nextNumber += 1
        let id = nextNumber
        deadline.start { Task { await self.end(id, .late) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters[id] = Waiter(key: key, continuation: continuation)
                if Task.isCancelled { end(id, .again) }
            }
        } onCancel: {
            Task { await self.end(id, .again) }
        }
    }

    private func end(_ id: Int, _ outcome: Outcome) {
        waiters.removeValue(forKey: id)?.continuation.resume(returning: outcome)
    }

    // MARK: Lending

    private func lend(_ id: Int, along chain: ArraySlice<Hop>, _ timeline: Timeline) -> AuthenticatedHop? {
        hops[id]?.users += 1
        hops[id]?.timer?.cancel()
        hops[id]?.timer = nil
        return hops[id]?.hop.lent(along: chain, timeline) { await self.giveBack(id) }
    }

    private func giveBack(_ id: Int) async {
        hops[id]?.users -= 1
        guard let shared = hops[id], shared.users == 0 else { return }
        let idleTimeout = limits.idleTimeout
        if isClosed || shared.isRetired || idleTimeout == .zero { return await retire(id) }
        hops[id]?.timer = shared.hop.session.eventLoop.scheduleTask(in: TimeAmount(idleTimeout)) {
            Task { await self.expire(id) }
        }
    }

    private func expire(_ id: Int) async {
        if hops[id]?.users == 0 { await retire(id) }
    }

    /// Retires connections that can carry no more connections. Those in use close with their last user.
    private func retireUnusable(_ key: ConnectionIdentity) async {
        for (id, shared) in hops where shared.key == key {
            let session = shared.hop.session
            let isUseless = await session.fault != nil
            let isBlocked = await session.isBlocked
            if isUseless || isBlocked { await retire(id) }
        }
    }

    private func retire(_ id: Int) async {
        hops[id]?.isRetired = true
        guard let shared = hops[id], shared.users == 0 else { return }
        hops[id] = nil
        shared.timer?.cancel()
        await shared.hop.close()
    }
}

extension ConnectionIdentity {
    /// The identity of a connection to a jump host. Connections share it if the identities are equal.
    ///
    /// - Parameter chain: the hops up to the jump host.
    init(along chain: ArraySlice<Hop>) {
        let before = chain.dropLast()
        let circumstances = before.isEmpty ? [] : [ConnectionIdentity(along: before).name]
        let hop = chain.last
        self.init(
            hop?.endpoint ?? .blank, hop?.configuration ?? SSHConnectionConfiguration(), circumstances: circumstances)
    }
}
