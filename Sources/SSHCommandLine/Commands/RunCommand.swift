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

    @OptionGroup(title: "Host and user") var port: PortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "Host and user") var prompts: PromptOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "The command") var execution: ExecutionOptions
    @OptionGroup(title: "The command") var shell: ShellOptions
    @OptionGroup(title: "The command") var sudo: SudoOptions
    @OptionGroup(title: "Keeping the connection") var persist: PersistOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup(title: "Trying again") var retry: RetryOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "Output and exit status") var output: OutputOptions
    @OptionGroup(title: "Output and exit status") var status: StatusOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Records") var failures: FailureRecordOptions
    @OptionGroup(visibility: .hidden) var harmless: IgnoredSSHOptions

    // One array for both: everything after the host belongs to the command, options included.
    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp(
            "The host, then the command. Everything after the host is the command: its words are joined by one space.",
            valueName: "destination> <command"),
        completion: .hostOfRun)
    var words: [String] = []

    /// The parser puts `--help` into the words, because it reads them first.
    func validate() throws {
        if words.first == "--help" || words.first == "-h" { throw CleanExit.helpRequest(Self.self) }
        if words.first == "--version" { throw CleanExit.message(BridgeSSHCommand.configuration.version) }
    }

    var options: RunOptions {
        RunOptions(
            port: port, connection: connection, prompts: prompts, files: files, trust: trust, credentials: credentials,
            keys: keys, execution: execution, shell: shell, sudo: sudo, persist: persist, via: via, retry: retry,
            waiting: waiting, output: output, status: status, records: records, failures: failures, words: words
        ).completed()
    }
}

extension RunOptions: ConnectingCommand, LongRunningCommand {
    var maker: ConnectionMaker { via.maker }

    /// Runs it; every failure has been reported when this returns.
    func perform() async -> SSHExitStatus {
        let launchEnvironment = LaunchEnvironment.current()
        var records = RunRecords(style: output.style)
        do {
            records = try RunRecords(self.records, failures, status, home: launchEnvironment.home, style: output.style)
            let plan = try RunCommandPlan(
                self, launchEnvironment: launchEnvironment, suggestions: CommandSuggestion.option)
            records.concern(plan)
            return await SupervisedRun(plan: plan, records: records).perform()
        } catch {
            let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)")
            await records.record(problem.verdict)
            records.write(problem.verdict)
            records.annotate(problem.verdict, of: words.first ?? "")
            var hints = ArgumentHints(
                destination: words.first ?? "", json: output.json, quiet: output.quiet, convention: output.convention)
            hints.via = via.maker.rawValue
            return UsageReport(problem: problem, hints: hints).publish()
        }
    }
}

/// The long part of `bridge-ssh run --help`.
enum RunHelp {
    static let discussion = """
        bridge-ssh passes on the command's standard output and standard error byte for byte, and exits with its exit status. \
        Put options before the host: the words after the host go to the remote shell unchanged, joined by single spaces; one \
        leading -- is dropped. A command is required: run is not an interactive shell, though --tty gives a command a terminal.

        Authentication uses the identities given with -i, or else the default ones in ~/.ssh; the keys of the agent; a password. \
        Host keys are compared with known_hosts before anything secret is sent. run follows ssh's configuration, and -v names \
        the settings that have no effect here; options on the command line take precedence.

        With -J (or ProxyJump) the connection goes through jump hosts, all in this process. Each hop has its own section of \
        ssh's configuration, its own host key check and its own credentials: -i, -o and --password-file apply to the \
        destination. A failure names its hop.

        With --retries a failed run is retried if that can help, after growing waits that respect a wait the server asks \
        for. It never retries with a refused credential, and never if the command may have run, unless --idempotent says \
        that it may run twice. Standard input is not stored, so a command that has read some of it is not run again; --stdin \
        FILE is read again from the beginning.

        With --tty, ssh's escape characters work at the beginning of a line: ~. ends the run, even if the server no longer \
        answers, ~^Z suspends bridge-ssh, ~? lists the escape characters, and ~~ types one ~. EscapeChar of ssh_config(5) sets \
        another character, or none. A keepalive is sent to a silent server every 15 seconds, unless ServerAliveInterval says \
        otherwise.

        With --persist the connection stays open in the background, and later runs with --persist to the same destination use \
        it; bridge-ssh persist list shows kept connections, bridge-ssh persist stop ends them.

        With --shell the command is typed into a shell, for network devices that start no commands: bridge-ssh waits for the \
        prompt, switches the pager off, sends the command, and prints the output up to the next prompt. A shell reports \
        no exit status. Status 0 then means that the device accepted the command and showed its prompt again, not that the command \
        succeeded; if the device rejects the command, the run ends with 198. The prompt counts only \
        after the device has shown the command as it was typed.

        EXAMPLES
          bridge-ssh run web1 uptime
          bridge-ssh run deploy@web1:2222 -- 'cd /srv && ls'
          bridge-ssh run -i ~/.ssh/deploy --timeout 600 web1 make release
          tar c . | bridge-ssh run backup@[2001:db8::7]:2222 'tar x -C /backup'
          bridge-ssh run -J gate,admin@inner:2222 db1 uptime
          bridge-ssh run --json --batch web1 -- systemctl is-active nginx
          bridge-ssh run --retries 3 --log-file run.log web1 uptime
          bridge-ssh run --shell switch1 show version

        EXIT STATUS
          0–255  the remote command's own, untouched
          128+n  the remote command was killed by signal n
          1      in place of both, with --exit-status strict, if the command failed
          193    the host could not be reached
          194    something timed out
          195    the other side does not speak SSH, or shares no algorithm with this side
          196    the host key is unknown, changed or revoked
          197    authentication failed, or the agent failed
          198    the session was refused or lost, or the command's outcome is unknown
          199    wrong usage, a key file that cannot be used, or output that cannot be written
          130    interrupted (SIGINT); 129 by SIGHUP, 131 by SIGQUIT, 143 by SIGTERM
          141    the reader of standard output closed it (128 + SIGPIPE)
          255    an unclassified failure (a bug; please report it); with --exit-codes ssh every failure but the command's own

        --json distinguishes a remote 193 from bridge-ssh's: its "error" has the code; --exit-status strict never passes a remote 193 on. bridge-ssh explain 193 lists the failures.
        """
}
