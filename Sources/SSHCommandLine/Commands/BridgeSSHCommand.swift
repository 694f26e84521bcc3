package import ArgumentParser
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

/// `bridge-ssh fleet` is a separate program, installed beside this one: its libraries would make every run start slower.
enum FleetProgram {
    static let subcommand = "fleet"
    private static let name = "bridge-ssh-fleet"

    /// Translates this program's arguments to those of the fleet program; nil if they do not concern it.
    static func arguments(for own: [String]) -> [String]? {
        switch own.first {
        case subcommand?: return Array(own.dropFirst())
        case "help"? where own.count > 1 && own[1] == subcommand: return ["help"] + own.dropFirst(2)
        // The fleet program knows all subcommands, including its own.
        case "---completion"? where own.count > 1 && own[1] == subcommand: return own
        case let first? where first.hasPrefix("--generate-completion-script") && isInstalled: return own
        default: return nil
        }
    }

    private static var isInstalled: Bool { besideThisProgram().map { access($0, X_OK) == 0 } ?? false }

    /// Replaces this process with the fleet program.
    ///
    /// - Throws: `UsageProblem` if it cannot be started.
    static func become(_ arguments: [String]) throws -> Never {
        guard let path = besideThisProgram() else {
            throw UsageProblem(
                field: subcommand,
                problem:
                    "the path of this program is unknown, so \(name) cannot be found beside it; start bridge-ssh by its absolute path"
            )
        }
        // Signals stay blocked across execv; the fleet program's set-up blocks them too.
        _ = withArgumentVector([name] + arguments) { execv(path, $0) }
        throw UsageProblem(
            field: subcommand,
            problem: "\(path) cannot be started: \(String(cString: strerror(errno))); install it beside bridge-ssh, as "
                + "scripts/install does")
    }

    /// Always an absolute path: any user may have put a program into the working directory.
    private static func besideThisProgram() -> String? {
        guard let link = HelperProtocol.executable, let resolved = realpath(link, nil) else { return nil }
        defer { free(resolved) }
        let own = String(cString: resolved)
        return own[...(own.lastIndex(of: "/") ?? own.startIndex)] + name
    }
}

/// `bridge-ssh fleet` in the list of subcommands. It is never parsed here: ``FleetProgram`` passes its arguments on.
struct FleetCommandEntry: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: FleetProgram.subcommand, abstract: "Run one command on many hosts, at most once on each.",
            usage: "bridge-ssh fleet <subcommand> [<options>] <hosts> …")
    }
}

/// The name and the subcommands of the whole program, for the fleet program's help and completions.
package enum ProgramCommands {
    package static let name = "bridge-ssh"
    package static let abstract = BridgeSSHCommand.configuration.abstract

    /// All subcommands.
    ///
    /// - Parameter fleet: the definition of `fleet`.
    package static func subcommands(_ fleet: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        BridgeSSHCommand.configuration.subcommands.map { $0 == FleetCommandEntry.self ? fleet : $0 }
    }
}
