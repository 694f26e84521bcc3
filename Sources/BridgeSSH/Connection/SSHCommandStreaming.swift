/// Runs commands whose output is read as it comes: an ``SSHConnection``, the connections of a pool
/// (``SSHConnectionPool/commands(on:configuration:)``), or in a test the `ScriptedCommands` of `BridgeSSHTesting`.
///
/// Code that takes `some SSHCommandStreaming` can be tested without a server.
public protocol SSHCommandStreaming: SSHCommandRunning {
    /// Runs a command whose streams are read as they arrive. They are valid only inside `body`. ``SSHCommand/check`` has no effect.
    ///
    /// - Throws: as ``SSHConnection/execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
    func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value>

    /// Runs a command that `body` writes to while it reads. ``SSHCommand/standardInput`` has no effect.
    ///
    /// - Throws: as ``SSHConnection/execute(_:options:standardError:whenBodyReturns:isolation:_:)``.
    func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value>
}

extension SSHCommandStreaming {
    /// Runs a command whose streams are read as they arrive; otherwise as
    /// ``SSHConnection/execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
    @discardableResult
    public func execute<Value>(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none,
        standardError: SSHStandardErrorHandling = .tailOnly, whenBodyReturns: SSHExecution.WhenBodyReturns = .automatic,
        isolation: isolated (any Actor)? = #isolation, _ body: (any SSHRunningCommand) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await execute(
            SSHCommand(command, options: options, standardInput: standardInput), standardError: standardError,
            whenBodyReturns: whenBodyReturns, isolation: isolation, body)
    }

    /// Runs a command that `body` writes to while it reads; otherwise as
    /// ``SSHConnection/execute(_:options:standardError:whenBodyReturns:isolation:_:)``.
    @discardableResult
    public func execute<Value>(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardError: SSHStandardErrorHandling = .tailOnly,
        whenBodyReturns: SSHExecution.WhenBodyReturns = .automatic, isolation: isolated (any Actor)? = #isolation,
        _ body: (any SSHRunningCommand, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await execute(
            SSHCommand(command, options: options), standardError: standardError, whenBodyReturns: whenBodyReturns,
            isolation: isolation, body)
    }
}

/// A running command, as ``SSHCommandStreaming`` lends it. Valid only inside the closure that receives it.
public protocol SSHRunningCommand: AnyObject, Sendable {
    /// Its standard output; with a pseudo-terminal, all of its output.
    var standardOutput: SSHOutput { get }
    /// Its standard error. With ``SSHStandardErrorHandling/tailOnly`` reading it throws.
    var standardError: SSHOutput { get }
    /// The time since the command was started.
    var elapsed: Duration { get }
    /// As ``SSHExecution/resize(columns:rows:)``.
    func resize(columns: Int, rows: Int) async
    /// As ``SSHExecution/signal(_:)``.
    func signal(_ name: String) async throws
    /// As ``SSHExecution/cancel(signal:)``.
    func cancel(signal: String?) async
    /// As ``SSHExecution/exit()``.
    func exit() async -> SSHTermination?
}

extension SSHExecution: SSHRunningCommand {}

extension SSHConnection: SSHCommandStreaming {
    /// Runs a command whose streams are read as they arrive; as
    /// ``execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
    public func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await execute(
            .command(request.command), options: request.options, standardInput: request.standardInput,
            standardError: standardError, whenBodyReturns: whenBodyReturns, isolation: isolation
        ) { execution in
            _ = isolation  // What is captured is where it runs.
            return try await body(execution)
        }
    }

    /// Runs a command that `body` writes to while it reads; as ``execute(_:options:standardError:whenBodyReturns:isolation:_:)``.
    public func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await converse(
            .command(request.command), by: "execute", options: request.options, standardError: standardError,
            whenBodyReturns: whenBodyReturns, isolation: isolation
        ) { execution, input in
            _ = isolation  // What is captured is where it runs.
            return try await body(execution, input)
        }
    }
}

/// Has a server connect to other places: an ``SSHConnection``, the connections of a pool
/// (``SSHConnectionPool/commands(on:configuration:)``), or in a test the `ScriptedCommands` of `BridgeSSHTesting`.
public protocol SSHStreamOpening: Sendable {
    /// Has the server connect to a host, and lends the connection to `body`.
    ///
    /// - Throws: as ``SSHConnection/open(to:port:isolation:_:)``.
    func open<Value>(
        to host: String, port: Int, isolation: isolated (any Actor)?, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value
}

extension SSHStreamOpening {
    /// Has the server connect to a host, and lends the connection to `body`.
    ///
    /// - Throws: as ``SSHConnection/open(to:port:isolation:_:)``.
    public nonisolated(nonsending) func open<Value>(
        to host: String, port: Int, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value {
        try await open(to: host, port: port, isolation: #isolation, body)
    }
}

extension SSHConnection: SSHStreamOpening {}
