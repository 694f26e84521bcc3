/// Runs commands at a server: an ``SSHConnection``, the connections of a pool
/// (``SSHConnectionPool/commands(on:configuration:)``), or in a test the `ScriptedCommands` of `BridgeSSHTesting`.
///
/// Code that takes `some SSHCommandRunning` can be tested without a server.
public protocol SSHCommandRunning: Sendable {
    /// Runs a command and collects what it writes.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/run(_:options:standardInput:check:)``.
    func run(_ request: SSHCommand) async throws -> SSHCommandResult
}

extension SSHCommandRunning {
    /// Runs a command and collects what it writes.
    ///
    /// - Parameters:
    ///   - command: given to the user's login shell as it is (RFC 4254 section 6.5).
    ///   - options: how it is to be run.
    ///   - standardInput: what it reads.
    ///   - check: whether anything but exit status 0 throws.
    /// - Throws: ``SSHError``, as ``SSHConnection/run(_:options:standardInput:check:)``.
    @discardableResult
    public func run(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none,
        check: Bool = false
    ) async throws -> SSHCommandResult {
        try await run(SSHCommand(command, options: options, standardInput: standardInput, check: check))
    }
}

extension SSHConnection: SSHCommandRunning {
    /// Runs a command and collects what it writes; as ``run(_:options:standardInput:check:)``.
    public func run(_ request: SSHCommand) async throws -> SSHCommandResult {
        try await run(request.command, options: request.options, standardInput: request.standardInput, check: request.check)
    }
}

/// A command to run: what ``SSHCommandRunning/run(_:)`` is given.
public struct SSHCommand: Sendable {
    /// The command line, given to the user's login shell as it is.
    public var command: String
    /// How it is to be run.
    public var options: SSHCommandOptions
    /// What it reads.
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
    /// Why no connection would send it; nil if one would.
    package var refusal: SSHError? {
        options.fault(of: .command(command)).map { fault in
            var evidence = SSHEvidence(local: fault.event, stage: fault.stage ?? .local)
            evidence.command = SSHCommandEvidence(command: command)
            return SSHFailureClassifier.classify(evidence)
        }
    }
}
