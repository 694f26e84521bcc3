extension SSHConnection {
    /// Runs a command that `body` writes to while it reads.
    ///
    /// ```swift
    /// try await connection.execute("bc -q") { execution, input in
    ///     try await input.write("6 * 7\n")
    ///     return try await execution.standardOutput.lines.first { _ in true }
    /// }
    /// ```
    /// When `body` returns, the input is finished, and `whenBodyReturns` decides what becomes of the command; otherwise as
    /// ``execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
    ///
    /// - Throws: as that.
    @discardableResult
    public func execute<Value>(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardError: SSHStandardErrorHandling = .tailOnly,
        whenBodyReturns: SSHExecution.WhenBodyReturns = .automatic, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHExecution, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await converse(
            .command(command), by: "execute", options: options, standardError: standardError, whenBodyReturns: whenBodyReturns,
            isolation: isolation, body)
    }

    /// Starts a subsystem of the server (RFC 4254 section 6.5), such as `netconf`, which `body` writes to while it reads.
    ///
    /// - Throws: ``SSHError``: `ssh.channel.subsystem-missing` where the server has none of this name; otherwise as
    ///   ``execute(_:options:standardError:whenBodyReturns:isolation:_:)``.
    @discardableResult
    public func withSubsystem<Value>(
        _ name: String, options: SSHCommandOptions = SSHCommandOptions(), standardError: SSHStandardErrorHandling = .tailOnly,
        whenBodyReturns: SSHExecution.WhenBodyReturns = .automatic, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHExecution, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await converse(
            .subsystem(name), by: "withSubsystem", options: options, standardError: standardError,
            whenBodyReturns: whenBodyReturns,
            isolation: isolation, body)
    }

    private func converse<Value>(
        _ program: ChannelProgram, by function: String, options: SSHCommandOptions, standardError: SSHStandardErrorHandling,
        whenBodyReturns: SSHExecution.WhenBodyReturns, isolation: isolated (any Actor)?,
        _ body: (SSHExecution, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        if let problem = life.misuse(by: function) { throw await misused(problem) }
        return try await perform(
            program, options: options, standardInput: nil, standardError: standardError, describesSuccess: true,
            whenBodyReturns: whenBodyReturns, isolation: isolation
        ) { execution in
            _ = isolation  // What is captured is where it runs.
            let input = SSHInput(execution)
            let value = try await body(execution, input)
            // The reader of the output reports the session's end.
            try? await input.finish()
            return value
        }
    }
}
