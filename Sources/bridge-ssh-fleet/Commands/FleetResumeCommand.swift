internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet resume`: continues an interrupted run.
struct FleetResumeCommand: FleetSubcommand {
    static let name = "fleet resume"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "resume", abstract: "Continue a run on the hosts where the command did not run.",
            usage: "bridge-ssh fleet resume [<options>] <run> [-- <subcommand> …]",
            discussion: """
                Hosts on which the command may have run are left out, unless --again unknown or --idempotent asks for them; a \
                copy is continued on such hosts with the files that they do not have completely, because copying twice does no \
                harm. The run's own options apply, except those below. The exit status and the totals are those of the whole \
                run: a host that was ok before counts as ok, and a host that is left out as unknown.

                What the hosts read on standard input is not kept: give the same again. It is compared before the first host.

                If options of the run look like secrets, the journal lacks them: give the run's arguments again after --.

                EXAMPLES
                  bridge-ssh fleet resume 20261123-021032-123k7f
                  bridge-ssh fleet resume --again failed last
                  bridge-ssh fleet resume last < motd
                  bridge-ssh fleet resume last -- run --env TOKEN=… 'web[1-9]' deploy
                """)
    }

    @Option(
        help: ArgumentHelp(
            "Also the hosts where the command failed, or where it may have run: failed, unknown. Repeatable.",
            valueName: "failed|unknown"))
    var again: [String] = []

    @Flag(help: "The command may run twice on a host: also those where it may have run.")
    var idempotent = false

    @Option(help: ArgumentHelp("Hosts at once, instead of the run's number.", valueName: "number|auto"))
    var parallel: String?

    @Flag(help: "Do not ask to confirm the number of hosts.")
    var yes = false

    @Flag(help: "Say what would be done, and connect to nothing.")
    var dryRun = false

    @OptionGroup(title: "Output and journal") var show: ShowOptions
    @OptionGroup(title: "Output and journal") var reports: ReportOptions

    @Argument(help: ArgumentHelp("The run: last, its name, the start of its name, or its file.", valueName: "run"))
    var run: String

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The original subcommand with all its arguments.", valueName: "subcommand"))
    var words: [String] = []

    func perform() async throws -> SSHExitStatus {
        let environment = FleetProcess.environment()
        let kinds = try kinds()
        guard show.journal != "none" else {
            throw UsageProblem(field: "--journal", problem: "a run that has no journal cannot be resumed; name a directory")
        }
        let directory = JournalLocation.directory(show.journal, home: environment.home)
        let history = RunHistory(directory)
        let path = try JournalLocation.refusing(run) { () throws(JournalProblem) in try history.path(of: run) }
        let info = try JournalLocation.refusing(run) { () throws(JournalProblem) in try JournalReader(path).info() }
        try refuseShard(info)
        var invocation = try resumed(info, words(for: info, directory))
        invocation.subject.planDigest = info.subject.planDigest
        if let reason = info.subject.reasonNotResumable(as: invocation.subject, of: info.name) {
            throw UsageProblem(field: run, problem: "the run \(info.name) cannot be resumed with this: \(reason)")
        }
        let plan = try plan(info, kinds)
        report(plan, info)
        (invocation.show, invocation.reports) = (show, reports)
        invocation.pace.parallel = parallel ?? invocation.pace.parallel
        invocation.pace.yes = yes
        invocation.pace.dryRun = dryRun
        invocation.resumption = ResumedRun(
            path: path, file: run.contains("/") ? run : nil, run: info.name, subject: info.subject,
            words: words(for: info, directory), hosts: try hosts(plan, path, invocation),
            begin: { try self.plan(info, kinds).begin }, count: info.hosts)
        invocation.resumption?.claims = try claims(info)
        invocation.resumption?.overridden = Set(plan.repeated)
        return try await invocation.perform()
    }

    /// A shard is resumed with its plan, whose claims keep other copies of the shard away from its hosts.
    private func refuseShard(_ info: RunInfo) throws {
        guard info.subject.planDigest != nil, ShardDirectory.isJournalOfShard(info.path) else { return }
        let directory = info.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        throw UsageProblem(
            field: run,
            problem:
                "it is the journal of a shard; continue with `bridge-ssh fleet run --plan \((directory.isEmpty ? "." : directory).shellWord) --shard K`"
        )
    }

    /// The directory of a merged run's claims; nil for a run that was not merged.
    private func claims(_ info: RunInfo) throws -> String? {
        guard let digest = info.subject.planDigest else { return nil }
        return try JournalLocation.refusing(run) { () throws(JournalProblem) in
            try ShardDirectory(ofMerged: info.path, planDigest: digest).claims
        }
    }

    /// The arguments that identify the run even if others have begun since, with a leading space.
    private func words(for info: RunInfo, _ directory: JournalDirectory) -> String {
        run.contains("/") ? " \(run.shellWord)" : "\(directory.option) \(info.name)"
    }

    /// The invocation from the run's own arguments.
    private func resumed(_ info: RunInfo, _ own: String) throws -> FleetInvocation {
        var words = words
        if let option = words.first, option.hasPrefix("-"), option != "--" {
            throw UsageProblem(field: option, problem: "options must come before the run: move it before \(run.shellWord)")
        }
        if words.first == "--" { words.removeFirst() }
        if words.isEmpty {
            guard info.subject.areArgumentsWhole, !info.subject.arguments.isEmpty else {
                throw UsageProblem(
                    field: run,
                    problem: "the journal leaves out arguments of this run, such as secrets; give them again: "
                        + "bridge-ssh fleet resume\(own) -- \(info.subject.kind) …")
            }
            words = info.subject.arguments
        }
        guard let command = try parsed(words) as? any ResumableSubcommand else {
            throw UsageProblem(field: run, problem: "\(words.first ?? "") is not a subcommand whose run can be resumed")
        }
        return try command.invocation()
    }

    private func parsed(_ words: [String]) throws -> any ParsableCommand {
        do {
            return try FleetParser.parse(words)
        } catch {
            throw UsageProblem(field: run, problem: "its arguments cannot be read: \(FleetCommand.message(for: error))")
        }
    }

    /// - Throws: `UsageProblem`.
    private func kinds() throws -> Set<ResumePlan.RepeatedOutcome> {
        var kinds: Set<ResumePlan.RepeatedOutcome> = []
        for word in again.flatMap({ $0.split(separator: ",") }) {
            guard let kind = ResumePlan.RepeatedOutcome(rawValue: String(word)) else {
                throw UsageProblem(field: "--again", problem: "\"\(word)\" is neither failed nor unknown")
            }
            kinds.insert(kind)
        }
        return kinds
    }

    private func plan(_ info: RunInfo, _ kinds: Set<ResumePlan.RepeatedOutcome>) throws -> ResumePlan {
        let records = try JournalLocation.refusing(run) { () throws(JournalProblem) in try JournalReader(info.path).records() }
        return ResumePlan(records, isIdempotent: idempotent || info.subject.isRepeatable, again: kinds)
    }

    private func hosts(_ plan: ResumePlan, _ path: String, _ invocation: FleetInvocation) throws -> [NamedHost] {
        let access = try JournalLocation.refusing(run) { () throws(JournalProblem) in
            try JournalReader(path).access { try NamedHost(json: $0) }
        }
        let hosts = plan.begin.map { access[$0] ?? NamedHost(name: $0) }
        guard hosts.contains(where: { $0.isIncomplete == true }) else { return hosts }
        // The inventory must say again how these hosts are reached.
        let known = Dictionary(
            try invocation.selection.named(
                invocation.expression, journal: show.journal, configuration: invocation.hosts.configurationFile
            ).hosts.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
        return try hosts.map { host in
            guard host.isIncomplete == true else { return host }
            guard let found = known[host.name] else {
                throw UsageProblem(
                    field: run,
                    problem:
                        "the journal leaves out how \(host.name) is reached, which may show a secret, and the inventory has no "
                        + "such host any more")
            }
            return found
        }
    }

    private func report(_ plan: ResumePlan, _ info: RunInfo) {
        guard !show.quiet else { return }
        let done = "\(plan.done.count) of \(Formatted.hosts(info.hosts)) done"
        FleetProcess.note(
            "run \(info.name): \(done), " + (plan.begin.isEmpty ? "none left to run" : "\(plan.begin.count) to run"))
        guard !plan.withheld.isEmpty else { return }
        let folded = (try? HostSet(plan.withheld.map { FleetHost(name: $0) }).folded) ?? plan.withheld.joined(separator: ",")
        FleetProcess.note(
            "left out, because it may have run there: \(folded); look there first, then --again unknown runs it again")
    }
}
