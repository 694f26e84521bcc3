/// The journal of a run, in a database of its own. Entries written at the same time share one durable commit.
package final class SQLiteJournal: RunJournal {
    /// A point in time around a commit, for tests that end the process there.
    package enum CommitMoment: Sendable {
        case before
        case after
    }

    package let name: String
    package let path: String
    private let writer: JournalWriter
    private let now: @Sendable () -> Int64
    private let isResumed: Bool

    private init(
        name: String, path: String, keepsOutput: Bool, _ subject: RunSubject, isResumed: Bool, lock: JournalLock,
        now: @escaping @Sendable () -> Int64,
        probe: (@Sendable (CommitMoment) -> Void)?
    ) throws(JournalProblem) {
        self.name = name
        self.path = path
        self.now = now
        self.isResumed = isResumed
        writer = try JournalWriter(
            path, run: name, keepsOutput: keepsOutput, keepsCommand: !subject.omitsCommandText, lock: lock, probe: probe)
    }

    deinit {
        // If this fails, the log stays, and the next process recovers from it.
        try? writer.end()
    }

    /// Creates the journal of a new run, and removes runs that are no longer kept.
    ///
    /// - Parameters:
    ///   - hosts: all hosts of the run, each once.
    ///   - access: further data about a host, for resuming the run.
    ///   - keepsOutput: whether the hosts' output is stored.
    ///   - now: milliseconds since 1970.
    /// - Throws: `JournalProblem`.
    package static func create(
        _ subject: RunSubject, hosts: [String], access: (String) throws -> String? = { _ in nil }, in directory: JournalDirectory,
        keepsOutput: Bool = true,
        now: @escaping @Sendable () -> Int64 = FleetTimestamp.now, probe: (@Sendable (CommitMoment) -> Void)? = nil
    ) throws(JournalProblem) -> SQLiteJournal {
        try directory.prepare()
        let startedAt = now()
        var name = RunName.make(at: startedAt)
        // If the clock does not advance, the random part finally gives a free name.
        while directory.has(name) { name = RunName.make(at: startedAt) }
        let journal = try create(
            subject, named: name, hosts: hosts, access: access, at: directory.database(name), keepsOutput: keepsOutput,
            startedAt: startedAt, now: now, probe: probe)
        directory.setLast(name)
        directory.synchronize()
        // Runs that cannot be removed now are removed by the next run.
        _ = try? RunHistory(directory).prune(at: startedAt)
        return journal
    }

    /// Creates the journal of a new run in a file that does not exist yet. For the other parameters see above.
    ///
    /// - Throws: `JournalProblem`; its kind is `inUse` if another process has created the same journal meanwhile.
    package static func create(
        _ subject: RunSubject, named name: String? = nil, hosts: [String], access: (String) throws -> String? = { _ in nil },
        at path: String, keepsOutput: Bool = true, startedAt: Int64? = nil,
        now: @escaping @Sendable () -> Int64 = FleetTimestamp.now, probe: (@Sendable (CommitMoment) -> Void)? = nil
    ) throws(JournalProblem) -> SQLiteJournal {
        let startedAt = startedAt ?? now()
        let name = name ?? RunName.make(at: startedAt)
        let lock = try JournalLock(path)
        guard !JournalFiles.isThere(path) else {
            throw JournalProblem(.inUse, path, "another process has begun the journal \(path) meanwhile")
        }
        do {
            try JournalDatabase.create(
                path, named: name, subject, hosts: hosts, access: access, keepsOutput: keepsOutput, startedAt: startedAt)
            try lock.begin(JournalMark(run: name, commits: 0))
        } catch {
            JournalFiles.remove(path)
            throw error
        }
        return try SQLiteJournal(
            name: name, path: path, keepsOutput: keepsOutput, subject, isResumed: false, lock: lock, now: now, probe: probe)
    }

    /// Opens the journal of a run to resume it.
    ///
    /// - Parameter subject: the command to run now; nil for that of the earlier run.
    /// - Throws: `JournalProblem`; nothing was written then.
    package static func resume(
        _ path: String, as subject: RunSubject? = nil, now: @escaping @Sendable () -> Int64 = FleetTimestamp.now,
        probe: (@Sendable (CommitMoment) -> Void)? = nil
    ) throws(JournalProblem) -> SQLiteJournal {
        try JournalHeader.check(path)
        let lock = try JournalLock(path)
        let reader = try JournalReader(path, lock)
        let info = try reader.info()
        if let subject, let reason = info.subject.reasonNotResumable(as: subject, of: info.name) {
            throw JournalProblem(.other, path, "the run \(info.name) cannot be resumed with this: \(reason)")
        }
        // A journal of version 0.1 has no mark; a journal that was moved without its lock file has lost it.
        try lock.begin(JournalMark(run: info.name, commits: try reader.commits()))
        return try SQLiteJournal(
            name: info.name, path: path, keepsOutput: info.keepsOutput, info.subject, isResumed: true, lock: lock, now: now,
            probe: probe)
    }

    package func arm(_ host: String) async throws { try await writer.commit(.armed(host, at: now())) }

    package func copied(_ file: String, size: UInt64, on host: String) { writer.note(.copied(host, file: file, size: size)) }

    package func copied(on host: String) async throws -> [String: UInt64] {
        isResumed ? try await writer.copied(on: host) : [:]
    }

    package func read(_ digest: [UInt8]?) async throws {
        try await writer.commit(.input(digest.map(GuardedDigest.make)))
    }

    package func record(_ result: FleetHostResult) async throws { try await writer.commit(.ended(result, at: now())) }

    package func finish(_ summary: FleetSummary) async throws {
        try await writer.commit(.finished(exitStatus: Int(summary.exitStatus), at: now()))
        do { try writer.end() } catch { throw error.verdict }
    }
}

/// What a run records about its hosts, so that an interrupted run can be resumed without running a host twice.
package protocol RunJournal: Sendable {
    /// Returns once it is durable that the command may be sent to the host. Many hosts share one commit.
    ///
    /// - Throws: `SSHError` if it cannot be written; the command must not be sent then.
    func arm(_ host: String) async throws
    /// Records that a file was completely copied to or from a host. It becomes durable soon; a file whose record is lost is
    /// copied again.
    func copied(_ file: String, size: UInt64, on host: String)
    /// The sizes of the files completely copied in an interrupted run, by their sources' paths.
    func copied(on host: String) async throws -> [String: UInt64]
    /// Records the SHA-256 of the hosts' standard input once it is known; nil for no input.
    func read(_ digest: [UInt8]?) async throws
    /// Records the host's outcome. Returns when it is durable.
    func record(_ result: FleetHostResult) async throws
    /// Writes the summary and ends the journal. Nothing is written after it.
    func finish(_ summary: FleetSummary) async throws
}

extension RunJournal {
    package func read(_ digest: [UInt8]?) async throws {}
    package func copied(_ file: String, size: UInt64, on host: String) {}
    package func copied(on host: String) async throws -> [String: UInt64] { [:] }
}
