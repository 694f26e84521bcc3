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
        try execute("CREATE TEMP TABLE seen (host INTEGER, armedAt INTEGER, endedAt INTEGER)")
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
    /// - Parameter only: the positions of the hosts in the journal to add; nil for all.
    func add(_ source: String, shard: Int, of plan: ShardPlan, only: [Int]?) throws(JournalProblem) {
        try attached(source) { () throws(JournalProblem) in
            let place: [Int64] = [Int64(shard), Int64(plan.shards)]
            let expected = Int64(plan.hosts(of: shard).count)
            let count = try number("SELECT COUNT(*) FROM other.host")
            let same = try number(
                "SELECT COUNT(*) FROM other.host AS s JOIN main.host AS h ON h.position = ?1 + ?2 * s.position AND h.name = s.name",
                place)
            guard count == expected, same == expected else {
                throw JournalProblem(.other, source, "\(source) has other hosts than its shard of the plan")
            }
            try execute("CREATE TEMP TABLE chosen (host INTEGER PRIMARY KEY)")
            if let only {
                for position in only { try execute("INSERT INTO chosen VALUES (?1)", [Int64(position)]) }
            } else {
                try execute("INSERT INTO chosen SELECT position FROM other.host")
            }
            let offset = try number("SELECT COALESCE(MAX(id), 0) FROM main.turn")
            try execute(
                """
                INSERT INTO main.turn (id, host, \(Self.columns))
                SELECT id + ?3, ?1 + ?2 * host, \(Self.columns) FROM other.turn WHERE host IN chosen
                """, place + [offset])
            try execute(
                """
                INSERT INTO main.output (turn, stream, bytes, total, restDigest)
                SELECT turn + ?1, stream, bytes, total, restDigest FROM other.output
                WHERE turn IN (SELECT id FROM other.turn WHERE host IN chosen)
                """, [offset])
            try execute("INSERT INTO seen SELECT ?1 + ?2 * host, armedAt, endedAt FROM other.turn", place)
            try execute("DROP TABLE chosen")
        }
    }

    /// Adds turns of an earlier merge of the same plan that the shards lack, because the merged run was resumed. Leaves out its
    /// turns for claims: the journals may know more about those hosts by now.
    func addLater(_ earlier: String) throws(JournalProblem) {
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

    private func attached(_ other: String, _ body: () throws(JournalProblem) -> Void) throws(JournalProblem) {
        try execute("ATTACH 'file:\(JournalDatabase.escaped(other).replacing("'", with: "%27"))?mode=ro' AS other")
        try execute("BEGIN IMMEDIATE")
        try body()
        try execute("COMMIT")
        try execute("DETACH other")
    }

    // MARK: What is read

    /// The hosts on which the command did not run, according to the journals.
    func hostsThatDidNotRun() throws(JournalProblem) -> [(position: Int64, name: String)] {
        var hosts: [(position: Int64, name: String)] = []
        try rows(
            """
            SELECT position, name FROM host WHERE NOT EXISTS (
                SELECT 1 FROM turn WHERE turn.host = host.position AND (outcome IS NULL OR outcome IN ('ok', 'failed', 'unknown'))
            )
            """
        ) { row in
            hosts.append((sqlite3_column_int64(row, 0), Self.text(row, 1) ?? ""))
        }
        return hosts
    }

    /// The number of hosts for each outcome, and the exit status of such a run.
    ///
    /// - Parameter tally: an empty tally.
    func outcomes(of tally: FleetTally) throws(JournalProblem) -> ShardMerge.Result {
        var tally = tally
        var result = ShardMerge.Result()
        result.outcomes = Dictionary(uniqueKeysWithValues: FleetHostOutcome.allCases.map { ($0, 0) })
        try rows(
            """
            SELECT turn.id IS NULL, turn.outcome, turn.code, turn.exitStatus, COUNT(*), MIN(turn.detail) \(JournalReader.lastTurns)
            GROUP BY turn.id IS NULL, turn.outcome, turn.code, turn.exitStatus
            """
        ) { row in
            let isNone = sqlite3_column_int(row, 0) == 1
            let outcome: FleetHostOutcome =
                isNone ? .skipped : Self.text(row, 1).flatMap { FleetHostOutcome(rawValue: $0) } ?? .unknown
            var one = FleetHostResult(host: "", outcome: outcome)
            (Self.text(row, 5).flatMap { try? StoredResult(json: $0) } ?? StoredResult(one, keepsOutput: false))
                .complete(&one, code: Self.text(row, 2))
            if sqlite3_column_type(row, 3) == SQLITE_INTEGER { one.termination = .exited(Int(sqlite3_column_int64(row, 3))) }
            tally.add(one)
            result.outcomes[outcome, default: 0] += Int(sqlite3_column_int64(row, 4))
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
