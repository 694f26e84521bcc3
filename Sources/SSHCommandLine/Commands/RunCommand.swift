import ArgumentParser
import BridgeSSH
import SSHRun

/// `bridge-ssh run`: one command on one host.
struct RunCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run",
            abstract: "Run one command on one host.",
            usage: "bridge-ssh run [<options>] [<user>@]<host>[:<port>] [--] <command> …",
            discussion: RunHelp.discussion)
    }

    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "Host and user") var prompts: PromptOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "The command") var execution: ExecutionOptions
    @OptionGroup(title: "The command") var sudo: SudoOptions
    @OptionGroup(title: "Keeping the connection") var persist: PersistOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup(title: "Trying again") var retry: RetryOptions
    @OptionGroup(title: "Output and exit status") var output: OutputOptions
    @OptionGroup(title: "Output and exit status") var status: StatusOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(visibility: .hidden) var harmless: HarmlessOptions

    // One array for both: what follows the host is the command's, options included.
    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp(
            "The host, then the command. Everything after the host is the command: its words are joined by one space.",
            valueName: "destination> <command"),
        completion: .hostOfRun)
    var words: [String] = []

    /// The parser gives `--help` to the words, which come first for it.
    func validate() throws {
        if words.first == "--help" || words.first == "-h" { throw CleanExit.helpRequest(Self.self) }
        if words.first == "--version" { throw CleanExit.message(BridgeSSHCommand.configuration.version) }
    }

    var options: RunOptions {
        RunOptions(
            connection: connection, prompts: prompts, files: files, trust: trust, credentials: credentials, execution: execution,
            sudo: sudo, persist: persist, via: via, retry: retry, output: output, status: status, records: records, words: words
        ).completed()
    }
}

extension RunOptions: ConnectingCommand, PerformedCommand {
    /// Runs it; every failure has been reported when this returns.
    func perform() async -> ExitStatus {
        let launchEnvironment = LaunchEnvironment.current()
        var records = RunRecords(style: output.style)
        do {
            records = try RunRecords(self.records, status, home: launchEnvironment.home, style: output.style)
            let plan = try RunCommandPlan(
                self, launchEnvironment: launchEnvironment, suggestions: Misspelling.option)
            records.concern(plan)
            return await SupervisedRun(plan: plan, records: records).perform()
        } catch {
            let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)")
            _ = await records.handle(problem.verdict)
            records.write(problem.verdict)
            records.annotate(problem.verdict, of: words.first ?? "")
            var hints = ArgumentHints(
                destination: words.first ?? "", json: output.json, quiet: output.quiet, convention: output.convention)
            hints.via = via.maker.rawValue
            return UsageReport(problem: problem, hints: hints).publish()
        }
    }
}
