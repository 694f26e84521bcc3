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
