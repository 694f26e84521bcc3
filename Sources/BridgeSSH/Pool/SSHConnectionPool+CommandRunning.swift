extension SSHConnectionPool {
    /// Commands on the pool's connections to one endpoint: each takes a connection, which others may use at the same time, and
    /// returns it.
    public nonisolated func commands(on endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration)
        -> some SSHCommandRunning
    {
        PooledCommands(pool: self, endpoint: endpoint, configuration: configuration)
    }
}

private struct PooledCommands: SSHCommandRunning {
    let pool: SSHConnectionPool
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration

    func run(_ request: SSHCommand) async throws -> SSHCommandResult {
        try await pool.withConnection(to: endpoint, configuration: configuration) { try await $0.run(request) }
    }
}
