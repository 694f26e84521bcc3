import ArgumentParser

/// `bridge-ssh manual`: the manual page of a subcommand, for scripts/generate/manual. Hidden, because man(1) shows the pages.
struct ManualCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "manual", abstract: "Write the manual page of a subcommand, or of bridge-ssh.", shouldDisplay: false)
    }

    @Argument(help: ArgumentHelp("A subcommand; none for bridge-ssh itself.", valueName: "command"))
    var name: String?

    func run() throws {
        let subject = try HelpRequest.subject(of: ["help"] + (name.map { [$0] } ?? []))
        Console.standardOutput(try ManualPage(description: subject).text())
    }
}
