package import ArgumentParser

/// `bridge-ssh fleet` in the list of subcommands. It is never parsed here: ``FleetProgram`` takes its arguments.
struct FleetListing: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: FleetProgram.subcommand, abstract: "Run one command on many hosts, at most once on each.",
            usage: "bridge-ssh fleet <subcommand> [<options>] <hosts> …")
    }
}

/// The whole program, with the fleet's own definition of its subcommands.
package enum WholeProgram {
    package static let name = "bridge-ssh"
    package static let abstract = BridgeSSHCommand.configuration.abstract

    /// All subcommands.
    ///
    /// - Parameter fleet: the definition of `fleet`.
    package static func subcommands(_ fleet: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        BridgeSSHCommand.configuration.subcommands.map { $0 == FleetListing.self ? fleet : $0 }
    }
}
