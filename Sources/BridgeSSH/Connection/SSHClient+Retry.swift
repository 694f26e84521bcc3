public import ErrorCore

extension SSHClient {
    /// Runs one command on a connection of its own, and repeats both as the policy says while they fail.
    ///
    /// Nothing is repeated if the command may have run, unless ``ErrorCore/RetryPolicy/isIdempotent`` says that it may run twice;
    /// a refused credential is never offered again. A delay that the server asked for is respected.
    /// ```swift
    /// let result = try await SSHClient.run("uptime", on: endpoint, configuration: configuration, retry: .default)
    /// ```
    /// To do more on one connection, put ``withConnection(to:configuration:sharing:isolation:_:)-(SSHEndpoint,_,_,_)`` into `withRetry`; but
    /// an error then speaks of the command that failed, and says nothing of those before it, which would run again.
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

    /// Runs one command on `user@host`; otherwise as ``run(_:on:configuration:options:standardInput:check:retry:clock:isolation:observer:)-(_,SSHEndpoint,_,_,_,_,_,_,_,_)``.
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
