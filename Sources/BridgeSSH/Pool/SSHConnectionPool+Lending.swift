/// Lends connections, and further ones for channels that those leave no room for.
extension SSHConnectionPool {
    /// A connection that is lent to one caller.
    struct Lease: Sendable {
        let id: Int
        let connection: SSHConnection
        /// Whether the caller has another one too.
        let isBorrowed: Bool
    }

    /// Lends a connection to `body`, as soon as there is one; others may run commands on it at the same time. It is valid only
    /// inside `body`.
    ///
    /// What `body` runs goes over that connection as long as its server allows it a further channel, and over another one of
    /// the pool where it does not. A caller that has several channels at once needs room for all of them in
    /// ``Limits/connectionsPerKey`` times ``Limits/sessionsPerConnection``, for it waits with those that it has.
    ///
    /// - Throws: `SSHError` and what an ``SSHInteraction`` throws, if the connection does not come about; `ssh.local.closed`
    ///   from a pool that is closed; `ssh.local.pool-timed-out` after ``Limits/waitTimeout``; `ssh.local.cancelled` for a task
    ///   that is cancelled while it waits; what `body` throws.
    public func withConnection<Result>(
        to endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHConnection) async throws -> Result
    ) async throws -> Result {
        let timeline = Timeline(observer: configuration.observer, logger: configuration.logger)
        let lease: Lease
        do {
            lease = try await self.lease(endpoint, configuration, timeline, isBorrower: false)
        } catch is CancellationError {
            throw SSHFailureClassifier.classify(SSHEvidence(local: .cancelled(signal: nil), endpoint: endpoint))
        }
        do {
            let result = try await body(lease.connection)
            await giveBack(lease)
            return result
        } catch {
            await giveBack(lease)
            throw error
        }
    }

    func lease(
        _ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, _ timeline: Timeline, isBorrower: Bool
    ) async throws -> Lease {
        while true {
            let (id, connection) = try await wait(endpoint, configuration, isBorrower: isBorrower)
            let lender = PoolLender(pool: self, endpoint: endpoint, configuration: configuration)
            let lease = Lease(
                id: id, connection: connection.lent(timeline, configuration, .elsewhere(lender)), isBorrowed: isBorrower)
            if await connection.isAlive { return lease }
            // It ended a moment ago; its monitor will report that too.
            await giveBack(lease)
        }
    }

    func giveBack(_ lease: Lease) async {
        await lease.connection.end(.returned)
        returned(lease, isAlive: await lease.connection.isAlive)
    }
}

/// Lends one more connection to a caller that has one without room.
private struct PoolLender: ConnectionLender {
    let pool: SSHConnectionPool
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration

    func borrow(for timeline: Timeline) async throws -> BorrowedConnection {
        let lease = try await pool.lease(endpoint, configuration, timeline, isBorrower: true)
        return BorrowedConnection(connection: lease.connection) { await pool.giveBack(lease) }
    }
}

extension SSHConnectionPool {
    /// Commands, streams and files on the pool's connections to one endpoint: each takes a connection, which others may use at the
    /// same time, and returns it.
    public nonisolated func commands(on endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration)
        -> some SSHCommandStreaming & SSHStreamOpening & SFTPProviding
    {
        PooledCommands(pool: self, endpoint: endpoint, configuration: configuration)
    }
}

private struct PooledCommands: SSHCommandStreaming, SSHStreamOpening, SFTPProviding {
    let pool: SSHConnectionPool
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration

    func run(_ request: SSHCommand) async throws -> SSHCommandResult {
        try await pool.withConnection(to: endpoint, configuration: configuration) { try await $0.run(request) }
    }

    func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await pool.withConnection(to: endpoint, configuration: configuration, isolation: isolation) { connection in
            _ = isolation  // What is captured is where it runs.
            return try await connection.execute(
                request, standardError: standardError, whenBodyReturns: whenBodyReturns, isolation: isolation, body)
        }
    }

    func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await pool.withConnection(to: endpoint, configuration: configuration, isolation: isolation) { connection in
            _ = isolation  // What is captured is where it runs.
            return try await connection.execute(
                request, standardError: standardError, whenBodyReturns: whenBodyReturns, isolation: isolation, body)
        }
    }

    func open<Value>(
        to host: String, port: Int, isolation: isolated (any Actor)?, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value {
        try await pool.withConnection(to: endpoint, configuration: configuration, isolation: isolation) { connection in
            _ = isolation  // What is captured is where it runs.
            return try await connection.open(to: host, port: port, isolation: isolation, body)
        }
    }

    func withSFTP<Value>(
        isolation: isolated (any Actor)?, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        try await pool.withConnection(to: endpoint, configuration: configuration, isolation: isolation) { connection in
            _ = isolation  // What is captured is where it runs.
            return try await connection.withSFTP(isolation: isolation, body)
        }
    }
}
