/// Agents that many connections ask over one connection each: their requests go one after the other, and its keys are listed once.
///
/// An agent that has gone is connected to again for the next connection that needs it.
package actor SharedAgents {
    private var agents: [String: Task<AgentKeys, Never>] = [:]
    private var isClosed = false

    package init() {}

    /// The keys of the agent at `socket`, as ``AgentKeys/load(from:within:)`` gives them. Closing them does nothing.
    package func keys(from socket: String?, within limit: Double) async -> AgentKeys {
        guard let socket, !isClosed else { return AgentKeys() }
        if let known = agents[socket] {
            let keys = await known.value
            if keys.isOpen { return keys.shared }
            // Of those that wait, the first one connects again.
            if agents[socket] == known { agents[socket] = nil }
            return await self.keys(from: socket, within: limit)
        }
        let loading = Task { await AgentKeys.load(from: socket, within: limit) }
        agents[socket] = loading
        let keys = await loading.value
        if keys.problem != nil, agents[socket] == loading { agents[socket] = nil }
        return keys.shared
    }

    /// Closes the connections to the agents.
    package func close() async {
        isClosed = true
        let known = agents.values
        agents = [:]
        for agent in known { await agent.value.close() }
    }
}
