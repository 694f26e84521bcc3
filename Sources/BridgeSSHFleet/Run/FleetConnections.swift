package import BridgeSSH

/// What the hosts of a run share: connections to jump hosts and to agents, and host keys that were presented.
package struct FleetConnections: Sendable {
    package let hops: SSHHopPool
    package let agents: SharedAgents
    package let seenKeys = SeenHostKeys()

    /// Lets a connection use them, with all its hops.
    func share(with configuration: inout SSHConnectionConfiguration) {
        (configuration.agents, configuration.seenKeys) = (agents, seenKeys)
        for index in configuration.jumpHosts.indices { share(with: &configuration.jumpHosts[index].configuration) }
    }

    /// Lends the connections to `body`, and closes them when it ends, in whatever way.
    ///
    /// - Parameter limit: the number of connections to each jump host, from 1.
    /// - Throws: what `body` throws.
    package static func with<Result>(
        perJumpHost limit: Int, isolation: isolated (any Actor)? = #isolation,
        _ body: (FleetConnections) async throws -> Result
    ) async throws -> Result {
        var poolLimits = SSHHopPool.Limits()
        poolLimits.connectionsPerHop = max(1, limit)
        let agents = SharedAgents()
        do {
            let result = try await SSHHopPool.withHops(limits: poolLimits) { hops in
                try await body(FleetConnections(hops: hops, agents: agents))
            }
            await agents.close()
            return result
        } catch {
            await agents.close()
            throw error
        }
    }
}
