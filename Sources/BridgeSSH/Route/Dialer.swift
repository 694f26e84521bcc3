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
    func makeDeadline() -> PausableDeadline {
        let seconds = configuration.timeouts.connect.boundedSeconds
        guard let executor = configuration.executor else { return PausableDeadline(seconds: seconds) }
        return PausableDeadline(seconds: seconds, on: executor.loop)
    }

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
