internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet run`: runs one command on every host.
struct FleetRunCommand: ResumableSubcommand, CommandOnHosts {
    static let name = "fleet run"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run", abstract: "Run one command on every host, at most once on each.",
            usage: "bridge-ssh fleet run [<options>] <hosts> [--] <command> …",
            discussion: """
                Put options before the hosts: the words after the hosts go to the remote shells unchanged, joined by single spaces. Output \
                comes as `host: line`; with -b equal output appears once, under the folded names of its hosts.

                The command on every host reads standard input, a pipe or a file, from its beginning; a \
                terminal is not read. -n (--stdin none) leaves it alone: in loops that read lines, for instance. Of a pipe the first \
                4 MiB are kept in memory and the rest in a temporary file, up to --stdin-limit.

                A run has a journal: continue an interrupted run with `bridge-ssh fleet resume`, and no host runs the command \
                twice. ^C starts no more hosts; a second ^C ends the running commands; a third quits.

                With --shell the command is typed into a shell of every host, for network devices that start no commands. A device \
                reports no exit status: such a host is ok if it accepted the command and showed its prompt again.

                At a terminal Enter lists what runs and since when, + and - double and halve the number of hosts at once, ? lists \
                the keys. Secrets, passphrases and unknown host keys are asked for once, before the first host.

                EXAMPLES
                  bridge-ssh fleet run 'web[1-20]' uptime
                  bridge-ssh fleet run -b '@db' -- cat /etc/debian_version
                  bridge-ssh fleet run --batches 1,10%,100% --stop failed=5% 'web[1-200]' -- apt-get -y upgrade
                  bridge-ssh fleet run --sudo 'web[1-3]' -- systemctl restart nginx
                  bridge-ssh fleet run 'web[1-20]' 'cat > motd' < motd
                  bridge-ssh fleet run --output jsonl --yes @run:last:failed -- uptime
                  bridge-ssh fleet run --plan deploy.plan --shard auto

                EXIT STATUS
                  0    all hosts are ok
                  1    hosts ended differently
                  192  a rule, a person or a full disk stopped the run early
                  199  wrong usage, or no host; nothing was begun
                  130  interrupted (SIGINT); 129 by SIGHUP, 143 by SIGTERM

                If all hosts failed alike (with the same outcome, code and status), the exit status is what it would be for one of them.

                For a shard: 0 if each of its hosts has an outcome, 75 if it must be started again, 192, 199.
                """)
    }

    @OptionGroup(title: "Which hosts") var shard: ShardOptions
    @OptionGroup(title: "Which hosts") var selection: HostSelectionOptions
    @OptionGroup(title: "Host and user") var port: PortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "Trying again") var retry: RetryOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup(title: "The command") var execution: ExecutionOptions
    @OptionGroup(title: "The command") var status: StatusOptions
    @Option(
        help: ArgumentHelp("The limit on piped input, which is kept for all hosts, in bytes (1G).", valueName: "bytes"),
        transform: BytesOption.parse)
    var stdinLimit: BytesOption?
    @OptionGroup(title: "The command") var shell: ShellOptions
    @OptionGroup(title: "The command") var sudo: SudoOptions
    @OptionGroup(title: "Pace and safety") var pace: PaceOptions
    @OptionGroup(title: "Output and journal") var show: ShowOptions
    @OptionGroup(title: "Output and journal") var reports: ReportOptions

    // One array for hosts and command: everything after the hosts belongs to the command, even options.
    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp(
            "The hosts, then the command. Everything after the hosts is the command: its words are joined by one space.",
            valueName: "hosts> <command"),
        completion: .hosts(of: FleetRunCommand.self))
    var words: [String] = []

    func perform() async throws -> SSHExitStatus {
        guard let shard = try shard.shard(words) else { return try await invocation().perform() }
        return try await shard.perform()
    }
}

/// A command line that requests a run of one command: the hosts, the command, and how it is run.
///
/// This is a protocol and not an option group: in debug builds each level of groups multiplies the time of the argument parser's
/// checks.
protocol CommandOnHosts: PassingCommand, HostOptionGroups {
    var selection: HostSelectionOptions { get }
    var via: ViaOptions { get }
    var execution: ExecutionOptions { get }
    var status: StatusOptions { get }
    var stdinLimit: BytesOption? { get }
    var shell: ShellOptions { get }
    var sudo: SudoOptions { get }
    var pace: PaceOptions { get }
    var show: ShowOptions { get }
    var reports: ReportOptions { get }
}

extension CommandOnHosts {
    var command: SharedCommandOptions { SharedCommandOptions(execution, status) }

    /// The run.
    ///
    /// - Throws: `UsageProblem`.
    func invocation() throws -> FleetInvocation {
        let (expression, words) = try HostsAndWords.split(words, of: FleetRunCommand.name)
        guard !words.isEmpty else {
            // A person who names a list may believe that it selects the hosts.
            let isHosts = selection.hostsFile.isEmpty
            let example = isHosts ? expression.shellWord : "--hosts-file \(selection.hostsFile[0].shellWord) '@*'"
            throw UsageProblem(
                field: "command",
                problem: "it is missing; write it after the hosts, as in: `bridge-ssh fleet run \(example) uptime`")
        }
        let command = try RunPlan.command(
            words, host: expression, isRoot: sudo.isAskedFor, maximumBytes: via.maker.maximumCommandLength)
        var invocation = FleetInvocation(
            expression: expression, selection: selection, job: .command(command),
            subject: RunSubject(kind: "run", command: command), hosts: hosts,
            command: self.command, sudo: sudo, pace: pace, show: show, reports: reports
        )
        invocation.maker = via.maker
        let input = try self.command.input(isTaken: selection.readsInput)
        invocation.job.shell = try shell.plan(
            execution, sudo: sudo, via: via.maker, command: command, wantsTerminal: false)
        if invocation.job.shell == nil {
            invocation.input = RunInputChoice(input, limit: stdinLimit?.count)
        } else {
            invocation.ignoredInput = input
        }
        return invocation
    }
}

/// Splits the words into the hosts and the rest.
enum HostsAndWords {
    /// An option that the parser does not know ends up as the first word here.
    ///
    /// - Throws: `UsageProblem`.
    static func split(_ words: [String], of name: String) throws -> (hosts: String, rest: [String]) {
        var rest = words[...]
        if rest.first == "--" {
            rest.removeFirst()
        } else if let first = rest.first, first.hasPrefix("-"), first != "-" {
            throw UsageProblem(
                field: first,
                problem: "there is no such option of \(name); options come before the hosts, the command after them")
        }
        guard let hosts = rest.popFirst() else {
            throw UsageProblem(field: "hosts", problem: "they are missing; write: bridge-ssh \(name) web[1-20] …")
        }
        // ssh(1) accepts options after the host. Here they would become the command on every host.
        if let option = rest.first, option.hasPrefix("-"), option != "--" {
            let command = ([hosts, "--"] + rest).map(\.shellWord).joined(separator: " ")
            throw UsageProblem(
                field: option,
                problem: "options must come before the hosts: move it before \(hosts.shellWord). If it belongs to what is run: "
                    + "`bridge-ssh \(name) \(command.count > 120 ? "\(hosts.shellWord) -- …" : command)`")
        }
        if rest.first == "--" { rest.removeFirst() }
        return (hosts, Array(rest))
    }
}

/// `bridge-ssh fleet script`: runs a local script on every host.
struct FleetScriptCommand: ResumableSubcommand, PassingCommand, HostOptionGroups {
    static let name = "fleet script"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "script", abstract: "Run a local script on every host: it is sent on standard input.",
            usage: "bridge-ssh fleet script [<options>] <hosts> <file> [<argument> …]",
            discussion: """
                The script is read once, and every host gets it on standard input; nothing is left there. Each argument reaches it \
                as it is. For the rest see bridge-ssh fleet run --help.

                EXAMPLES
                  bridge-ssh fleet script 'web[1-20]' deploy.sh v1.2
                  bridge-ssh fleet script --interpreter 'python3 -' 'web[1-20]' check.py
                """)
    }

    @OptionGroup(title: "Which hosts") var selection: HostSelectionOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup(title: "Host and user") var port: PortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "Trying again") var retry: RetryOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "The script") var execution: ExecutionOptions
    @OptionGroup(title: "The script") var status: StatusOptions
    @OptionGroup(title: "The script") var sudo: SudoOptions

    @Option(
        help: ArgumentHelp(
            "The program that reads the script on the host, from standard input; arguments follow after -- (sh -s).",
            valueName: "command"))
    var interpreter = "sh -s"

    @OptionGroup(title: "Pace and safety") var pace: PaceOptions
    @OptionGroup(title: "Output and journal") var show: ShowOptions
    @OptionGroup(title: "Output and journal") var reports: ReportOptions

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The hosts, the script's file, and its arguments.", valueName: "hosts> <file> <argument"),
        completion: .hosts(of: FleetScriptCommand.self))
    var words: [String] = []

    func invocation() throws -> FleetInvocation {
        let (expression, rest) = try HostsAndWords.split(words, of: Self.name)
        guard let path = rest.first else {
            throw UsageProblem(field: "script", problem: "it is missing; write: bridge-ssh fleet script \(expression) FILE")
        }
        let command = SharedCommandOptions(execution, status)
        if command.namesInput {
            throw UsageProblem(
                field: "--stdin",
                problem: "the script itself is what every host reads; leave it out, or use `bridge-ssh fleet run`")
        }
        let content = try LocalContent.read(path, for: "script")
        let job = FleetJob.script(content, arguments: Array(rest.dropFirst()), interpreter: interpreter, name: path)
        let subject = RunSubject(
            kind: "script", command: job.command ?? interpreter, script: (path, content), arguments: Array(rest.dropFirst()))
        var invocation = FleetInvocation(
            expression: expression, selection: selection, job: job, subject: subject, hosts: hosts, command: command, sudo: sudo,
            pace: pace, show: show, reports: reports
        )
        invocation.maker = via.maker
        let isRead = selection.readsInput || StandardInputName.all.contains(path)
        invocation.ignoredInput = try command.input(isTaken: isRead)
        return invocation
    }
}

/// The content of a local file that every host gets.
enum LocalContent {
    /// - Parameter field: the option or argument that names the file.
    /// - Throws: `UsageProblem`.
    static func read(_ path: String, for field: String) throws -> [UInt8] {
        do {
            return try LocalFiles().read(path)
        } catch {
            throw UsageProblem(field: field, problem: "\(error)")
        }
    }
}
