internal import ArgumentParser
internal import SSHCommandLine

/// `bridge-ssh fleet manual`: the manual page of a subcommand, for scripts/generate/manual. Hidden, because man(1) shows the pages.
struct FleetManualCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "manual", abstract: "Write the manual page of a subcommand, or of fleet.", shouldDisplay: false)
    }

    @Argument(help: ArgumentHelp("A subcommand; none for fleet itself.", valueName: "command"))
    var name: String?

    func run() throws {
        let words = ["fleet"] + (name.map { [$0] } ?? [])
        FleetProcess.output(try FleetProcess.manualPage(of: words, in: BridgeSSHProgram.self))
    }
}
