internal import NIOCore

/// Makes an authenticated session, through as many hops as it takes: of every hop the keys and known hosts first, then, one
/// inside the other, its connection, its host key, its user.
///
/// A class, because a configuration is large, and each of the calls that wait for the network would keep a copy in its frame.
package final class Dialer: Sendable {
    package let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration
    let timeline: Timeline
    /// Jump hosts that are shared with other connections; nil for jump hosts of its own.
    let sharedHops: SSHHopPool?

    package init(
        endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, timeline: Timeline, sharedHops: SSHHopPool? = nil
    ) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.timeline = timeline
        self.sharedHops = sharedHops
    }

    /// - Returns: the destination, and what is left of the deadline, paused: until a channel is asked for, the time is the
    ///   caller's.
    /// - Throws: `SSHError`; what an `SSHInteraction` throws.
    func connect() async throws -> (AuthenticatedHop, PausableDeadline) {
        if let sharedHops, let destination = hops.last, hops.count > 1 {
            return try await connect(to: destination, through: hops.dropLast(), of: sharedHops)
        }
        return try await prepared { dialers, deadline in
            // What it takes from here on, it takes from the network: on the event loop no step of it wakes a thread.
            let reached = try await withTaskExecutorPreference(deadline.executor) {
                let reached = try await pass(dialers)
                deadline.pause()
                return reached
            }
            guard let reached else { throw nowhere }
            return (reached, deadline)
        }
    }

    /// Does what comes before the network: the keys and the known hosts of all hops.
    ///
    /// - Throws: `SSHError`.
    func check() async throws {
        try await prepared { _, deadline in deadline.cancel() }
    }

    /// One deadline for the whole chain, on the loop that the connection will live on.
    func makeDeadline() -> PausableDeadline { configuration.makeDeadline() }

    private var hops: [Hop] { Hop.hops(to: endpoint, configuration) }

    /// Passes all hops but the last, which is left to `body`, and closes what was passed.
    ///
    /// - Throws: `SSHError`; what an `SSHInteraction` or `body` throws.
    func withLastHop<Result: Sendable>(_ body: (HopDialer, AuthenticatedHop?) async throws -> Result) async throws -> Result {
        if let sharedHops, let destination = hops.last, hops.count > 1 {
            return try await withLastHop(destination, through: hops.dropLast(), of: sharedHops, body)
        }
        return try await prepared { dialers, deadline in
            guard let last = dialers.last else { throw nowhere }
            let reached = try await pass(Array(dialers.dropLast()))
            do {
                let result = try await body(last, reached)
                deadline.cancel()
                await reached?.close()
                timeline.end()
                return result
            } catch {
                await reached?.close()
                throw error
            }
        }
    }

    /// Looks at the keys and the known hosts of all hops, and lends what will dial them.
    private func prepared<Result>(_ body: ([HopDialer], PausableDeadline) async throws -> Result) async throws -> Result {
        let deadline = makeDeadline()
        var dialers: [HopDialer] = []
        do {
            for hop in hops {
                dialers.append(try await HopDialer.prepare(hop, within: configuration.timeouts, deadline, timeline))
            }
            let result = try await body(dialers, deadline)
            for dialer in dialers { await dialer.agent.close() }
            return result
        } catch {
            deadline.cancel()
            for dialer in dialers { await dialer.agent.close() }
            // The stage that failed took time too.
            timeline.end()
            throw error
        }
    }

    /// Connects through one hop after the other.
    ///
    /// - Returns: the last of them; nil for none.
    private func pass(_ dialers: [HopDialer]) async throws -> AuthenticatedHop? {
        var path = Path.network
        var reached: AuthenticatedHop?
        for dialer in dialers {
            let jumpHost: AuthenticatedHop
            do {
                jumpHost = try await dialer.connect(after: reached)
                if dialer.hop.isJumpHost { timeline.endJumpHost() }
            } catch {
                if dialer.hop.isJumpHost { timeline.endJumpHost() }
                await path.close()
                throw error
            }
            path = .hop(jumpHost)
            reached = jumpHost
        }
        return reached
    }

    private var nowhere: SSHError {
        SSHFailureClassifier.classify(SSHEvidence(event: .internalFailure(problem: "no hop"), stage: .local))
    }
}

/// Connecting through jump hosts that other connections use too.
extension Dialer {
    /// How often another connection to the jump host is tried where the shared one cannot open the way.
    private static let mostAttempts = 3

    func connect(
        to destination: Hop, through jumpHosts: ArraySlice<Hop>, of pool: SSHHopPool
    ) async throws -> (AuthenticatedHop, PausableDeadline) {
        let deadline = makeDeadline()
        do {
            let reached = try await dial(destination, through: jumpHosts, of: pool, deadline)
            deadline.pause()
            return (reached, deadline)
        } catch {
            deadline.cancel()
            timeline.end()
            throw error
        }
    }

    /// Dials one hop through the shared connection to the one before it.
    private func dial(
        _ hop: Hop, through jumpHosts: ArraySlice<Hop>, of pool: SSHHopPool, _ deadline: PausableDeadline
    ) async throws -> AuthenticatedHop {
        let dialer = try await HopDialer.prepare(hop, within: configuration.timeouts, deadline, timeline)
        do {
            let reached = try await dial(dialer, through: jumpHosts, of: pool)
            await dialer.agent.close()
            return reached
        } catch {
            await dialer.agent.close()
            throw error
        }
    }

    private func dial(
        _ dialer: HopDialer, through jumpHosts: ArraySlice<Hop>, of pool: SSHHopPool
    ) async throws -> AuthenticatedHop {
        try await passing(jumpHosts, of: pool, to: dialer) { try await dialer.connect(after: $0) }
    }

    /// Lends what dials the destination, and the pool's connection to the hop before it.
    ///
    /// - Throws: `SSHError`; what an `SSHInteraction` or `body` throws.
    func withLastHop<Result: Sendable>(
        _ destination: Hop, through jumpHosts: ArraySlice<Hop>, of pool: SSHHopPool,
        _ body: (HopDialer, AuthenticatedHop?) async throws -> Result
    ) async throws -> Result {
        let deadline = makeDeadline()
        defer {
            deadline.cancel()
            timeline.end()
        }
        let dialer = try await HopDialer.prepare(destination, within: configuration.timeouts, deadline, timeline)
        do {
            let result = try await passing(jumpHosts, of: pool, to: dialer) { jumpHost in
                let result = try await body(dialer, jumpHost)
                await jumpHost?.close()
                return result
            }
            await dialer.agent.close()
            return result
        } catch {
            await dialer.agent.close()
            throw error
        }
    }

    /// Lends the pool's connection to the last of some jump hosts; another one, where the way to the next hop cannot be opened.
    private func passing<Result>(
        _ jumpHosts: ArraySlice<Hop>, of pool: SSHHopPool, to dialer: HopDialer,
        _ body: (AuthenticatedHop?) async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            let jumpHost = try await shared(jumpHosts, of: pool, dialer.deadline)
            do {
                return try await body(jumpHost)
            } catch {
                // Nothing was sent to the next hop: its way was lost, or is blocked by another hop that does not answer.
                let isTunnelled = timeline.facts(of: dialer.hop).isTunnelled
                let cannotOpen = await jumpHost?.cannotOpen ?? false
                await jumpHost?.close()
                guard cannotOpen, !isTunnelled, attempt < Self.mostAttempts, !Task.isCancelled else { throw error }
                attempt += 1
                dialer.deadline.renew()
            }
        }
    }

    /// The last of some jump hosts: the pool's connection, or a new one.
    private func shared(
        _ hops: ArraySlice<Hop>, of pool: SSHHopPool, _ deadline: PausableDeadline
    ) async throws -> AuthenticatedHop? {
        guard let hop = hops.last else { return nil }
        defer { timeline.endJumpHost() }
        return try await pool.hop(along: hops, timeline, deadline) {
            try await dial(hop, through: hops.dropLast(), of: pool, deadline)
        }
    }
}

extension AuthenticatedHop {
    /// Whether the way to the next hop cannot be opened for a reason that has nothing to do with the next hop.
    fileprivate var cannotOpen: Bool {
        get async {
            guard isShared else { return false }
            if await session.fault != nil { return true }
            return await session.isBlocked
        }
    }
}

extension SSHConnectionConfiguration {
    /// The deadline of a new connection, on the loop that it will live on.
    func makeDeadline() -> PausableDeadline {
        let seconds = timeouts.connect.boundedSeconds
        guard let loop = executor?.loop ?? eventLoopGroup?.next() else { return PausableDeadline(seconds: seconds) }
        return PausableDeadline(seconds: seconds, on: loop)
    }
}
