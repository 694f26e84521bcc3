extension ConnectionPool {
    /// Commands on the pool's connections to one endpoint: each takes a connection, which others may use at the same time, and
    /// returns it.
    public nonisolated func commands(on endpoint: Endpoint, configuration: Configuration) -> some CommandRunning {
        PooledCommands(pool: self, endpoint: endpoint, configuration: configuration)
    }
}

private struct PooledCommands: CommandRunning {
    let pool: ConnectionPool
    let endpoint: Endpoint
    let configuration: Configuration

    func run(_ request: SSHCommand) async throws -> CommandResult {
        try await pool.withConnection(to: endpoint, configuration: configuration) { try await $0.run(request) }
    }
}
