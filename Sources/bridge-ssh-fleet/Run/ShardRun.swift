internal import ArgumentParser
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun

/// One shard of a plan, run by this process.
struct ShardRun {
    let directory: ShardDirectory
    let plan: ShardPlan
    let digest: [UInt8]
    let number: Int
    let own: [String]
    /// The hosts of the shard; if it is resumed, those that are left.
    private(set) var hosts: [NamedHost] = []

    /// The exit status of a shard that must be started again: EX_TEMPFAIL of sysexits.h.
    static let again = SSHExitStatus(rawValue: 75)

    /// - Parameters:
    ///   - shard: the value of `--shard`.
    ///   - own: options to add to those of the plan.
    /// - Throws: `UsageProblem`.
    init(_ directory: ShardDirectory, _ shard: String, own: [String]) throws {
        self.directory = directory
        self.own = own
        (plan, digest) = try JournalLocation.refusing("--plan") { () throws(JournalProblem) in try directory.read() }
        do throws(ShardNumber.Problem) {
            number = try ShardNumber.parse(shard, of: plan.shards, environment: FleetProcess.variable)
        } catch {
            throw UsageProblem(field: "--shard", problem: error.text)
        }
        hosts = try plan.hosts(of: number).map { host in
            guard let access = host.access else { return NamedHost(name: host.name) }
            do { return try NamedHost(json: access) } catch {
                throw UsageProblem(field: "--plan", problem: "how \(host.name) is reached cannot be read: \(error)")
            }
        }
    }

    var claims: String { directory.claims }

    /// The plan digest in this shard's journal.
    var shardDigest: [UInt8] { ShardPlan.digest(digest, ofShard: number) }

    var path: String { directory.database(ofShard: number) }

    /// The command that starts this shard again.
    private var words: String { "bridge-ssh fleet run --plan \(directory.path.shellWord) --shard \(number)/\(plan.shards)" }

    /// Makes the invocation resume the shard's journal.
    func resume(_ invocation: inout FleetInvocation) throws {
        let path = path
        do throws(JournalProblem) {
            let reader = try JournalReader(path)
            let info = try reader.info()
            guard info.subject.planDigest == shardDigest else {
                throw JournalProblem(
                    .other, path,
                    "\(path) is not the journal of shard \(number) of this plan: the plan has been changed, or two files have been "
                        + "exchanged; put the right one there")
            }
            let plan = ResumePlan(try reader.records())
            let left = Set(plan.begin)
            let hosts = hosts.filter { left.contains($0.name) }
            if !invocation.show.quiet {
                FleetProcess.note(
                    "shard \(number) of \(self.plan.shards): \(plan.done.count) of \(Formatted.hosts(info.hosts)) done, "
                        + "\(hosts.isEmpty ? "none" : String(hosts.count)) left to run"
                        + (plan.withheld.isEmpty ? "" : "; \(plan.withheld.count) may have run, and are left out"))
            }
            invocation.resumption = ResumedRun(
                path: path, file: path, run: info.name, subject: info.subject, words: " \(path.shellWord)", hosts: hosts,
                begin: {
                    try JournalLocation.refusing("--shard") { () throws(JournalProblem) in
                        ResumePlan(try JournalReader(path).records()).begin
                    }
                },
                count: info.hosts)
        } catch {
            throw problem(error)
        }
    }

    /// Creates the journal of a new shard.
    func makeJournal(keepsOutput: Bool) throws -> SQLiteJournal {
        let known = Dictionary(plan.hosts(of: number).map { ($0.name, $0.access) }) { first, _ in first }
        do throws(JournalProblem) {
            return try SQLiteJournal.create(
                plan.subject(planDigest: shardDigest), hosts: hosts.map(\.name),
                access: { known[$0] ?? nil }, at: path, keepsOutput: keepsOutput)
        } catch {
            throw problem(error)
        }
    }

    /// The error for a journal that cannot be used: another process may be running the shard, or the disk may have space later.
    func problem(_ problem: JournalProblem) -> any Error {
        switch problem.kind {
        case .inUse:
            ShardRestartRequired(text: "another process runs shard \(number) of \(plan.shards): \(problem.text)")
        case .full, .failed, .readOnly:
            ShardRestartRequired(text: "shard \(number) of \(plan.shards) was not begun: \(problem.text)")
        default: UsageProblem(field: "--shard", problem: problem.text)
        }
    }

    /// How messages name the run.
    func reference(to run: String) -> RunReference {
        RunReference(run: run, file: path, option: "", shard: words)
    }

    /// The exit status: 0 if every host has an outcome. A host that this machine interrupted has none. The command did not
    /// run either on a host whose journal entry or claim could not be written.
    func concluded(_ status: SSHExitStatus) throws -> SSHExitStatus {
        let records: [HostRecord]
        do { records = try JournalReader(path, check: nil).records() } catch { throw problem(error) }
        let isOwnFault = records.contains { record in
            record.outcome == .error
                && ["ssh.local.cancelled", "ssh.sftp.local-"].contains { record.code?.hasPrefix($0) ?? false }
        }
        if isOwnFault { return Self.again }
        if records.contains(where: { $0.outcome == .skipped }) { return status == .stopped ? status : Self.again }
        // A requested file or output could not be written.
        return status == .localFailure || status == .outputClosed ? status : .success
    }
}

/// The shard could not begin, but may later.
struct ShardRestartRequired: Error {
    let text: String
}

extension ShardOptions {
    /// The requested shard; nil for none.
    ///
    /// - Parameter words: the words after the options.
    /// - Throws: `UsageProblem`.
    func shard(_ words: [String]) throws -> ShardRun? {
        guard let plan else {
            guard shard == nil else {
                throw UsageProblem(field: "--shard", problem: "it needs --plan DIRECTORY; `bridge-ssh fleet plan` writes a plan")
            }
            return nil
        }
        guard let shard else {
            throw UsageProblem(field: "--plan", problem: "say which shard: --shard K/N, or --shard auto in an array of tasks")
        }
        guard words.isEmpty else {
            throw UsageProblem(
                field: words[0], problem: "the plan has the hosts and the command; leave them out, or --plan and --shard")
        }
        return try ShardRun(ShardDirectory(plan), shard, own: ShardWords.without(["--plan", "--shard"], ProcessArguments.all))
    }
}

/// Selects one shard of a plan instead of hosts and a command.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run one shard of the plan in this directory, in place of hosts and a command; see bridge-ssh fleet plan --help.",
            valueName: "directory"),
        completion: .directory,
        transform: FileName.parse)
    var plan: String?

    @Option(
        help: ArgumentHelp(
            "Which shard: K of 0 to N−1, K/N, or auto for the task's number in the environment of Slurm, Kubernetes, AWS Batch or "
                + "Nomad.",
            valueName: "K/N|auto"))
    var shard: String?
}

/// Removes options from the words of a command line.
enum ShardWords {
    /// - Parameters:
    ///   - options: the options to remove, each with a value.
    ///   - words: the subcommand and its options.
    /// - Returns: the remaining words after the subcommand.
    static func without(_ options: [String], _ words: [String]) -> [String] {
        var kept: [String] = []
        var rest = words.dropFirst()[...]
        while let word = rest.popFirst() {
            if options.contains(word) {
                rest = rest.dropFirst()
            } else if !options.contains(where: { word.hasPrefix($0 + "=") }) {
                kept.append(word)
            }
        }
        return kept
    }
}
