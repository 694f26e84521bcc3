import BridgeSSH
import GRDBSQLite

/// The database of a merged run under construction. It copies whole tables from the journals of shards, which it only reads.
///
/// GRDB cannot attach a read-only database, so this uses SQLite's C interface.
final class MergedDatabase {
    private let path: String
    private let connection: OpaquePointer?

    init(_ path: String) throws(JournalProblem) {
        self.path = path
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2("file:\(JournalDatabase.escaped(path))", &connection, flags, nil)
        self.connection = connection
        guard code == SQLITE_OK else { throw JournalDatabase.problem(code, connection, path) }
        // The file gets its final name only when it is complete, and is made durable then.
        try execute("PRAGMA synchronous = OFF")
        // All rows of the journals have been checked for these constraints. SQLite would take longer for that than for the copies.
        try execute("PRAGMA ignore_check_constraints = ON")
        // Sorted once at the end, and not turn by turn: shards are added one after another, and each has hosts everywhere.
        try execute("DROP INDEX turnOfHost")
    }

    deinit { sqlite3_close_v2(connection) }

    /// Makes the file durable.
    func close() throws(JournalProblem) {
        try execute("PRAGMA synchronous = FULL")
        try execute("UPDATE written SET commits = 0")
    }

    // MARK: What is added

    /// Adds the turns and outputs of a shard's journal.
    ///
    /// - Parameters:
    ///   - only: the positions of the hosts in the journal to add; nil for all.
    ///   - remembers: whether all of the journal's turns are remembered for ``addLater(_:)``.
    func add(_ source: String, shard: Int, of plan: ShardPlan, only: [Int]?, remembers: Bool) throws(JournalProblem) {
        try attached(source) { () throws(JournalProblem) in
            try checkHosts(of: source, plan.hosts(of: shard).map(\.name))
            let place: [Int64] = [Int64(shard), Int64(plan.shards)]
            try execute("CREATE TEMP TABLE chosen (host INTEGER PRIMARY KEY)")
            for position in only ?? [] { try execute("INSERT INTO chosen VALUES (?1)", [Int64(position)]) }
            let offset = try number("SELECT COALESCE(MAX(id), 0) FROM main.turn")
            try execute(
                """
                INSERT INTO main.turn (id, host, \(Self.columns))
                SELECT id + ?3, ?1 + ?2 * host, \(Self.columns) FROM other.turn \(only == nil ? "" : "WHERE host IN chosen")
                """, place + [offset])
            try execute(
                """
                INSERT INTO main.output (turn, stream, bytes, total, restDigest)
                SELECT turn + ?1, stream, bytes, total, restDigest FROM other.output
                \(only == nil ? "" : "WHERE turn IN (SELECT id FROM other.turn WHERE host IN chosen)")
                """, [offset])
            if remembers {
                try execute(Self.seen)
                try execute("INSERT INTO seen SELECT ?1 + ?2 * host, armedAt, endedAt FROM other.turn", place)
            }
            try execute("DROP TABLE chosen")
        }
    }

    private func checkHosts(of source: String, _ expected: [String]) throws(JournalProblem) {
        var count = 0
        var isSame = true
        try rows("SELECT name FROM other.host ORDER BY position") { row in
            isSame = isSame && count < expected.count && Self.text(row, 0) == expected[count]
            count += 1
        }
        let positions = try number("SELECT COUNT(*) FROM other.host WHERE position >= 0 AND position < ?1", [Int64(count)])
        guard isSame, count == expected.count, positions == count else {
            throw JournalProblem(.other, source, "\(source) has other hosts than its shard of the plan")
        }
    }

    /// Makes the index that every journal has, after all turns of the shards have been added.
    func addIndex() throws(JournalProblem) { try execute("CREATE INDEX turnOfHost ON turn (host, id)") }

    /// Adds turns of an earlier merge of the same plan that the shards lack, because the merged run was resumed. Leaves out its
    /// turns for claims: the journals may know more about those hosts by now.
    func addLater(_ earlier: String) throws(JournalProblem) {
        try execute(Self.seen)
        try execute("CREATE INDEX temp.seenByHost ON seen (host)")
        try attached(earlier) { () throws(JournalProblem) in
            let offset = try number("SELECT COALESCE(MAX(id), 0) FROM main.turn")
            try execute(
                """
                CREATE TEMP TABLE later AS SELECT id FROM other.turn AS t
                WHERE NOT (t.outcome IS NULL AND t.attempts IS 0) AND NOT EXISTS (
                    SELECT 1 FROM seen AS n WHERE n.host = t.host AND n.armedAt IS t.armedAt AND n.endedAt IS t.endedAt
                )
                """)
            try execute(
                """
                INSERT INTO main.turn (id, host, \(Self.columns))
                SELECT id + ?1, host, \(Self.columns) FROM other.turn WHERE id IN later
                """, [offset])
            try execute(
                """
                INSERT INTO main.output (turn, stream, bytes, total, restDigest)
                SELECT turn + ?1, stream, bytes, total, restDigest FROM other.output WHERE turn IN later
                """, [offset])
            try execute("DROP TABLE later")
        }
    }

    /// Adds a claimed host whose end is not known, as a turn without attempts.
    func addClaimed(_ position: Int64, at time: Int64) throws(JournalProblem) {
        try execute("INSERT INTO turn (host, armedAt, attempts) VALUES (?1, ?2, 0)", [position, time])
    }

    func finish(exitStatus: SSHExitStatus, at time: Int64) throws(JournalProblem) {
        try execute("UPDATE run SET finishedAt = ?1, exitStatus = ?2", [time, Int64(exitStatus.rawValue)])
    }

    private static let columns =
        "armedAt, endedAt, outcome, code, exitStatus, attempts, batch, beganSeconds, durationSeconds, detail"

    private static let seen = "CREATE TEMP TABLE IF NOT EXISTS seen (host INTEGER, armedAt INTEGER, endedAt INTEGER)"

    private func attached(_ other: String, _ body: () throws(JournalProblem) -> Void) throws(JournalProblem) {
        try execute("ATTACH 'file:\(JournalDatabase.escaped(other).replacing("'", with: "%27"))?mode=ro' AS other")
        try execute("BEGIN IMMEDIATE")
        try body()
        try execute("COMMIT")
        try execute("DETACH other")
    }

    // MARK: What is read

    /// The outcomes of a run's last turns, without the details that do not affect the merged outcome.
    fileprivate struct LastTurn: Hashable {
        let outcome: String?
        let code: String?
        let exitStatus: Int64?

        /// Whether the command did not run, so that an earlier turn in which it may have run decides.
        var isNotRun: Bool { outcome == "error" || outcome == "skipped" }
    }

    /// How each host of the run ended, by the rule of ``JournalReader/deciding``, which takes six times as long for each host.
    struct HostEndings {
        fileprivate var kinds: [LastTurn] = []
        /// A turn of each kind.
        fileprivate var examples: [Int64] = []
        /// The kind of each host, by its position; -1 if it was never begun.
        fileprivate var ofHosts: [Int32]

        /// The positions of the hosts on which the command did not run, according to the journals.
        var hostsThatDidNotRun: [Int] {
            ofHosts.indices.filter { ofHosts[$0] < 0 || kinds[Int(ofHosts[$0])].isNotRun }
        }
    }

    /// - Parameter count: the number of hosts.
    func endings(_ count: Int) throws(JournalProblem) -> HostEndings {
        var endings = HostEndings(ofHosts: Array(repeating: -1, count: count))
        var index: [LastTurn: Int32] = [:]
        var isOther = false
        try rows("SELECT host, outcome, code, exitStatus, id FROM turn ORDER BY id") { row in
            let host = Int(sqlite3_column_int64(row, 0))
            guard endings.ofHosts.indices.contains(host) else { return isOther = true }
            let ending = LastTurn(
                outcome: Self.text(row, 1), code: Self.text(row, 2),
                exitStatus: sqlite3_column_type(row, 3) == SQLITE_INTEGER ? sqlite3_column_int64(row, 3) : nil)
            let earlier = endings.ofHosts[host]
            guard !ending.isNotRun || earlier < 0 || endings.kinds[Int(earlier)].isNotRun else { return }
            if let known = index[ending] { return endings.ofHosts[host] = known }
            let new = Int32(endings.kinds.count)
            index[ending] = new
            endings.kinds.append(ending)
            endings.examples.append(sqlite3_column_int64(row, 4))
            endings.ofHosts[host] = new
        }
        if isOther { throw JournalProblem.damaged(path, "a turn is of no host") }
        return endings
    }

    /// The number of hosts for each outcome, and the exit status of such a run.
    ///
    /// - Parameter tally: an empty tally.
    func outcomes(_ endings: HostEndings, of tally: FleetTally) throws(JournalProblem) -> ShardMerge.Result {
        var tally = tally
        var result = ShardMerge.Result()
        result.outcomes = Dictionary(uniqueKeysWithValues: FleetHostOutcome.allCases.map { ($0, 0) })
        var counts = Array(repeating: 0, count: endings.kinds.count)
        for kind in endings.ofHosts {
            if kind < 0 { result.outcomes[.skipped, default: 0] += 1 } else { counts[Int(kind)] += 1 }
        }
        if result.outcomes[.skipped, default: 0] > 0 { tally.add(FleetHostResult(host: "", outcome: .skipped)) }
        for (kind, count) in counts.enumerated() where count > 0 {
            let ending = endings.kinds[kind]
            let outcome = ending.outcome.flatMap { FleetHostOutcome(rawValue: $0) } ?? .unknown
            var one = FleetHostResult(host: "", outcome: outcome)
            var detail: String?
            try rows("SELECT detail FROM turn WHERE id = ?1", [endings.examples[kind]]) { detail = Self.text($0, 0) }
            (detail.flatMap { try? StoredResult(json: $0) } ?? StoredResult(one, keepsOutput: false))
                .complete(&one, code: ending.code)
            if let status = ending.exitStatus { one.termination = .exited(Int(status)) }
            tally.add(one)
            result.outcomes[outcome, default: 0] += count
        }
        let summary = tally.summary(run: "", duration: .zero) { _ in "" }
        result.exitStatus = SSHExitStatus(rawValue: Int32(summary.exitStatus))
        return result
    }

    // MARK: Statements

    private static func text(_ row: OpaquePointer?, _ column: Int32) -> String? {
        sqlite3_column_text(row, column).map { String(cString: $0) }
    }

    private func execute(_ sql: String, _ values: [Int64] = []) throws(JournalProblem) { try rows(sql, values) { _ in } }

    private func number(_ sql: String, _ values: [Int64] = []) throws(JournalProblem) -> Int64 {
        var found: Int64 = 0
        try rows(sql, values) { found = sqlite3_column_int64($0, 0) }
        return found
    }

    private func rows(_ sql: String, _ values: [Int64] = [], _ body: (OpaquePointer?) -> Void) throws(JournalProblem) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        if code == SQLITE_OK {
            for (index, value) in values.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), value) }
            code = sqlite3_step(statement)
            while code == SQLITE_ROW {
                body(statement)
                code = sqlite3_step(statement)
            }
        }
        guard code == SQLITE_DONE else { throw JournalDatabase.problem(code, connection, path) }
    }
}
