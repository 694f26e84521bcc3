import BridgeSSH
import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Merges the journals of all shards into one run. Merging again gives the same run.
package struct ShardMerge {
    package struct Result: Sendable, Equatable {
        /// The name of the run, and the path of its journal.
        package var run = ""
        package var path = ""
        package var shards = 0
        /// The shards that have hosts and no journal.
        package var missing: [Int] = []
        /// The number of hosts for each outcome. Hosts that no shard has begun count as skipped.
        package var outcomes: [FleetHostOutcome: Int] = [:]
        /// The exit status of a run with these outcomes.
        package var exitStatus = SSHExitStatus.success
    }

    private let directories: [ShardDirectory]
    private let plan: ShardPlan
    private let digest: [UInt8]
    /// The journals of each shard.
    private var sources: [Int: [RunInfo]] = [:]

    /// Examines the journals and writes nothing.
    ///
    /// - Parameter directories: directories of one plan. The first must contain the plan; others may, too.
    /// - Throws: `JournalProblem` for a journal of another plan, and for a shard that is running.
    package init(_ directories: [ShardDirectory]) throws(JournalProblem) {
        guard let first = directories.first else { throw JournalProblem(.missing, "", "no directory of shards is named") }
        self.directories = directories
        (plan, digest) = try first.read()
        for other in directories.dropFirst() where JournalFiles.isThere(other.plan) {
            guard try other.read().digest == digest else {
                throw JournalProblem(.other, other.plan, "\(other.plan) is another plan than \(first.plan)")
            }
        }
        let shards = Dictionary(
            uniqueKeysWithValues: (0..<plan.shards).map { (ShardPlan.digest(digest, ofShard: $0), $0) })
        for directory in directories {
            for entry in try JournalDirectory.ofPlan(directory.path).entries().sorted() where entry.hasSuffix(".sqlite") {
                let path = "\(directory.path)/\(entry)"
                guard !JournalLock.isHeld(path) else {
                    throw JournalProblem(.inUse, path, "the shard of \(path) is running; merge again when it has ended")
                }
                let info = try JournalReader(path, check: .rows).info()
                guard let shard = shards[info.subject.planDigest ?? []] else {
                    throw JournalProblem(.other, path, "\(path) is of another plan than \(first.plan); nothing was merged")
                }
                sources[shard, default: []].append(info)
            }
        }
    }

    /// The shards that have hosts and no journal.
    private var missing: [Int] { (0..<min(plan.shards, plan.hosts.count)).filter { sources[$0] == nil } }

    /// Writes the run to a directory of journals. An existing run of the same plan is replaced, but keeps what `resume` has added
    /// to it.
    package func write(into journals: JournalDirectory) throws(JournalProblem) -> Result {
        try journals.prepare()
        let path = journals.database(plan.run)
        let lock = try JournalLock(path)
        let isNew = !JournalFiles.isThere(path)
        if !isNew { try checkEarlier(path, lock) }
        let temporary = path + ".new"
        for suffix in ["", ".new", "-journal", ".new-journal"] { unlink(temporary + suffix) }
        do throws(JournalProblem) {
            let outcome = try build(temporary, earlier: isNew ? nil : path)
            try lock.begin(JournalMark(run: plan.run, commits: 0))
            guard rename(temporary, path) == 0 else { throw JournalProblem(LocalFileFailure("make", path)) }
            try link(path)
            if isNew { journals.setLast(plan.run) }
            journals.synchronize()
            var result = outcome
            (result.run, result.path, result.shards, result.missing) = (plan.run, path, plan.shards, missing)
            return result
        } catch {
            for suffix in ["", "-journal"] { unlink(temporary + suffix) }
            if isNew { JournalFiles.remove(path) }
            throw error
        }
    }

    /// Checks that an existing run of this name belongs to this plan, and moves its log into its database.
    private func checkEarlier(_ path: String, _ lock: JournalLock) throws(JournalProblem) {
        let reader = try JournalReader(path, lock)
        guard try reader.info().subject.planDigest == digest else {
            throw JournalProblem(
                .other, path, "\(path) is the journal of another run; merge into another directory with --journal")
        }
        guard JournalFiles.isThere(path + "-wal") else { return }
        let (queue, commits) = try JournalDatabase.writer(path)
        try lock.write(JournalMark(run: plan.run, commits: commits), durably: false)
        try JournalDatabase.translating(path) { try JournalDatabase.settle(queue) }
    }

    /// Links to the directory of the claims, for `resume`.
    private func link(_ path: String) throws(JournalProblem) {
        let link = JournalFiles.planLink(path)
        let resolved = realpath(directories[0].path, nil)
        defer { free(resolved) }
        let directory = resolved.map { String(cString: $0) } ?? directories[0].path
        unlink(link)
        guard symlink(directory, link) == 0 else { throw JournalProblem(LocalFileFailure("make", link)) }
    }

    // MARK: The database

    private func build(_ path: String, earlier: String?) throws(JournalProblem) -> Result {
        let all = sources.values.joined()
        let access =
            plan.hosts.contains { $0.access != nil }
            ? Dictionary(plan.hosts.compactMap { host in host.access.map { (host.name, $0) } }) { first, _ in first } : [:]
        try JournalDatabase.create(
            path, named: plan.run, plan.subject(planDigest: digest), hosts: plan.hosts.map(\.name), access: { access[$0] },
            keepsOutput: all.contains(where: \.keepsOutput), startedAt: all.map(\.startedAt).min() ?? FleetTimestamp.now())
        let database = try MergedDatabase(path)
        for (shard, sources) in sources.sorted(by: { $0.key < $1.key }) {
            let chosen = try choice(sources)
            for (index, source) in sources.enumerated() {
                try database.add(
                    source.path, shard: shard, of: plan, only: chosen?.filter { $0.value == index }.map(\.key).sorted(),
                    remembers: earlier != nil)
            }
        }
        if let earlier { try database.addLater(earlier) }
        try database.addIndex()
        var endings = try database.endings(plan.hosts.count)
        if try addClaims(database, endings) { endings = try database.endings(plan.hosts.count) }
        var result = try database.outcomes(endings, of: FleetTally())
        if missing.isEmpty, result.outcomes[.skipped] ?? 0 == 0 {
            let finishedAt = all.map { $0.finishedAt ?? $0.startedAt }.max() ?? 0
            try database.finish(exitStatus: result.exitStatus, at: finishedAt)
        } else if result.exitStatus == .success {
            result.exitStatus = .stopped
        }
        try database.close()
        return result
    }

    /// Which of several journals of one shard decides each host's outcome, by the host's position in the shard.
    ///
    /// - Returns: nil if there is only one journal.
    /// - Throws: `JournalProblem` if the command ran on one host twice.
    private func choice(_ sources: [RunInfo]) throws(JournalProblem) -> [Int: Int]? {
        guard sources.count > 1 else { return nil }
        var chosen: [Int: Int] = [:]
        var states: [Int: HostRecord] = [:]
        for (index, source) in sources.enumerated() {
            for (position, record) in try JournalReader(source.path).records().enumerated() {
                guard let known = states[position], known.outcome != .skipped else {
                    (states[position], chosen[position]) = (record, index)
                    continue
                }
                if record.outcome.certainty > known.outcome.certainty {
                    (states[position], chosen[position]) = (record, index)
                } else if record.outcome.isRun, known.outcome.isRun, record != known {
                    throw JournalProblem(
                        .other, source.path,
                        "the command ran on \(VisibleText.name(record.host)) twice: \(Self.text(known)) in "
                            + "\(sources[chosen[position] ?? 0].path), \(Self.text(record)) in \(source.path); look at the host, and merge "
                            + "without one of the journals")
                }
            }
        }
        return chosen
    }

    private static func text(_ record: HostRecord) -> String {
        record.outcome.rawValue + (record.exitStatus.map { " (\($0))" } ?? "")
    }

    /// A claimed host may have run the command if no journal records its end.
    ///
    /// - Returns: whether there is one.
    private func addClaims(_ database: MergedDatabase, _ endings: MergedDatabase.HostEndings) throws(JournalProblem) -> Bool {
        let journals = Set(sources.values.joined().map(\.name))
        var isAny = false
        for position in endings.hostsThatDidNotRun {
            for directory in directories {
                let path = "\(directory.claims)/\(HostFileName.of(plan.hosts[position].name))"
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                // A journal arms a host before the command is sent. So if its owner's journal has not armed the host, the command
                // was not sent.
                if let owner = ShardClaims.owner(path), journals.contains(owner.journal) { continue }
                try database.addClaimed(Int64(position), at: status.modifiedAt)
                isAny = true
                break
            }
        }
        return isAny
    }
}

extension FleetHostOutcome {
    /// Whether the command ran to a known end.
    fileprivate var isRun: Bool { self == .ok || self == .failed }

    /// Orders outcomes by certainty: a higher value replaces a lower one from another journal.
    fileprivate var certainty: Int {
        switch self {
        case .ok, .failed: 3
        case .unknown: 2
        case .error: 1
        case .skipped: 0
        }
    }
}

extension stat {
    /// In milliseconds since 1970.
    var modifiedAt: Int64 {
        #if canImport(Darwin)
            Int64(st_mtimespec.tv_sec) * 1000
        #else
            Int64(st_mtim.tv_sec) * 1000
        #endif
    }
}
