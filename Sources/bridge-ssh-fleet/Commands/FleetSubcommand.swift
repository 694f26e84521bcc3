internal import ArgumentParser
internal import BridgeSSH

/// A subcommand of `bridge-ssh fleet` that takes time.
protocol FleetSubcommand: ParsableCommand {
    /// As it is called after `bridge-ssh`.
    static var name: String { get }

    /// Does it; every failure of a host has been reported when this returns.
    ///
    /// - Throws: `UsageProblem`, `SSHError`: what is wrong before any host is touched.
    func perform() async throws -> ExitStatus
}
