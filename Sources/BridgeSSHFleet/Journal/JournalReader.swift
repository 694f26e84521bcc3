import BridgeSSH
import GRDB

/// Reads the journal of a run. Nothing is written to it.
package struct JournalReader: Sendable {
    private let queue: DatabaseQueue
    package let path: String

    /// - Parameter checks: whether its tables are looked at for damage first, all of them.
    /// - Throws: `JournalProblem` for what is no journal, is damaged, or is of a newer version.
    package init(_ path: String, checks: Bool = true) throws(JournalProblem) {
        queue = try JournalDatabase.reader(path, checks: checks)
        self.path = path
    }

    package func info() throws(JournalProblem) -> RunInfo {
        try JournalDatabase.translating(path) {
            try queue.read { db in
                guard let row = try Row.fetchOne(db, sql: "SELECT * FROM run") else {
                    throw JournalProblem.damaged(path, "it has no run")
                }
                let outcomes = try outcomes(db)
                return RunInfo(
                    name: row["name"], path: path, subject: try Self.subject(row), hosts: outcomes.values.reduce(0, +),
                    startedAt: row["startedAt"], finishedAt: row["finishedAt"], exitStatus: row["exitStatus"],
                    keepsOutput: row["keepsOutput"], outcomes: outcomes)
            }
        }
    }

    private func outcomes(_ db: Database) throws -> [HostOutcome: Int] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT turn.id, turn.outcome, COUNT(*) AS count \(Self.lastTurns) GROUP BY turn.id IS NULL, turn.outcome")
        var outcomes = Dictionary(uniqueKeysWithValues: HostOutcome.allCases.map { ($0, 0) })
        for row in rows { outcomes[HostRecord("", try state(row)).outcome, default: 0] += row["count"] as Int }
        return outcomes
    }

    /// The turn that says what became of a host: the last one, but for those in which the command did not run. A host on which it may
    /// have run, and that was not reached when it was run again, is still one on which it may have run.
    private static let deciding = """
        (SELECT other.id FROM turn AS other WHERE other.host = host.position
        ORDER BY other.outcome IS 'error' OR other.outcome IS 'skipped', other.id DESC LIMIT 1)
        """

    /// Every host with the turn that decides, where it has one.
    private static let lastTurns = "FROM host LEFT JOIN turn ON turn.id = \(deciding)"

    private static func subject(_ row: Row) throws -> RunSubject {
        RunSubject(
            kind: row["kind"], command: row["command"], isCommandWhole: row["commandIsWhole"],
            commandDigest: row.bytes("commandDigest") ?? [], scriptPath: row["scriptPath"],
            scriptDigest: row.bytes("scriptDigest"),
            planDigest: row.bytes("planDigest"), arguments: try ArgumentList.read(row["arguments"]),
            areArgumentsWhole: row["argumentsAreWhole"])
    }

    /// What is known of each host, in the order of the run.
    package func records() throws(JournalProblem) -> [HostRecord] {
        try JournalDatabase.translating(path) {
            try queue.read { db in
                let rows = try Row.fetchCursor(
                    db,
                    sql: "SELECT host.name, turn.id, turn.outcome, turn.code \(Self.lastTurns) ORDER BY host.position")
                var records: [HostRecord] = []
                while let row = try rows.next() {
                    records.append(HostRecord(row["name"], try state(row), code: row["code"]))
                }
                return records
            }
        }
    }

    /// What is known of hosts beside their names, by name.
    package func access() throws(JournalProblem) -> [String: String] {
        try JournalDatabase.translating(path) {
            try queue.read { db in
                let rows = try Row.fetchAll(db, sql: "SELECT name, access FROM host WHERE access IS NOT NULL")
                return Dictionary(rows.map { ($0["name"], $0["access"]) }, uniquingKeysWith: { first, _ in first })
            }
        }
    }

    private func state(_ row: Row) throws -> HostRecord.State {
        guard row["id"] as Int64? != nil else { return .none }
        guard let text = row["outcome"] as String? else { return .armed }
        guard let outcome = HostOutcome(rawValue: text) else {
            throw JournalProblem.damaged(path, "it has the outcome \(VisibleText.name(text))")
        }
        return .ended(outcome)
    }

    /// Gives the end of each host that has one, in the order in which they ended.
    ///
    /// - Parameter outputs: whether with the output that was kept.
    package func results(outputs: Bool = true, _ body: (HostResult) throws -> Void) throws {
        try queue.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT host.name, turn.* FROM turn JOIN host ON host.position = turn.host
                    WHERE turn.outcome IS NOT NULL AND turn.id = \(Self.deciding)
                    ORDER BY turn.endedAt, turn.id
                    """)
            while let row = try rows.next() { try body(try Self.result(row, outputs ? db : nil)) }
        }
    }

    /// The hosts on which the command ran or may have run, each with its end as far as it is known, without output.
    package func earlier() throws(JournalProblem) -> [HostResult] {
        var known: [HostResult] = []
        for record in try records() where record.state == .armed {
            known.append(HostResult(host: record.host, outcome: .unknown))
        }
        return try JournalDatabase.translating(path) {
            try results(outputs: false) { result in
                if result.outcome.mayHaveRun { known.append(result) }
            }
            return known
        }
    }

    /// - Parameter db: where its output is; nil to leave that out.
    private static func result(_ row: Row, _ db: Database?) throws -> HostResult {
        let outcome = HostOutcome(rawValue: row["outcome"]) ?? .unknown
        var result = HostResult(
            host: row["name"], outcome: outcome, attempts: row["attempts"] ?? 0,
            duration: .bounded(seconds: row["durationSeconds"] ?? 0))
        result.beganAt = .bounded(seconds: row["beganSeconds"] ?? 0)
        result.batch = row["batch"] ?? 1
        if let detail = row["detail"] as String? { try StoredResult(json: detail).complete(&result, code: row["code"]) }
        guard let db else { return result }
        let outputs = try Row.fetchAll(db, sql: "SELECT * FROM output WHERE turn = ?", arguments: [row["id"] as Int64])
        for output in outputs {
            let kept = KeptOutput(
                bytes: output.bytes("bytes") ?? [], total: output["total"], restDigest: output.bytes("restDigest") ?? [])
            if output["stream"] == FleetEvent.OutputStream.standardOutput.rawValue {
                result.standardOutput = kept
            } else {
                result.standardError = kept
            }
        }
        return result
    }
}
