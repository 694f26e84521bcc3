import ArgumentParser
import BridgeSSH
import SSHRun

/// `bridge-ssh` without a subcommand.
struct BridgeSSHCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "bridge-ssh",
            abstract: "Run commands over SSH, and learn exactly what went wrong when one fails.",
            discussion: """
                Every failure has a code, a reason in plain words, a next step, and an exit status from 193 to 199. With \
                --exit-status strict no command ends with one of these. Start with:

                  bridge-ssh run deploy@web1 uptime
                  bridge-ssh run --help
                  bridge-ssh copy report.pdf deploy@web1:
                  bridge-ssh fleet run 'web[1-20]' uptime
                  bridge-ssh doctor deploy@web1
                  bridge-ssh trust web1
                """,
            version: "bridge-ssh \(Product.version) (libssh2 \(Library.version))",
            subcommands: [
                RunCommand.self, CopyCommand.self, FleetCommandEntry.self, SSHCommand.self, DoctorCommand.self, CheckCommand.self,
                TrustCommand.self, ConfigCommand.self,
                PersistCommand.self, CodesCommand.self, ExplainCommand.self, ClassifyCommand.self, ManualCommand.self,
            ])
    }
}

/// Finds the subcommand whose help is requested.
enum HelpRequest {
    /// The subcommand that the arguments name, with `help` before them or `--help` after them.
    ///
    /// - Throws: `UsageProblem` for `help` of an unknown subcommand.
    static func subject(
        of arguments: [String], in program: CommandDescription = CommandDescription(ofProgram: BridgeSSHCommand.self)
    ) throws -> CommandDescription {
        let isCommand = arguments.first == "help"
        var subject = program
        for word in arguments.dropFirst(isCommand ? 1 : 0) {
            guard !word.hasPrefix("-") else { break }
            if let next = subject.subcommands.first(where: { $0.path.last == word }) {
                subject = next
            } else if isCommand {
                throw UsageProblem(
                    field: word,
                    problem: "\(subject.name) has no such command"
                        + CommandSuggestion.suggestion(for: word, among: subject.subcommands)
                )
            } else {
                break
            }
        }
        return subject
    }
}

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
