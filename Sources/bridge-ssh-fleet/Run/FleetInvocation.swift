internal import BridgeSSH
internal import BridgeSSHFleet
internal import ErrorCore
internal import SSHCommandLine
internal import SSHRun
internal import Synchronization

/// A run as its options ask for it: everything is checked and asked for before the first host is touched.
struct FleetInvocation {
    let expression: String
    let selection: HostSelectionOptions
    var job: FleetJob
    let subject: RunSubject
    let hosts: HostOptions
    let command: CommandChoices?
    let sudo: SudoOptions?
    var pace: PaceOptions
    var show: ShowOptions
    /// What is at standard input, or in a file, for the hosts.
    var input = RunInputChoice(.none)
    /// What is at standard input and not for them.
    var ignoredInput = HostInput.none
    /// The run that goes on; nil for a new one.
    var resumption: Resumption?

    /// From this many hosts on, a person at a terminal types the number.
    private static let mostUnasked = 100

    /// - Throws: `UsageProblem`, `SSHError`, `CancellationError`.
    func perform() async throws -> ExitStatus {
        let environment = FleetProcess.environment()
        let named = try resumption?.hosts ?? select()
        let display = try show.display()
        let limits = try pace.limits(hosts)
        var plan = try pace.plan(hosts: named.count, of: resumption?.count, limits, runsCommand: job.mayFail)
        var job = job
        job.transfer?.fit(&plan)
        let options = try command?.options() ?? SSHCommandOptions()
        let reaches = try HostReaches(
            named, HostAccess(hosts, command: options, copies: job.transfer != nil, in: environment, .init()))
        plan.addresses = AddressNumbers.of(reaches.endpoints)
        if !show.quiet { reaches.notices.forEach(FleetProcess.note) }
        if pace.dryRun {
            DryRun(
                job: job, hosts: named, plan: plan, limits: limits, between: pace.between, input: input.text,
                isRoot: sudo?.isAskedFor ?? false
            ).show()
            return .success
        }
        // A run of which nothing is left comes to its end.
        if named.isEmpty { return try await run(job, (nil, subject), named, plan, limits, display, environment, reaches) }
        try await confirm(named.count, environment)
        let preparation = HostPreparation(hosts: hosts, limits: limits, isQuiet: show.quiet)
        let secrets = try await preparation.perform(named, in: environment)
        let password = try await sudo?.password(mayAsk: environment.canAsk)
        try job.transfer?.prepare()
        job.sudo = password
        noteIgnoredInput()
        let keepsJournal = show.directory(home: environment.home) != nil || resumption != nil
        let read = try await input.settled(subject, resumption, keepsJournal: keepsJournal)
        if let shared = read.input { job.input = .shared(shared) }
        return try await run(job, read, named, plan, limits, display, environment, reaches.with(secrets))
    }

    /// Whether standard input is read for something else.
    private var readsInput: Bool { selection.readsInput || StandardInputName.all.contains(subject.scriptPath ?? "") }

    /// Nothing that is given to us is dropped in silence.
    private func noteIgnoredInput() {
        guard !show.quiet, ignoredInput.hasBytes else { return }
        FleetProcess.note("what is piped in is not given to the hosts: the script itself is what they read")
    }

    private func select() throws -> [NamedHost] {
        let (hosts, notices) = try selection.named(expression)
        if !show.quiet { notices.forEach(FleetProcess.note) }
        return hosts
    }

    private func confirm(_ count: Int, _ environment: LaunchEnvironment) async throws {
        guard count > Self.mostUnasked, !pace.yes, environment.canAsk else { return }
        let text = "About to \(job.intent) on \(count) hosts.\n"
        guard let answer = try await FleetProcess.ask("Type the number of hosts to begin: ", after: text) else { return }
        guard answer == "\(count)" else {
            throw UsageProblem(
                field: "hosts", problem: "the number that was typed is not \(count), and nothing was begun; --yes does not ask")
        }
    }

    private func run(
        _ job: FleetJob, _ read: RunInputChoice.Settled, _ named: [NamedHost], _ plan: EnginePlan, _ limits: FleetLimits,
        _ options: FleetDisplay.Options,
        _ environment: LaunchEnvironment, _ reaches: HostReaches
    ) async throws -> ExitStatus {
        let journal =
            try resumption.map { try resume($0) }
            ?? show.directory(home: environment.home).map { try makeJournal(in: $0, named, read.subject) }
        let names = named.map(\.name)
        var poolLimits = SSHHopPool.Limits()
        poolLimits.connectionsPerHop = limits.connectionsPerJumpHost
        let agents = SharedAgents()
        let status = try await SSHHopPool.withHops(limits: poolLimits) { hops in
            let work = SSHHostWork(job, hops: hops, agents: agents) { name in
                let reach = try reaches.reach(name)
                var result = HostReach(reach.endpoint, reach.configuration)
                result.options = reach.options
                return result
            }
            var setting = FleetSetting(
                run: journal?.name ?? Fleet.makeName(), names: names, command: Redactor.standard.text(job.title), plan: plan,
                work: work,
                output: OutputPolicy(limit: try show.limit(options.modes, journal: journal != nil), streams: false))
            setting.memory = limits.memory.bytes
            setting.transfer = job.transfer
            setting.doesMore = job.mayFail
            setting.journal = journal
            setting.input = read.input
            setting.sudo = job.sudo
            setting.recordsInput = resumption == nil
            setting.journalPlace = journal?.path
            setting.earlier = try resumption?.earlier() ?? []
            setting.between = pace.gate
            var conversation = try FleetConversation(options, setting)
            conversation.takesKeys = !readsInput
            return try await conversation.perform()
        }
        await agents.close()
        return status
    }

    private func makeJournal(in directory: JournalDirectory, _ hosts: [NamedHost], _ subject: RunSubject) throws -> SQLiteJournal
    {
        let access = Dictionary(hosts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let (keepsOutput, keepsCommand) = (try show.keepsOutput(), try show.keepsCommand())
        let whole = subject.with(arguments: FleetArguments.all)
        return try JournalPlace.refusing("--journal") { () throws(JournalProblem) in
            try SQLiteJournal.create(
                keepsCommand ? whole : whole.withoutWords(), hosts: hosts.map(\.name),
                access: { try access[$0]?.json(keepsArguments: keepsCommand) },
                in: directory,
                keepsOutput: keepsOutput)
        }
    }

    private func resume(_ resumption: Resumption) throws -> SQLiteJournal {
        let journal = try JournalPlace.refusing("run") { () throws(JournalProblem) in
            try SQLiteJournal.resume(resumption.path, as: subject)
        }
        guard try resumption.begin() == resumption.hosts.map(\.name) else {
            throw UsageProblem(field: "run", problem: "another process has gone on with it in the meantime; resume it again")
        }
        return journal
    }
}
