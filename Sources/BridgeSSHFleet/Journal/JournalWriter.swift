import BridgeSSH
import GRDB
import Synchronization

/// Writes to a journal. Entries that arrive together share one durable commit.
final class JournalWriter: Sendable {
    enum Entry: Sendable {
        case armed(String, at: Int64)
        case ended(FleetHostResult, at: Int64)
        case finished(exitStatus: Int, at: Int64)
        case copied(String, file: String, size: UInt64)
        /// The digest of what the hosts read on standard input; nil for no input.
        case input([UInt8]?)

        /// Roughly how many bytes it writes.
        fileprivate var bytes: Int {
            switch self {
            case .ended(let result, _): 2048 + result.standardOutput.bytes.count + result.standardError.bytes.count
            case .copied(_, let file, _): 64 + file.utf8.count
            case .armed, .finished, .input: 64
            }
        }
    }

    private struct State {
        var waiting: [(entry: Entry, done: CheckedContinuation<Void, any Error>?)] = []
        var isCommitting = false
        var isOver = false
    }

    /// The row numbers of hosts that this process has begun.
    private struct Rows {
        /// Row numbers of hosts, by name.
        var positions: [String: Int64] = [:]
        /// This process's turn for each host.
        var turns: [String: Int64] = [:]
        /// The hosts whose turns began in the current transaction.
        var begun: [String] = []
        /// The number of files recorded.
        var files = 0
    }

    private let path: String
    private let run: String
    private let keepsOutput: Bool
    private let keepsCommand: Bool
    private let queue: DatabaseQueue
    private let state = Mutex(State())
    private let rows = Mutex(Rows())
    private let lock: Mutex<JournalLock?>
    private let commits: Mutex<Int64>
    private let probe: (@Sendable (SQLiteJournal.CommitMoment) -> Void)?

    /// The most that one commit writes; later entries wait for the next commit.
    private static let maximumBatch = (entries: 2000, bytes: 4 << 20)
    /// The number of waiting entries above which notes are dropped, and the most files recorded in all.
    private static let maximumNotes = (waiting: 50_000, files: 1 << 20)

    init(
        _ path: String, run: String, keepsOutput: Bool, keepsCommand: Bool, lock: JournalLock,
        probe: (@Sendable (SQLiteJournal.CommitMoment) -> Void)?
    ) throws(JournalProblem) {
        self.path = path
        self.run = run
        self.keepsOutput = keepsOutput
        self.keepsCommand = keepsCommand
        self.probe = probe
        self.lock = Mutex(lock)
        let (queue, commits) = try JournalDatabase.writer(path)
        self.queue = queue
        self.commits = Mutex(commits)
        try lock.write(JournalMark(run: run, commits: commits), durably: false)
    }

    /// Ends the journal. Only the first call has an effect.
    func end() throws(JournalProblem) {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        guard !wasOver else { return }
        try JournalDatabase.translating(path) { try JournalDatabase.settle(queue) }
        // Another process may take the lock as soon as this one releases it.
        let held = lock.withLock { $0.take() }
        try held?.write(JournalMark(run: run, commits: commits.withLock { $0 + 1 }), durably: false)
    }

    /// Returns when the entry is durable. Entries that arrive during a commit share the next one.
    func commit(_ entry: Entry) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            let (begins, isOver) = state.withLock { state in
                if state.isOver { return (false, true) }
                state.waiting.append((entry, done))
                defer { state.isCommitting = true }
                return (!state.isCommitting, false)
            }
            if isOver { return done.resume(throwing: JournalProblem(.failed, path, "the journal \(path) has ended").verdict) }
            if begins { queue.asyncWriteWithoutTransaction { [self] in commitAll($0) } }
        }
    }

    /// Writes an entry with the next commit. The entry is lost if it cannot be written, or if too many wait.
    func note(_ entry: Entry) {
        let begins = state.withLock { state in
            guard !state.isOver, state.waiting.count < Self.maximumNotes.waiting else { return false }
            state.waiting.append((entry, nil))
            defer { state.isCommitting = true }
            return !state.isCommitting
        }
        if begins { queue.asyncWriteWithoutTransaction { [self] in commitAll($0) } }
    }

    /// The sizes of the files completely copied to or from a host, by path.
    func copied(on host: String) async throws -> [String: UInt64] {
        do {
            return try await queue.read { db in
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT file, size FROM copied WHERE host = (SELECT position FROM host WHERE name = ?)",
                    arguments: [host])
                var sizes: [String: UInt64] = [:]
                while let row = try rows.next() {
                    let row = JournalRow(row, path)
                    sizes[try row.text("file")] = UInt64(bitPattern: try row.integer("size"))
                }
                return sizes
            }
        } catch {
            throw Self.problem(error, path).verdict
        }
    }

    /// Commits until no entry waits. Runs on the database's queue, so one at a time.
    private func commitAll(_ db: Database) {
        while true {
            let batch = state.withLock { state in
                var bytes = 0
                let batch = Array(
                    state.waiting.prefix(Self.maximumBatch.entries).prefix { waiting in
                        defer { bytes += waiting.entry.bytes }
                        return bytes < Self.maximumBatch.bytes
                    })
                state.waiting.removeFirst(batch.count)
                state.isCommitting = !batch.isEmpty
                return batch
            }
            guard !batch.isEmpty else { return }
            do {
                try write(batch.map(\.entry), db)
                probe?(.after)
                for (_, done) in batch { done?.resume() }
            } catch {
                let verdict = Self.problem(error, path).verdict
                for (_, done) in batch { done?.resume(throwing: verdict) }
            }
        }
    }

    private static func problem(_ error: any Error, _ path: String) -> JournalProblem {
        switch error {
        case let problem as JournalProblem: problem
        case let error as DatabaseError: JournalProblem(error, path)
        default: JournalProblem(.failed, path, "the journal \(path) cannot be written: \(error)")
        }
    }

    private func write(_ entries: [Entry], _ db: Database) throws {
        rows.withLock { $0.begun = [] }
        do {
            try db.inTransaction(.immediate) {
                for entry in entries { try write(entry, db) }
                try JournalDatabase.count(db)
                probe?(.before)
                return .commit
            }
        } catch {
            // The turns that were not committed do not exist.
            rows.withLock { rows in
                for host in rows.begun { rows.turns[host] = nil }
            }
            throw error
        }
        let count = commits.withLock { commits in
            commits += 1
            return commits
        }
        // Only commands that may be sent need a durable mark. If another record is lost, no host runs twice.
        let arms = entries.contains { if case .armed = $0 { true } else { false } }
        try lock.withLock { try $0?.write(JournalMark(run: run, commits: count), durably: arms) }
    }

    private func write(_ entry: Entry, _ db: Database) throws {
        switch entry {
        case .armed(let host, let time):
            // This is a second attempt, and the first one cannot have run the command.
            if rows.withLock({ $0.turns[host] }) != nil { return }
            try db.cachedStatement(sql: "INSERT INTO turn (host, armedAt) VALUES (?, ?)")
                .execute(arguments: [try position(of: host, db), time])
            rows.withLock { rows in
                rows.turns[host] = db.lastInsertedRowID
                rows.begun.append(host)
            }
        case .ended(let result, let time): try write(result, at: time, db)
        case .input(let digest):
            try db.execute(
                sql: "UPDATE run SET scriptPath = iif(?1 IS NULL, NULL, scriptPath), scriptDigest = ?1",
                arguments: [digest?.data])
        case .finished(let exitStatus, let time):
            try db.execute(sql: "UPDATE run SET finishedAt = ?, exitStatus = ?", arguments: [time, exitStatus])
        case .copied(let host, let file, let size):
            let isMuch = rows.withLock { rows in
                rows.files += 1
                return rows.files > Self.maximumNotes.files
            }
            if isMuch { return }
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO copied VALUES (?, ?, ?)")
                .execute(arguments: [try position(of: host, db), file, Int64(bitPattern: size)])
        }
    }

    private func write(_ result: FleetHostResult, at time: Int64, _ db: Database) throws {
        let values: [(any DatabaseValueConvertible)?] = [
            time, result.outcome.rawValue, result.error?.code.rawValue, result.exitStatus, result.attempts, result.batch,
            result.beganAt.boundedSeconds, result.duration.boundedSeconds,
            result.outcome == .skipped
                ? nil : try StoredResult(result, keepsOutput: keepsOutput, keepsCommand: keepsCommand).json,
        ]
        let turn: Int64
        if let armed = rows.withLock({ $0.turns[result.host] }) {
            turn = armed
            try db.cachedStatement(
                sql: """
                    UPDATE turn SET endedAt = ?, outcome = ?, code = ?, exitStatus = ?, attempts = ?, batch = ?, beganSeconds = ?,
                        durationSeconds = ?, detail = ? WHERE id = ?
                    """
            ).execute(arguments: StatementArguments(values + [turn]))
        } else {
            try db.cachedStatement(
                sql: """
                    INSERT INTO turn (endedAt, outcome, code, exitStatus, attempts, batch, beganSeconds, durationSeconds, detail, host)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: StatementArguments(values + [try position(of: result.host, db)]))
            turn = db.lastInsertedRowID
        }
        if result.transfer != nil, result.outcome == .ok {
            try db.cachedStatement(sql: "DELETE FROM copied WHERE host = ?").execute(arguments: [
                try position(of: result.host, db)
            ])
        }
        guard keepsOutput else { return }
        for (stream, output) in [("stdout", result.standardOutput), ("stderr", result.standardError)] where output.total > 0 {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO output VALUES (?, ?, ?, ?, ?)")
                .execute(arguments: [turn, stream, output.bytes.data, output.total, output.restDigest.data])
        }
    }

    private func position(of host: String, _ db: Database) throws -> Int64 {
        if let known = rows.withLock({ $0.positions[host] }) { return known }
        let look = try db.cachedStatement(sql: "SELECT position FROM host WHERE name = ?")
        guard let found = try Int64.fetchOne(look, arguments: [host]) else {
            throw JournalProblem(.failed, path, "the host \(VisibleText.name(host)) is not of the run \(run)")
        }
        rows.withLock { $0.positions[host] = found }
        return found
    }
}
