internal import NIOCore

/// Makes an authenticated session through any number of hops. First it reads the keys and known hosts of every hop. Then, for
/// each hop, it connects, checks the host key, and authenticates.
///
/// A class, because a configuration is large, and each waiting call would have a copy in its frame.
package final class Dialer: Sendable {
    package let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration
    let timeline: Timeline
    /// Jump hosts shared with other connections; nil for separate ones.
    let sharedHops: SSHHopPool?

    package init(
        endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, timeline: Timeline, sharedHops: SSHHopPool? = nil
    ) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.timeline = timeline
        self.sharedHops = sharedHops
    }

    /// - Returns: the destination, and the paused rest of the deadline. The time until a channel is requested does not count.
    /// - Throws: `SSHError`; errors of an `SSHInteraction`.
    func connect() async throws -> (AuthenticatedHop, PausableDeadline) {
        if let sharedHops, let destination = hops.last, hops.count > 1 {
            return try await connect(to: destination, through: hops.dropLast(), of: sharedHops)
        }
        return try await prepared { dialers, deadline in
            // The rest depends only on the network. On the event loop, no step needs to wake a thread.
            let reached = try await withTaskExecutorPreference(deadline.executor) {
                let reached = try await pass(dialers)
                deadline.pause()
                return reached
            }
            guard let reached else { throw noHopError }
            return (reached, deadline)
        }
    }

    /// Does the work before the network: reads the keys and known hosts of all hops.
    ///
    /// - Throws: `SSHError`.
    func check() async throws {
        try await prepared { _, deadline in deadline.cancel() }
    }

    /// One deadline for the whole chain, on the event loop of the future connection.
    func makeDeadline() -> PausableDeadline { configuration.makeDeadline() }

    private var hops: [Hop] { Hop.hops(to: endpoint, configuration) }

    /// Connects to all hops except the last, which `body` handles. Then closes them.
    ///
    /// - Throws: `SSHError`; errors of an `SSHInteraction` or of `body`.
    func withLastHop<Result: Sendable>(_ body: (HopDialer, AuthenticatedHop?) async throws -> Result) async throws -> Result {
        if let sharedHops, let destination = hops.last, hops.count > 1 {
            return try await withLastHop(destination, through: hops.dropLast(), of: sharedHops, body)
        }
        return try await prepared { dialers, deadline in
            guard let last = dialers.last else { throw noHopError }
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

    /// Reads the keys and known hosts of all hops, and lends the dialers.
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
            // Record the time of the failed stage too.
            timeline.end()
            throw error
        }
    }

    /// Connects to one hop after another.
    ///
    /// - Returns: the last hop; nil if there is none.
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

    private var noHopError: SSHError {
        SSHFailureClassifier.classify(SSHEvidence(event: .internalFailure(problem: "no hop"), stage: .local))
    }
}

/// Connects through jump hosts that other connections use too.
extension Dialer {
    /// How many connections to the jump host are tried, if the shared one cannot open the channel.
    private static let maximumAttempts = 3

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

    /// Connects to one hop through the shared connection to the previous hop.
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

    /// Lends a dialer for the destination, and the pool's connection to the previous hop.
    ///
    /// - Throws: `SSHError`; errors of an `SSHInteraction` or of `body`.
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

    /// Lends the pool's connection to the last of the jump hosts. Uses another one if the channel to the next hop cannot be
    /// opened.
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
                // Nothing was sent to the next hop: the connection was lost, or another hop that does not answer blocks it.
                let isTunnelled = timeline.facts(of: dialer.hop).isTunnelled
                let cannotOpen = await jumpHost?.cannotOpen ?? false
                await jumpHost?.close()
                guard cannotOpen, !isTunnelled, attempt < Self.maximumAttempts, !Task.isCancelled else { throw error }
                attempt += 1
                dialer.deadline.renew()
            }
        }
    }

    /// The last of the jump hosts: the pool's connection, or a new one.
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
    /// Whether the channel to the next hop cannot be opened for a reason that does not concern that hop.
    fileprivate var cannotOpen: Bool {
        get async {
            guard isShared else { return false }
            if await session.fault != nil { return true }
            return await session.isBlocked
        }
    }
}

extension SSHConnectionConfiguration {
    /// The deadline of a new connection, on its event loop.
    func makeDeadline() -> PausableDeadline {
        let seconds = timeouts.connect.boundedSeconds
        guard let loop = executor?.loop ?? eventLoopGroup?.next() else { return PausableDeadline(seconds: seconds) }
        return PausableDeadline(seconds: seconds, on: loop)
    }
}
