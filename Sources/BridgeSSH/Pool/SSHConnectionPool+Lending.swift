/// Lends connections, and additional ones for channels that do not fit on the first.
extension SSHConnectionPool {
    /// A connection that is lent to one caller.
    struct Lease: Sendable {
        let id: Int
        let connection: SSHConnection
        /// Whether the caller also holds another connection.
        let isBorrowed: Bool
    }

    /// Lends a connection to `body` as soon as one is available. Other callers may run commands on it at the same time. It is
    /// valid only inside `body`.
    ///
    /// `body` uses that connection as long as its server allows more channels, and other connections of the pool after that. A
    /// caller with several channels at once needs free channels for all of them within ``Limits/connectionsPerKey`` times
    /// ``Limits/sessionsPerConnection``, because it keeps its channels while it waits for more.
    ///
    /// - Throws: `SSHError`, or an error of an ``SSHInteraction``, if connecting fails; `ssh.local.closed` if the pool is closed;
    ///   `ssh.local.pool-timed-out` after ``Limits/waitTimeout``; `ssh.local.cancelled` if the task is cancelled while it waits.
    ///   Errors of `body`.
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
            // The connection ended a moment ago; its monitor will report that too.
            await giveBack(lease)
        }
    }

    func giveBack(_ lease: Lease) async {
        await lease.connection.end(.returned)
        returned(lease, isAlive: await lease.connection.isAlive)
    }
}

/// Lends another connection to a caller whose connection has no free channel.
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
    /// Runs commands, streams and file transfers on the pool's connections to one endpoint. Each takes a connection, shares it
    /// with others, and returns it.
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
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await connection.execute(
                request, standardError: standardError, whenBodyReturns: whenBodyReturns, isolation: isolation, body)
        }
    }

    func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await pool.withConnection(to: endpoint, configuration: configuration, isolation: isolation) { connection in
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await connection.execute(
                request, standardError: standardError, whenBodyReturns: whenBodyReturns, isolation: isolation, body)
        }
    }

    func open<Value>(
        to host: String, port: Int, isolation: isolated (any Actor)?, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value {
        try await pool.withConnection(to: endpoint, configuration: configuration, isolation: isolation) { connection in
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await connection.open(to: host, port: port, isolation: isolation, body)
        }
    }

    func withSFTP<Value>(
        isolation: isolated (any Actor)?, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        try await pool.withConnection(to: endpoint, configuration: configuration, isolation: isolation) { connection in
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await connection.withSFTP(isolation: isolation, body)
        }
    }
}
