internal import BridgeSSH
internal import BridgeSSHFleet
internal import ErrorCore
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun
internal import Synchronization

/// A requested run. Everything is checked, and every question asked, before the first host is contacted.
struct FleetInvocation {
    let expression: String
    let selection: HostSelectionOptions
    var job: FleetJob
    var subject: RunSubject
    let hosts: HostOptions
    let command: SharedCommandOptions?
    let sudo: SudoOptions?
    var pace: PaceOptions
    var show: ShowOptions
    var reports: ReportOptions
    /// The input for the hosts: standard input or a file.
    var input = RunInputChoice(.none)
    /// Input on standard input that the hosts do not get.
    var ignoredInput = HostInput.none
    /// The file of `--prometheus`.
    var metrics: String?
    var maker = ConnectionMaker.libssh2
    /// The run to resume; nil for a new run.
    var resumption: ResumedRun?
    /// The shard, if this run is one; nil for a whole run.
    var shard: ShardRun?

    /// From this number of hosts on, a person at a terminal must confirm by typing the number.
    private static let maximumUnaskedHosts = 100

    /// - Throws: `UsageProblem`, `SSHError`, `CancellationError`.
    func perform() async throws -> SSHExitStatus {
        let environment = FleetProcess.environment()
        let named = try resumption?.hosts ?? shard?.hosts ?? select()
        let display = try show.display()
        let reports = try self.reports.files(isQuiet: show.quiet, metrics: metrics)
        let limits = try pace.limits(hosts)
        var plan = try pace.plan(hosts: named.count, of: resumption?.count, limits, runsCommand: job.mayFail)
        var job = job
        job.variables = command?.variables.map(\.name) ?? []
        job.transfer?.fit(&plan)
        let options = try command?.options() ?? SSHCommandOptions()
        try hosts.check(maker, options)
        let accessTable = try HostAccessTable(
            named,
            HostAccess(
                hosts, command: options, session: job.session, copies: job.transfer != nil, by: maker, in: environment, .init()))
        plan.addresses = AddressNumbers.of(accessTable.endpoints)
        let said = accessTable.warnings + hosts.missingIdentities(home: environment.home)
        if !show.quiet { said.forEach(FleetProcess.note) }
        if pace.dryRun {
            DryRun(
                job: job, hosts: named, plan: plan, limits: limits, between: pace.between, input: input.text,
                isRoot: sudo?.isAskedFor ?? false
            ).show()
            return .success
        }
        // A run without remaining hosts ends.
        if named.isEmpty {
            return try await run(job, (nil, subject), named, plan, limits, display, environment, accessTable, nil, reports)
        }
        try display.modes.makeDirectories()
        if shard == nil { try await confirm(named.count, environment) }
        let statusFile = try command?.statusFile(home: environment.home)
        let preparation = HostPreparation(
            hosts: hosts, session: job.session, limits: limits, isQuiet: show.quiet)
        let secrets = try await preparation.perform(named, in: environment)
        let password = try await sudo?.password(mayAsk: environment.canAsk)
        try job.transfer?.prepare()
        job.sudo = password
        noteIgnoredInput()
        let keepsJournal = show.directory(home: environment.home) != nil || resumption != nil
        let read = try await input.resolved(subject, resumption, keepsJournal: keepsJournal, isPlanned: shard != nil)
        if let shared = read.input { job.input = .shared(shared) }
        return try await run(job, read, named, plan, limits, display, environment, accessTable.with(secrets), statusFile, reports)
    }

    /// Whether standard input is used for something else.
    private var readsInput: Bool { selection.readsInput || StandardInputName.all.contains(subject.scriptPath ?? "") }

    /// Input that is ignored is reported.
    private func noteIgnoredInput() {
        guard !show.quiet, ignoredInput.hasBytes else { return }
        let reason =
            job.shell == nil ? "the hosts read the script on standard input" : "with --shell only the command is typed"
        FleetProcess.note("piped input is ignored: \(reason)")
    }

    private func select() throws -> [NamedHost] {
        let (hosts, notices) = try selection.named(
            expression, journal: show.journal, configuration: hosts.configurationFile)
        if !show.quiet { notices.forEach(FleetProcess.note) }
        return hosts
    }

    private func confirm(_ count: Int, _ environment: LaunchEnvironment) async throws {
        guard count > Self.maximumUnaskedHosts, !pace.yes, environment.canAsk else { return }
        let text = "About to \(job.intent) on \(count) hosts.\n"
        guard let answer = try await FleetProcess.ask("Type the number of hosts to begin: ", after: text) else { return }
        guard answer == "\(count)" else {
            throw UsageProblem(
                field: "hosts", problem: "the number that was typed is not \(count), and nothing was begun; --yes does not ask")
        }
    }

    private func run(
        _ job: FleetJob, _ read: RunInputChoice.ResolvedInput, _ named: [NamedHost], _ plan: EnginePlan, _ limits: FleetLimits,
        _ options: FleetDisplay.Options,
        _ environment: LaunchEnvironment, _ accessTable: HostAccessTable, _ statusFile: StatusFile?, _ reports: ReportFiles?
    ) async throws -> SSHExitStatus {
        let journal = try journal(named, read.subject, home: environment.home)
        let names = named.map(\.name)
        return try await FleetConnections.with(perJumpHost: limits.connectionsPerJumpHost) { connections in
            let work: any HostRunner =
                maker == .ssh
                ? OpenSSHHostRunner(job: job, accessTable: accessTable, variables: command?.variables ?? [])
                : SSHHostRunner(job, connections) { name in
                    let connection = try accessTable.connection(to: name)
                    var result = HostAccessSettings(connection.endpoint, connection.configuration)
                    result.options = connection.options
                    return result
                }
            var setting = FleetRunConfiguration(
                run: journal?.name ?? Fleet.makeName(), job: job, on: names, plan: plan, limits, work: work,
                output: OutputPolicy(
                    limit: try show.limit(options.modes, journal: journal != nil, html: self.reports.html != nil), streams: false)
            )
            setting.via = maker.rawValue
            if let journal { setting.journal = claims(for: journal).map { ShardJournal(journal, $0) } ?? journal }
            setting.input = read.input
            setting.recordsInput = resumption == nil
            setting.journalPlace = journal?.path
            setting.earlier = try resumption?.earlier() ?? []
            setting.between = pace.gate
            setting.commands = command?.commandStatus ?? .remote
            var options = options
            if let journal {
                options.run =
                    shard?.reference(to: journal.name)
                    ?? show.reference(
                        to: journal.name, file: resumption?.file, subject: read.subject.with(arguments: ProcessArguments.all),
                        inventory: selection.inventoryWords, home: environment.home)
            }
            var conversation = try InteractiveFleetRun(options, setting)
            conversation.takesKeys = !readsInput
            let sum = SummaryBox()
            let keepsCommand = try show.keepsCommand()
            let collector = reports.map {
                ReportCollector($0, setting, keepsCommand ? subject : subject.withoutCommandText(), options.run)
            }
            conversation.observe = { event in
                if case .summary(let summary) = event { sum.summary = summary }
                collector?.take(keepsCommand ? event : event.withoutCommandText)
            }
            var status = try await conversation.perform()
            if let collector { status = try reported(collector, status) }
            return sum.summary.flatMap { statusFile?.write(StatusLine($0)) }.map { lost($0, status) } ?? status
        }
    }

    private func journal(_ hosts: [NamedHost], _ subject: RunSubject, home: String) throws -> SQLiteJournal? {
        if let resumption { return try resume(resumption) }
        if let shard { return try shard.makeJournal(keepsOutput: try show.keepsOutput()) }
        return try show.directory(home: home).map { try makeJournal(in: $0, hosts, subject) }
    }

    /// The claims of the plan, if this run is a shard or a resumed merged run.
    private func claims(for journal: SQLiteJournal) -> ShardClaims? {
        if let shard { return ShardClaims(shard.claims, journal: journal.name) }
        guard let resumption, let claims = resumption.claims else { return nil }
        return ShardClaims(
            claims, journal: ShardDirectory.owner(ofMerged: journal.path, run: journal.name), overridden: resumption.overridden)
    }

    private func makeJournal(in directory: JournalDirectory, _ hosts: [NamedHost], _ subject: RunSubject) throws -> SQLiteJournal
    {
        let access = Dictionary(hosts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let (keepsOutput, keepsCommand) = (try show.keepsOutput(), try show.keepsCommand())
        let whole = subject.with(arguments: ProcessArguments.all)
        return try JournalLocation.refusing("--journal") { () throws(JournalProblem) in
            try SQLiteJournal.create(
                keepsCommand ? whole : whole.withoutCommandText(), hosts: hosts.map(\.name),
                access: { try access[$0]?.json(keepsArguments: keepsCommand) },
                in: directory,
                keepsOutput: keepsOutput)
        }
    }

    private func resume(_ resumption: ResumedRun) throws -> SQLiteJournal {
        let journal: SQLiteJournal
        do {
            journal = try SQLiteJournal.resume(resumption.path, as: subject)
        } catch {
            throw shard?.problem(error) ?? error.refusal("run")
        }
        guard try resumption.begin() == resumption.hosts.map(\.name) else {
            let problem = "another process has resumed it in the meantime"
            if shard != nil { throw ShardRestartRequired(text: problem) }
            throw UsageProblem(field: "run", problem: problem + "; resume it again")
        }
        return journal
    }

    /// Writes the reports. A report that cannot be written is a failure, but a command's failure takes precedence.
    private func reported(_ collector: ReportCollector, _ status: SSHExitStatus) throws -> SSHExitStatus {
        do {
            try collector.write(whole: resumption.map { try JournalReader($0.path, check: nil) })
            return status
        } catch let error as SSHError {
            FleetProcess.show(error)
        } catch let problem as JournalProblem {
            FleetProcess.note("no report was written: \(problem.text)")
        }
        return status == .success ? .localFailure : status
    }

    /// The status after a status file could not be written: never success.
    private func lost(_ problem: String, _ status: SSHExitStatus) -> SSHExitStatus {
        if !show.quiet { FleetProcess.note("the status file was not written: \(problem)") }
        return status == .success ? .localFailure : status
    }
}

/// The summary of the run, once it exists.
private final class SummaryBox: Sendable {
    private let state = Mutex<FleetSummary?>(nil)

    var summary: FleetSummary? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension StatusLine {
    /// The exit status of all hosts if they ended alike.
    init(_ summary: FleetSummary) {
        guard summary.groups.count == 1, let group = summary.groups.first, summary.whole.map({ $0.hosts == group.count }) ?? true
        else {
            self = .mixed
            return
        }
        self.init(exitStatus: group.exitStatus, signal: nil, code: group.code)
    }
}
