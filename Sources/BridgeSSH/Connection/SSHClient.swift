public import ErrorCore

/// Opens connections.
public enum SSHClient {
    /// Connects, lends the connection to `body`, and closes it, whatever happens.
    ///
    /// Jump hosts are passed one after the other. The name is resolved, all addresses are tried, the host key is checked before
    /// any credential is sent, and the credentials are offered in the order that ``SSHCredentials`` gives. Cancelling the task
    /// ends the attempt or the connection.
    ///
    /// - Parameters:
    ///   - destination: `user@host`, `user@host:port`, `user@[v6]:port`, `ssh://user@host:port`; the port is 22 unless it is
    ///     given.
    ///   - configuration: which host keys to trust and how to authenticate.
    ///   - hops: the jump hosts to share with other connections; nil for jump hosts of its own.
    /// - Throws: ``SSHError`` for every failure of the connection; what `body` throws; what an ``SSHInteraction`` throws.
    public static func withConnection<Result>(
        to destination: String, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        sharing hops: SSHHopPool? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: (SSHConnection) async throws -> Result
    ) async throws -> Result {
        let endpoint = try SSHEndpoint(parsing: destination)
        return try await withConnection(
            to: endpoint, configuration: configuration, sharing: hops, isolation: isolation, body)
    }

    /// Connects to an endpoint; otherwise as ``withConnection(to:configuration:sharing:isolation:_:)-(String,_,_,_)``.
    public static func withConnection<Result>(
        to endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        sharing hops: SSHHopPool? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: (SSHConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await connect(to: endpoint, configuration: configuration, sharing: hops)
        do {
            let result = try await body(connection)
            await connection.end(.returned)
            return result
        } catch {
            await connection.end(.returned)
            throw error
        }
    }

    /// Connects. The caller closes the connection.
    ///
    /// - Parameter destination: as for ``withConnection(to:configuration:sharing:isolation:_:)-(String,_,_,_,_)``.
    /// - Throws: as that.
    public static func connect(
        to destination: String, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        sharing hops: SSHHopPool? = nil
    ) async throws -> SSHConnection {
        try await connect(to: SSHEndpoint(parsing: destination), configuration: configuration, sharing: hops)
    }

    /// Connects. The caller closes the connection.
    ///
    /// - Throws: as ``withConnection(to:configuration:sharing:isolation:_:)-(String,_,_,_,_)``.
    public static func connect(
        to endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        sharing hops: SSHHopPool? = nil
    ) async throws -> SSHConnection {
        try await connect(
            to: endpoint, configuration: configuration, sharing: hops,
            timeline: Timeline(observer: configuration.observer, logger: configuration.logger))
    }

    /// Connects; the times are in `timeline` also if it fails.
    package static func connect(
        to endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, sharing hops: SSHHopPool? = nil, timeline: Timeline
    ) async throws -> SSHConnection {
        try await connect(Dialer(endpoint: endpoint, configuration: configuration, timeline: timeline, sharedHops: hops))
    }

    /// Connects; the times are in the dialer's timeline also if it fails.
    package static func connect(_ dialer: Dialer) async throws -> SSHConnection {
        try dialer.configuration.check()
        let metrics = SSHMetrics(dialer.configuration.metrics)
        let start = ContinuousClock.now
        do {
            let (reached, deadline) = try await SSHSpans.connect(to: dialer.endpoint, dialer.timeline) {
                try await dialer.connect()
            }
            let connection = connection(reached, deadline, dialer, metrics)
            metrics.connected(nil, seconds: start.duration(to: .now).seconds)
            if dialer.configuration.logger != nil { await connection.logLoss() }
            return connection
        } catch {
            metrics.connected(error, seconds: start.duration(to: .now).seconds)
            if let failure = error as? SSHError { dialer.timeline.log(failure) }
            throw error
        }
    }

    // Not inlined: a copy of the configuration would stay in the frame of the caller, which waits.
    @inline(never)
    private static func connection(
        _ reached: AuthenticatedHop, _ deadline: PausableDeadline, _ dialer: Dialer, _ metrics: SSHMetrics
    ) -> SSHConnection {
        SSHConnection(
            session: reached.session, recorder: reached.recorder, configuration: dialer.configuration, deadline: deadline,
            metrics: metrics)
    }

    /// Asks the ProxyCommands of all connections to end, for a process that exits at once.
    package static func hangUpProxyCommands() { ChildProcess.hangUpAll() }
}

extension SSHClient {
    /// Reads what a connection needs on this machine, for all hops: the key files, the agent's keys, and the known hosts. Uses
    /// no network.
    ///
    /// - Throws: ``SSHError``, as a connection would before it reaches out.
    package static func check(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) async throws {
        let timeline = Timeline(observer: nil, secrets: KnownSecrets())
        try await Dialer(endpoint: endpoint, configuration: configuration, timeline: timeline).check()
    }
}

extension SSHClient {
    /// Runs one command on a connection of its own, and repeats both as the policy says while they fail.
    ///
    /// Nothing is repeated if the command may have run, unless ``ErrorCore/RetryPolicy/isIdempotent`` says that it may run
    /// twice; a refused credential is never offered again. A delay that the server asked for is respected.
    /// ```swift
    /// let result = try await SSHClient.run("uptime", on: endpoint, configuration: configuration, retry: .default)
    /// ```
    /// To do more on one connection, put ``withConnection(to:configuration:sharing:isolation:_:)-(SSHEndpoint,_,_,_)`` into
    /// `withRetry`; but an error then speaks of the command that failed, and says nothing of those before it, which would run
    /// again.
    ///
    /// - Parameters:
    ///   - command: given to the user's login shell as it is (RFC 4254 section 6.5).
    ///   - standardInput: what each attempt reads, from its beginning. One that can be read once fails the second attempt.
    ///   - check: whether anything but exit status 0 throws. An exit status never causes a retry.
    ///   - retry: how many attempts, the delays between them, and which failures are retried.
    ///   - clock: measures the delays.
    ///   - observer: receives each attempt.
    /// - Throws: the last attempt's ``SSHError``, what an ``SSHInteraction`` throws, `CancellationError`.
    @discardableResult
    public static func run(
        _ command: String, on endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none, check: Bool = false,
        retry: RetryPolicy, clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
        observer: (RetryEvent) -> Void = { _ in }
    ) async throws -> SSHCommandResult {
        try await withRetry(retry, clock: clock, isolation: isolation, observer: observer) { _ in
            _ = isolation  // What is captured is where it runs.
            return try await withConnection(to: endpoint, configuration: configuration) { connection in
                try await connection.run(command, options: options, standardInput: standardInput, check: check)
            }
        }
    }

    /// Runs one command on `user@host`; otherwise as
    /// ``run(_:on:configuration:options:standardInput:check:retry:clock:isolation:observer:)-(_,SSHEndpoint,_,_,_,_,_,_,_,_)``.
    @discardableResult
    public static func run(
        _ command: String, on destination: String, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none, check: Bool = false,
        retry: RetryPolicy, clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
        observer: (RetryEvent) -> Void = { _ in }
    ) async throws -> SSHCommandResult {
        try await run(
            command, on: SSHEndpoint(parsing: destination), configuration: configuration, options: options,
            standardInput: standardInput, check: check, retry: retry, clock: clock, isolation: isolation, observer: observer)
    }
}
