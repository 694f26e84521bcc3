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
