/// Runs commands at a server: an ``SSHConnection``, the connections of a pool (``SSHConnectionPool/commands(on:configuration:)``), or in a
/// test the `ScriptedCommands` of `BridgeSSHTesting`.
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
