internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet plan`: divides a run into shards for a scheduler.
struct FleetPlanCommand: FleetSubcommand, CommandOnHosts {
    static let name = "fleet plan"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "plan", abstract: "Divide a run into shards, for an array of tasks of a scheduler.",
            usage: "bridge-ssh fleet plan --shards <number> --to <directory> [<options>] <hosts> [--] <command> …",
            discussion: """
                Writes the hosts, the command and the options of `fleet run` into a directory, and connects to nothing. Each shard is \
                then run by `bridge-ssh fleet run --plan DIRECTORY --shard K/N`, on any machine that has the directory. K counts from \
                0; for a scheduler that counts from 1, N/N is the first shard. `--shard auto` takes K from SLURM_ARRAY_TASK_ID, \
                JOB_COMPLETION_INDEX (Kubernetes), AWS_BATCH_JOB_ARRAY_INDEX or NOMAD_ALLOC_INDEX. \
                `bridge-ssh fleet merge DIRECTORY` makes one run of all.

                Before the command is sent to a host, the host is claimed in the directory. So no host runs the command twice, \
                whatever is started again, and however often. A shard ends with 0 when each of its hosts has an outcome, and with 75 \
                when it is to be started again.

                The plan has no secrets: words that look like one are refused. Options that a shard needs in addition to those of the plan, \
                such as --password-file, are given to the shard. Give the command's input with --stdin FILE.

                EXAMPLES
                  bridge-ssh fleet plan --shards 8 --to deploy.plan 'web[1-200]' -- ./deploy v1.2
                  sbatch --array=0-7 --wrap 'bridge-ssh fleet run --plan deploy.plan --shard auto'
                  parallel bridge-ssh fleet run --plan deploy.plan --shard {}/8 ::: 0 1 2 3 4 5 6 7
                  bridge-ssh fleet merge deploy.plan

                EXIT STATUS
                  0    the plan is written
                  199  wrong usage, or no host; nothing was written
                """)
    }

    @Option(help: ArgumentHelp("The number of shards.", valueName: "number"))
    var shards: Int

    @Option(
        help: ArgumentHelp("The directory of the plan; it is made.", valueName: "directory"), completion: .directory,
        transform: FileName.parse)
    var to: String

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
        completion: .hosts(of: FleetPlanCommand.self))
    var words: [String] = []

    func perform() async throws -> SSHExitStatus {
        guard (1...ShardPlan.maximumShards).contains(shards) else {
            throw UsageProblem(field: "--shards", problem: "it must be a number from 1 to \(ShardPlan.maximumShards)")
        }
        let options = try planOptions()
        let planned = try invocation()
        let named = try select(planned)
        let environment = FleetProcess.environment()
        // Report invalid options now, and not once for each shard.
        let limits = try pace.limits(hosts)
        _ = try pace.plan(hosts: named.count, of: nil, limits, runsCommand: true)
        let accessTable = try HostAccessTable(
            named,
            HostAccess(
                hosts, command: try command.options(), session: planned.job.session, by: via.maker, in: environment, .init()))
        if !show.quiet { accessTable.warnings.forEach(FleetProcess.note) }
        let plan = ShardPlan(
            shards: shards, options: options, words: words, command: planned.subject.command,
            input: try await input(planned),
            hosts: try named.map { ShardPlan.Host(name: $0.name, access: try access($0)) })
        let directory = ShardDirectory(to)
        try JournalLocation.refusing("--to") { () throws(JournalProblem) in try directory.create(plan) }
        if !show.quiet { describe(plan, directory) }
        return .success
    }

    private func describe(_ plan: ShardPlan, _ directory: ShardDirectory) {
        let most = (plan.hosts.count + shards - 1) / shards
        let path = directory.path.shellWord
        FleetProcess.note(
            "\(Formatted.hosts(plan.hosts.count)) in \(ShardNumber.shards(shards)) of at most \(most), in \(directory.path)")
        FleetProcess.note(
            "run each: `bridge-ssh fleet run --plan \(path) --shard K/\(shards)` with K from 0 to \(shards - 1), or --shard auto")
        FleetProcess.note("then: `bridge-ssh fleet merge \(path)`")
    }

    /// The options of `fleet run` on this command line.
    private func planOptions() throws -> [String] {
        let options = ShardWords.without(["--shards", "--to"], Array(ProcessArguments.all.dropLast(words.count)))
        let arguments = ["run"] + options + words
        guard let parsed = try? FleetParser.parse(arguments) as? FleetRunCommand, parsed.words == words else {
            throw UsageProblem(field: "plan", problem: "write --shards NUMBER and --to DIRECTORY before the other options")
        }
        for (isGiven, option) in [
            (pace.dryRun, "--dry-run"), (show.journal != nil, "--journal"), (reports.html != nil, "--html"),
            (reports.junit != nil, "--junit"), (show.journalCommand != "all", "--journal-command"),
        ] where isGiven {
            throw UsageProblem(
                field: option,
                problem: "it is not an option of a plan"
                    + (option == "--html" || option == "--junit"
                        ? "; `bridge-ssh fleet report` writes it once the shards are merged" : ""))
        }
        let subject = RunSubject(command: "").with(arguments: arguments)
        guard subject.isWhole else {
            throw UsageProblem(
                field: "plan",
                problem:
                    "a plan has no secrets, and these words look like one: \(Self.masked(arguments, subject.arguments)); leave "
                    + "them out, and let the hosts read them from a file there")
        }
        return options
    }

    /// The masked words, for a message.
    private static func masked(_ words: [String], _ masked: [String]) -> String {
        let found = zip(words, masked).filter { $0 != $1 }.map(\.1.shellWord)
        return found.isEmpty ? "the command" : found.joined(separator: " ")
    }

    /// The hosts, sorted.
    private func select(_ invocation: FleetInvocation) throws -> [NamedHost] {
        let (found, notices) = try selection.named(
            invocation.expression, journal: nil, configuration: hosts.configurationFile)
        if !show.quiet { notices.forEach(FleetProcess.note) }
        return found
    }

    private func access(_ host: NamedHost) throws -> String? {
        let json = try host.json(keepsArguments: true)
        guard let json, try NamedHost(json: json).isIncomplete == true else { return json }
        throw UsageProblem(
            field: "plan",
            problem: "how \(host.name) is reached in the inventory looks like a secret, which a plan must not have; put it into "
                + "ssh's configuration")
    }

    private func input(_ invocation: FleetInvocation) async throws -> ShardPlan.Input? {
        guard command.namesInput else {
            guard !invocation.input.hasBytes else {
                throw UsageProblem(
                    field: "standard input",
                    problem:
                        "a plan does not keep piped input; write it to a file that the shards have too, and name it with "
                        + "--stdin FILE; -n leaves it alone")
            }
            return nil
        }
        guard let input = try await invocation.input.fileDigest() else {
            throw UsageProblem(
                field: "--stdin", problem: "the shards cannot read input that is piped in here; name a file that they have too")
        }
        return ShardPlan.Input(path: input.name, digest: input.digest)
    }
}
