internal import ArgumentParser
internal import SSHCommandLine

/// `bridge-ssh fleet` without a subcommand.
struct FleetCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "bridge-ssh fleet",
            abstract: "Run one command on many hosts, and learn exactly what went wrong on each.",
            version: "bridge-ssh fleet \(FleetProcess.version)",
            subcommands: [
                FleetRunCommand.self, FleetScriptCommand.self, FleetCheckCommand.self, FleetTrustCommand.self,
                HostsCommand.self, FleetResumeCommand.self, FleetListCommand.self,
            ])
    }
}
