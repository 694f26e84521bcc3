internal import ArgumentParser
internal import BridgeSSH
internal import SSHCommandLine

/// `bridge-ssh fleet` without a subcommand.
struct FleetCommand: PagedCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "fleet",
            abstract: "Run one command on many hosts, at most once on each.",
            usage: "bridge-ssh fleet <subcommand> [<options>] <hosts> …",
            discussion: """
                Hosts are written as ranges (web[01-20]), joined by , (union), ! (difference), & (intersection) and ^, and as \
                groups (@web). Ssh's configuration is read for each of them under its own name. Questions, such as for a \
                passphrase or about an unknown host key, are asked once, before the first host.

                Each host ends in one of five ways: ok, failed (the command's own end), error (SSH failed, and the command did not \
                run), unknown (SSH failed, and it may have run), skipped (never begun).

                EXAMPLES
                  bridge-ssh fleet trust 'web[1-20]'
                  bridge-ssh fleet check 'web[1-20],@db'
                  bridge-ssh fleet run --batches 1,10%,100% 'web[1-20]' -- systemctl restart nginx
                  bridge-ssh fleet resume last
                  bridge-ssh fleet plan --shards 8 --to deploy.plan '@web' -- ./deploy

                EXIT STATUS
                  0    all hosts are ok
                  1    hosts ended differently
                  192  a rule, a person or a full disk stopped the run early
                  199  wrong usage, or no host; nothing was begun
                  130  interrupted (SIGINT); 129 by SIGHUP, 143 by SIGTERM

                If all hosts failed alike (with the same outcome, code and status), the exit status is what it would be for one of them; \
                see bridge-ssh run --help.
                """,
            version: "bridge-ssh fleet \(FleetProcess.version)",
            subcommands: [
                FleetRunCommand.self, FleetScriptCommand.self, FleetCopyCommand.self, FleetFetchCommand.self,
                FleetCheckCommand.self, FleetTrustCommand.self, HostsCommand.self, FleetResumeCommand.self, FleetListCommand.self,
                FleetReportCommand.self, FleetPlanCommand.self, FleetMergeCommand.self, FleetManualCommand.self,
            ])
    }
}

/// The whole program, for help, manual pages and completions.
struct BridgeSSHProgram: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: ProgramCommands.name, abstract: ProgramCommands.abstract, version: FleetProcess.version,
            subcommands: ProgramCommands.subcommands(FleetCommand.self))
    }
}

/// `bridge-ssh fleet manual`: prints the manual page of a subcommand, for scripts/generate/manual. Hidden, because users read the
/// pages with man(1).
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

/// Parses the program's arguments.
enum FleetParser {
    /// - Throws: the errors of the argument parser, which also request help.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        if isForWholeProgram(arguments) { return try BridgeSSHProgram.parseAsRoot(arguments) }
        let passesWords = FleetCommand.configuration.subcommands.contains {
            $0.configuration.commandName == arguments.first && ($0 is any PassingCommand.Type || $0 == FleetResumeCommand.self)
        }
        return try JoinedOptions.parse(arguments, passesWords: passesWords, as: FleetCommand.self) {
            ($0 as? any PassingCommand)?.words
        }
    }

    /// Completions cover all subcommands of `bridge-ssh`.
    static func isForWholeProgram(_ arguments: [String]) -> Bool {
        arguments.first.map { $0 == "---completion" || $0.hasPrefix("--generate-completion-script") } ?? false
    }
}
