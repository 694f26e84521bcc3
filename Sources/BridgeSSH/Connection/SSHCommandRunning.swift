/// Runs commands on a server. Conforming types are ``SSHConnection``, the connections of a pool
/// (``SSHConnectionPool/commands(on:configuration:)``), and for tests `ScriptedCommands` in `BridgeSSHTesting`.
///
/// Code that takes `some SSHCommandRunning` can be tested without a server.
public protocol SSHCommandRunning: Sendable {
    /// Runs a command and collects its output.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/run(_:options:standardInput:check:)``.
    func run(_ request: SSHCommand) async throws -> SSHCommandResult
}

extension SSHCommandRunning {
    /// Runs a command and collects its output. Its result says how it ended; ``SSHCommandResult/checked()`` throws if it failed.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/run(_:options:standardInput:check:)`` without `check`.
    public func run(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none
    ) async throws -> SSHCommandResult {
        try await run(SSHCommand(command, options: options, standardInput: standardInput))
    }

    /// Runs a command and collects its output.
    ///
    /// - Parameters:
    ///   - command: the command line, passed unchanged to the user's login shell (RFC 4254 section 6.5).
    ///   - options: how to run it.
    ///   - standardInput: its input.
    ///   - check: whether anything but exit status 0 throws.
    /// - Throws: ``SSHError``, as ``SSHConnection/run(_:options:standardInput:check:)``.
    @discardableResult
    public func run(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none,
        check: Bool
    ) async throws -> SSHCommandResult {
        try await run(SSHCommand(command, options: options, standardInput: standardInput, check: check))
    }
}

extension SSHConnection: SSHCommandRunning {
    /// Runs a command and collects its output, like ``run(_:options:standardInput:check:)``.
    public func run(_ request: SSHCommand) async throws -> SSHCommandResult {
        try await run(request.command, options: request.options, standardInput: request.standardInput, check: request.check)
    }
}

/// A command for ``SSHCommandRunning/run(_:)``.
public struct SSHCommand: Sendable {
    /// The command line, passed unchanged to the user's login shell.
    public var command: String
    /// How to run it.
    public var options: SSHCommandOptions
    /// Its input.
    public var standardInput: SSHStandardInput
    /// Whether anything but exit status 0 throws.
    public var check: Bool

    /// A command to run.
    public init(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none,
        check: Bool = false
    ) {
        self.command = command
        self.options = options
        self.standardInput = standardInput
        self.check = check
    }
}

extension SSHCommand {
    /// Why no connection would send it; nil if it can be sent.
    package var refusal: SSHError? {
        options.fault(of: .command(command)).map { fault in
            var evidence = SSHEvidence(local: fault.event, stage: fault.stage ?? .local)
            evidence.command = SSHCommandEvidence(command: command)
            return SSHFailureClassifier.classify(evidence)
        }
    }
}

/// Runs commands whose output is read as it arrives. Conforming types are ``SSHConnection``, the connections of a pool
/// (``SSHConnectionPool/commands(on:configuration:)``), and for tests `ScriptedCommands` in `BridgeSSHTesting`.
///
/// Code that takes `some SSHCommandStreaming` can be tested without a server.
public protocol SSHCommandStreaming: SSHCommandRunning {
    /// Runs a command whose streams are read as they arrive. They are valid only inside `body`. ``SSHCommand/check`` has no
    /// effect.
    ///
    /// - Throws: as ``SSHConnection/execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
    func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value>

    /// Runs a command; `body` writes its input and reads its output. ``SSHCommand/standardInput`` has no effect.
    ///
    /// - Throws: as ``SSHConnection/execute(_:options:standardError:whenBodyReturns:isolation:_:)``.
    func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value>
}

extension SSHCommandStreaming {
    /// Runs a command whose streams are read as they arrive; otherwise like
    /// ``SSHConnection/execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
    public func execute<Value>(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none,
        standardError: SSHStandardErrorHandling = .tailOnly, whenBodyReturns: SSHExecution.WhenBodyReturns = .automatic,
        isolation: isolated (any Actor)? = #isolation, _ body: (any SSHRunningCommand) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await execute(
            SSHCommand(command, options: options, standardInput: standardInput), standardError: standardError,
            whenBodyReturns: whenBodyReturns, isolation: isolation, body)
    }

    /// Runs a command; `body` writes its input and reads its output. Otherwise like
    /// ``SSHConnection/execute(_:options:standardError:whenBodyReturns:isolation:_:)``.
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

/// A running command from ``SSHCommandStreaming``. It is valid only inside the closure that receives it.
public protocol SSHRunningCommand: AnyObject, Sendable {
    /// Standard output; with a pseudo-terminal, all output.
    var standardOutput: SSHOutput { get }
    /// Standard error. With ``SSHStandardErrorHandling/tailOnly``, reading it throws.
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
    /// Runs a command whose streams are read as they arrive, like
    /// ``execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
    public func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await execute(
            .command(request.command), options: request.options, standardInput: request.standardInput,
            standardError: standardError, whenBodyReturns: whenBodyReturns, isolation: isolation
        ) { execution in
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await body(execution)
        }
    }

    /// Runs a command; `body` writes its input and reads its output, as in
    /// ``execute(_:options:standardError:whenBodyReturns:isolation:_:)``.
    public func execute<Value>(
        _ request: SSHCommand, standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (any SSHRunningCommand, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await converse(
            .command(request.command), by: "execute", options: request.options, standardError: standardError,
            whenBodyReturns: whenBodyReturns, isolation: isolation
        ) { execution, input in
            _ = isolation  // Capturing the isolation makes the closure run there.
            return try await body(execution, input)
        }
    }
}

/// Opens streams to other hosts through a server. Conforming types are ``SSHConnection``, the connections of a pool
/// (``SSHConnectionPool/commands(on:configuration:)``), and for tests `ScriptedCommands` in `BridgeSSHTesting`.
public protocol SSHStreamOpening: Sendable {
    /// Asks the server to connect to a host, and lends the stream to `body`.
    ///
    /// - Throws: as ``SSHConnection/open(to:port:isolation:_:)``.
    func open<Value>(
        to host: String, port: Int, isolation: isolated (any Actor)?, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value
}

extension SSHStreamOpening {
    /// Asks the server to connect to a host, and lends the stream to `body`.
    ///
    /// - Throws: as ``SSHConnection/open(to:port:isolation:_:)``.
    public nonisolated(nonsending) func open<Value>(
        to host: String, port: Int, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value {
        try await open(to: host, port: port, isolation: #isolation, body)
    }
}

extension SSHConnection: SSHStreamOpening {}
