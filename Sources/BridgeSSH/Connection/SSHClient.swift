public import ErrorCore

/// Opens connections.
public enum SSHClient {
    /// Connects, lends the connection to `body`, and closes it, even after an error.
    ///
    /// Jump hosts are passed in order. For each host, the name is resolved, all addresses are tried, the host key is checked
    /// before any credential is sent, and the credentials are offered in the order of ``SSHCredentials``. Cancelling the task
    /// ends the attempt or the connection.
    ///
    /// - Parameters:
    ///   - destination: `user@host`, `user@host:port`, `user@[v6]:port` or `ssh://user@host:port`. The default port is 22.
    ///   - configuration: which host keys to trust and how to authenticate.
    ///   - hops: jump hosts shared with other connections; nil for separate jump hosts.
    ///   - isolation: the actor on which `body` runs; the caller's.
    ///   - body: what to do with the connection.
    /// - Throws: ``SSHError`` for every failure of the connection; errors of `body` and of an ``SSHInteraction``.
    public static func withConnection<Result>(
        to destination: String, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        sharing hops: SSHHopPool? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: (SSHConnection) async throws -> Result
    ) async throws -> Result {
        let endpoint = try SSHEndpoint(parsing: destination)
        return try await withConnection(
            to: endpoint, configuration: configuration, sharing: hops, isolation: isolation, body)
    }

    /// Connects to an endpoint; otherwise like ``withConnection(to:configuration:sharing:isolation:_:)-(String,_,_,_,_)``.
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

    /// Connects. The caller must close the connection.
    ///
    /// Its parameters and errors are those of ``withConnection(to:configuration:sharing:isolation:_:)-(String,_,_,_,_)``.
    public static func connect(
        to destination: String, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        sharing hops: SSHHopPool? = nil
    ) async throws -> SSHConnection {
        try await connect(to: SSHEndpoint(parsing: destination), configuration: configuration, sharing: hops)
    }

    /// Connects. The caller must close the connection.
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

    /// Connects. `timeline` has the times, even if connecting fails.
    package static func connect(
        to endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, sharing hops: SSHHopPool? = nil, timeline: Timeline
    ) async throws -> SSHConnection {
        try await connect(Dialer(endpoint: endpoint, configuration: configuration, timeline: timeline, sharedHops: hops))
    }

    /// Connects. The dialer's timeline has the times, even if connecting fails.
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

    // Not inlined: a copy of the configuration would stay in the frame of the waiting caller.
    @inline(never)
    private static func connection(
        _ reached: AuthenticatedHop, _ deadline: PausableDeadline, _ dialer: Dialer, _ metrics: SSHMetrics
    ) -> SSHConnection {
        SSHConnection(
            session: reached.session, recorder: reached.recorder, configuration: dialer.configuration, deadline: deadline,
            metrics: metrics)
    }

    /// Asks the ProxyCommands of all connections to end, for a process that is about to exit.
    package static func hangUpProxyCommands() { ChildProcess.hangUpAll() }
}

extension SSHClient {
    /// Reads the local data that a connection needs, for all hops: the key files, the agent's keys, and the known hosts. It does
    /// not use the network.
    ///
    /// - Throws: ``SSHError``, as a connection would before it uses the network.
    package static func check(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) async throws {
        let timeline = Timeline(observer: nil, secrets: KnownSecrets())
        try await Dialer(endpoint: endpoint, configuration: configuration, timeline: timeline).check()
    }
}

extension SSHClient {
    /// Runs one command on a new connection, and repeats both as the policy says while they fail.
    ///
    /// A command that may have run is not repeated, unless `RetryPolicy.isIdempotent` is true. A refused credential
    /// is never offered again. A delay that the server requests is respected.
    /// ```swift
    /// let result = try await SSHClient.run("uptime", on: endpoint, configuration: configuration, retry: .default)
    /// ```
    /// To do more on one connection, call ``withConnection(to:configuration:sharing:isolation:_:)-(SSHEndpoint,_,_,_,_)`` inside
    /// `withRetry`. But then an error concerns only the failed command, and the commands before it run again too.
    ///
    /// - Parameters:
    ///   - command: the command line, passed unchanged to the user's login shell (RFC 4254 section 6.5).
    ///   - endpoint: where to connect, and as whom.
    ///   - configuration: which host keys to trust and how to authenticate.
    ///   - options: how the command is run.
    ///   - standardInput: the input of each attempt, read from the start. An input that can be read only once fails the second
    ///     attempt.
    ///   - check: whether anything but exit status 0 throws. An exit status never causes a retry.
    ///   - retry: the number of attempts, the delays between them, and the failures to retry.
    ///   - clock: measures the delays.
    ///   - isolation: the actor on which `observer` is called; the caller's.
    ///   - observer: receives each attempt.
    /// - Throws: the ``SSHError`` of the last attempt; errors of an ``SSHInteraction``; `CancellationError`.
    public static func run(
        _ command: String, on endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none, check: Bool = false,
        retry: RetryPolicy, clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
        observer: (RetryEvent) -> Void = { _ in }
    ) async throws -> SSHCommandResult {
        try await withRetry(retry, clock: clock, isolation: isolation, observer: observer) { _ in
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await withConnection(to: endpoint, configuration: configuration) { connection in
                try await connection.run(command, options: options, standardInput: standardInput, check: check)
            }
        }
    }

    /// Runs one command on `user@host`; otherwise like
    /// ``run(_:on:configuration:options:standardInput:check:retry:clock:isolation:observer:)-(_,SSHEndpoint,_,_,_,_,_,_,_,_)``.
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
