internal import BridgeSSH
internal import SSHRun

/// The journal in which a fleet run records each step durably before it takes it. A run that was interrupted, even by a crash,
/// can then be resumed without running a command twice on a host.
///
/// ```swift
/// var options = FleetOptions()
/// options.journal = FleetJournal(in: "/var/lib/deploy/runs")
/// try await Fleet.run(.command("deploy"), on: hosts, configuration: configuration, options: options)
/// // After a crash, with the same command and hosts:
/// options.journal = FleetJournal(in: "/var/lib/deploy/runs", resuming: "last")
/// try await Fleet.run(.command("deploy"), on: hosts, configuration: configuration, options: options)
/// ```
/// `bridge-ssh fleet list` and `fleet report` read it, too. A journal is removed 30 days after its run; the newest 100 are always
/// kept.
public struct FleetJournal: Sendable, Hashable {
    /// A directory to which only this user can write; created if it is missing.
    public var directory: String
    /// The run to resume: its name, a prefix of its name, or `last`; nil for a new run. The command, script or copy and the hosts
    /// must be those of that run. Hosts on which the command ran or may have run are left out.
    public var resuming: String?
    /// Further hosts that a resumed run runs again: those on which the command failed (``FleetHostOutcome/failed``) or may have
    /// run (``FleetHostOutcome/unknown``). Other outcomes have no effect.
    public var again: Set<FleetHostOutcome>
    /// Whether the hosts' output is kept. Default true.
    public var keepsOutput: Bool
    /// Whether the text of the command is kept; text that looks like a secret is removed. Default true.
    public var keepsCommand: Bool

    /// A journal in a directory.
    public init(
        in directory: String, resuming: String? = nil, again: Set<FleetHostOutcome> = [], keepsOutput: Bool = true,
        keepsCommand: Bool = true
    ) {
        self.directory = directory
        self.resuming = resuming
        self.again = again
        self.keepsOutput = keepsOutput
        self.keepsCommand = keepsCommand
    }

    /// The names of the runs in the directory, newest first.
    ///
    /// - Throws: `SSHError` if they cannot be read.
    public func runs() throws -> [String] { try translating { () throws(JournalProblem) in try RunHistory(place).names() } }

    /// The result of every host of a run, in the order of the run, with the output that was kept. A host is
    /// ``FleetHostOutcome/unknown`` if its command began and its end is not known, and ``FleetHostOutcome/skipped`` if it was not
    /// begun.
    ///
    /// - Parameter run: its name, a prefix of its name, or `last`.
    /// - Throws: `SSHError`: `ssh.local.usage` if there is no such run; a file's code if its journal cannot be read.
    public func results(of run: String) throws -> [FleetHostResult] {
        do {
            let reader = try JournalReader(RunHistory(place).path(of: run))
            var ended: [String: FleetHostResult] = [:]
            try reader.results { ended[$0.host] = $0 }
            return try reader.records().map { record in
                ended[record.host] ?? FleetHostResult(host: record.host, outcome: record.outcome)
            }
        } catch let problem as JournalProblem {
            throw problem.libraryVerdict
        }
    }

    private var place: JournalDirectory { JournalDirectory(directory) }

    private func translating<Value>(_ body: () throws(JournalProblem) -> Value) throws -> Value {
        do throws(JournalProblem) { return try body() } catch { throw error.libraryVerdict }
    }
}

extension FleetJournal {
    struct Resumption {
        let path: String
        /// The hosts to run, in the order of the run.
        let begin: [String]
        /// The number of hosts of the whole run.
        let count: Int
        /// The earlier results of the hosts on which the command ran or may have run.
        let earlier: [FleetHostResult]
        let isIdempotent: Bool
    }

    /// Reads the run to resume; nil for a new run.
    ///
    /// - Parameter isIdempotent: whether a command may run twice on a host.
    /// - Throws: `SSHError`: `ssh.local.usage` if that run had another subject or other hosts.
    func resumption(_ subject: RunSubject, input: [UInt8], hosts: [String], isIdempotent: Bool) throws -> Resumption? {
        guard let resuming else { return nil }
        return try translating { () throws(JournalProblem) in
            let path = try RunHistory(place).path(of: resuming)
            let reader = try JournalReader(path)
            let info = try reader.info()
            if let reason = info.subject.reasonNotResumable(as: subject, of: info.name) { throw other(path, info.name, reason) }
            if let read = info.subject.input, read.isKnown, !info.subject.hasRead(RunSubject.digest(input)) {
                throw other(path, info.name, "its hosts read another input")
            }
            let records = try reader.records()
            let (known, wanted) = (Set(records.map(\.host)), Set(hosts))
            if let missing = records.first(where: { !wanted.contains($0.host) }) {
                throw other(path, info.name, "it has the host \(missing.host), which is not given now")
            }
            if let more = hosts.first(where: { !known.contains($0) }) {
                throw other(path, info.name, "it does not have the host \(more), which is given now")
            }
            let isIdempotent = isIdempotent || info.subject.isRepeatable
            return Resumption(
                path: path, begin: begin(records, isIdempotent), count: info.hosts, earlier: try reader.earlier(),
                isIdempotent: isIdempotent)
        }
    }

    private func begin(_ records: [HostRecord], _ isIdempotent: Bool) -> [String] {
        let kinds = Set(again.compactMap { ResumePlan.RepeatedOutcome(rawValue: $0.rawValue) })
        return ResumePlan(records, isIdempotent: isIdempotent, again: kinds).begin
    }

    private func other(_ path: String, _ run: String, _ why: String) -> JournalProblem {
        JournalProblem(.other, path, "the run \(run) cannot be resumed with this: \(why)")
    }

    /// Opens the journal of a new run, or of the one to resume.
    ///
    /// - Throws: `SSHError`.
    func open(_ subject: RunSubject, hosts: [String], _ resumption: Resumption?) throws -> SQLiteJournal {
        try translating { () throws(JournalProblem) in
            if let resumption {
                let journal = try SQLiteJournal.resume(resumption.path, as: subject)
                // From here on no other process writes to it.
                let records = try JournalReader(resumption.path, check: nil).records()
                guard begin(records, resumption.isIdempotent) == resumption.begin else {
                    throw JournalProblem(
                        .inUse, resumption.path,
                        "another process has resumed the run \(journal.name) in the meantime; resume it again")
                }
                return journal
            }
            return try SQLiteJournal.create(
                keepsCommand ? subject : subject.withoutCommandText(), hosts: hosts, in: place, keepsOutput: keepsOutput)
        }
    }
}

extension JournalProblem {
    /// The verdict for users of the library: it names no command-line options.
    var libraryVerdict: SSHError {
        let words = text.split(separator: "; ").filter { !$0.contains("--journal") && !$0.contains("bridge-ssh fleet") }
        let said = words.isEmpty ? text : words.joined(separator: "; ")
        switch kind {
        case .full, .readOnly, .failed: return JournalProblem(kind, path, said).verdict
        case .missing, .foreign, .damaged, .unsafe, .newer, .inUse, .other:
            return UsageProblem(field: "journal", problem: said).verdict(ofSubcommand: nil)
        }
    }
}
