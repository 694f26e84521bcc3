internal import ArgumentParser
internal import BridgeSSH
internal import SSHCommandLine

/// A subcommand of `bridge-ssh fleet` that runs asynchronously.
protocol FleetSubcommand: ParsableCommand {
    /// The subcommand's name after `bridge-ssh`.
    static var name: String { get }

    /// Runs the subcommand. Every failure of a host has been reported when this returns.
    ///
    /// - Throws: `UsageProblem`, `SSHError`: problems found before any host is contacted.
    func perform() async throws -> SSHExitStatus
}

/// A subcommand whose runs keep a journal.
protocol ResumableSubcommand: FleetSubcommand {
    var selection: HostSelectionOptions { get }

    /// The run that the options request.
    ///
    /// - Throws: `UsageProblem`.
    func invocation() throws -> FleetInvocation
}

extension ResumableSubcommand {
    func perform() async throws -> SSHExitStatus { try await invocation().perform() }
}
