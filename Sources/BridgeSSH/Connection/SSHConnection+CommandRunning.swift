extension SSHConnection: SSHCommandRunning {
    /// Runs a command and collects what it writes; as ``run(_:options:standardInput:check:)``.
    public func run(_ request: SSHCommand) async throws -> SSHCommandResult {
        try await run(request.command, options: request.options, standardInput: request.standardInput, check: request.check)
    }
}
