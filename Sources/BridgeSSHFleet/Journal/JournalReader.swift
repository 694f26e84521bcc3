import BridgeSSH
import GRDB

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the journal of a run. Never writes to it.
package struct JournalReader: Sendable {
    private let queue: DatabaseQueue
    package let path: String

    /// - Parameter check: how thoroughly its tables are checked for damage first; nil for not at all.
    /// - Throws: `JournalProblem` if the file is not a journal, may be another user's, is damaged, or has a newer version.
    package init(_ path: String, check: JournalCheck? = .rowsAndIndexes) throws(JournalProblem) {
        try self.init(path, check: check, nil)
    }

    /// - Parameter lock: the journal's lock, if this process holds it and has not begun to write.
    init(_ path: String, check: JournalCheck? = .rowsAndIndexes, _ lock: JournalLock?) throws(JournalProblem) {
        queue = try JournalDatabase.reader(path, check, lock)
        self.path = path
    }

    private func reading<Result>(
        outputs: Bool = false, _ body: (Database) throws -> Result
    ) throws(JournalProblem) -> Result {
        try JournalDatabase.translating(path) {
            try queue.read { db in
                JournalDatabase.bound(db.sqliteConnection, path, outputs: outputs)
                return try body(db)
            }
        }
    }

    package func info() throws(JournalProblem) -> RunInfo {
        try reading { db in
            guard let found = try Row.fetchOne(db, sql: "SELECT * FROM run") else {
                throw JournalProblem.damaged(path, "it has no run")
            }
            let row = JournalRow(found, path)
            let name = try row.name("name")
            guard RunName.time(of: name) != nil else { throw JournalProblem.damaged(path, "its run name is invalid") }
            return RunInfo(
                name: name, path: path, subject: try subject(row),
                hosts: try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM host") ?? 0,
                startedAt: try row.integer("startedAt"), finishedAt: try row.optionalInteger("finishedAt"),
                exitStatus: try row.optionalInteger("exitStatus").map { Int($0) }, keepsOutput: try row.flag("keepsOutput"))
        }
    }

    func commits() throws(JournalProblem) -> Int64 {
        try reading { try JournalSchema.state($0.sqliteConnection, path).commits ?? 0 }
    }

    /// The number of hosts for each of the five outcomes. Hosts without a record count as skipped.
    package func outcomes() throws(JournalProblem) -> [FleetHostOutcome: Int] {
        try reading { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT turn.id, turn.outcome, COUNT(*) AS count \(Self.lastTurns) GROUP BY turn.id IS NULL, turn.outcome")
            var outcomes = Dictionary(uniqueKeysWithValues: FleetHostOutcome.allCases.map { ($0, 0) })
            for row in rows.map({ JournalRow($0, path) }) {
                outcomes[HostRecord("", try state(row)).outcome, default: 0] += try row.count("count")
            }
            return outcomes
        }
    }

    /// The turn that decides a host's outcome: the last one in which the command may have run, or else the last one. If the
    /// command may have run on a host, that remains so even if a second run did not reach the host.
    static let deciding = """
        (SELECT other.id FROM turn AS other WHERE other.host = host.position
        ORDER BY other.outcome IS 'error' OR other.outcome IS 'skipped', other.id DESC LIMIT 1)
        """

    /// Every host with its deciding turn, if it has one.
    static let lastTurns = "FROM host LEFT JOIN turn ON turn.id = \(deciding)"

    private func subject(_ row: JournalRow) throws -> RunSubject {
        let kind = try row.name("kind")
        guard kind.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else {
            throw JournalProblem.damaged(path, "its kind is invalid")
        }
        return RunSubject(
            kind: kind, command: try row.text("command"), isCommandWhole: try row.flag("commandIsWhole"),
            commandDigest: try row.bytes("commandDigest") ?? [], scriptPath: try row.optionalText("scriptPath"),
            scriptDigest: try row.bytes("scriptDigest"), planDigest: try row.bytes("planDigest"),
            arguments: try row.parsed("arguments", ArgumentList.read) ?? [], areArgumentsWhole: try row.flag("argumentsAreWhole"))
    }

    /// The most hosts that a run can have.
    private static let maximumHosts = 1_000_000

    /// The record of each host, in the order of the run.
    package func records() throws(JournalProblem) -> [HostRecord] {
        try reading { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT host.name, turn.id, turn.outcome, turn.code, turn.exitStatus, turn.endedAt \(Self.lastTurns)
                    ORDER BY host.position
                    """)
            var records: [HostRecord] = []
            var seen: Set<String> = []
            while let found = try rows.next() {
                let row = JournalRow(found, path)
                let name = try row.name("name")
                guard records.count < Self.maximumHosts, seen.insert(name).inserted else {
                    throw JournalProblem.damaged(path, "it has a host twice, or too many")
                }
                records.append(
                    HostRecord(
                        name, try state(row), code: try row.optionalText("code", maximumLength: 4096),
                        exitStatus: try row.optionalInteger("exitStatus"), endedAt: try row.optionalInteger("endedAt")))
            }
            return records
        }
    }

    /// Further data about hosts, by name, as parsed by `read`.
    ///
    /// - Throws: `JournalProblem`, also if `read` throws.
    package func access<Value>(_ read: (String) throws -> Value) throws(JournalProblem) -> [String: Value] {
        try reading { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT name, access FROM host WHERE access IS NOT NULL")
            var access: [String: Value] = [:]
            while let found = try rows.next() {
                let row = JournalRow(found, path)
                access[try row.name("name")] = try row.parsed("access", read)
            }
            return access
        }
    }

    private func state(_ row: JournalRow) throws -> HostRecord.State {
        guard try row.optionalInteger("id") != nil else { return .none }
        guard let text = try row.optionalText("outcome") else { return .armed }
        guard let outcome = FleetHostOutcome(rawValue: text) else {
            throw JournalProblem.damaged(path, "it has the outcome \(VisibleText.name(text))")
        }
        return .ended(outcome)
    }

    /// Passes the result of each host that has one to `body`, in the order in which the hosts ended.
    ///
    /// - Parameter outputs: whether to include the output that was kept.
    /// - Throws: `JournalProblem`; what `body` throws.
    package func results(outputs: Bool = true, _ body: (FleetHostResult) throws -> Void) throws {
        var failure: (any Error)?
        try reading(outputs: outputs) { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT host.name, turn.* FROM turn JOIN host ON host.position = turn.host
                    WHERE turn.outcome IS NOT NULL AND turn.id = \(Self.deciding)
                    ORDER BY turn.endedAt, turn.id
                    """)
            while failure == nil, let found = try rows.next() {
                let result = try result(JournalRow(found, path), outputs ? db : nil)
                do { try body(result) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    /// The hosts on which the command ran or may have run, each with its result as far as it is known, without output.
    package func earlier() throws(JournalProblem) -> [FleetHostResult] {
        var known: [FleetHostResult] = []
        for record in try records() where record.state == .armed {
            known.append(FleetHostResult(host: record.host, outcome: .unknown))
        }
        do {
            try results(outputs: false) { result in
                if result.outcome.mayHaveRun { known.append(result) }
            }
        } catch {
            throw error as? JournalProblem ?? .damaged(path, "its results cannot be read")
        }
        return known
    }

    /// - Parameter db: the database with the output; nil leaves the output out.
    private func result(_ row: JournalRow, _ db: Database?) throws -> FleetHostResult {
        guard case .ended(let outcome) = try state(row) else {
            throw JournalProblem.damaged(path, "it has a result without an outcome")
        }
        var result = FleetHostResult(
            host: try row.name("name"), outcome: outcome, attempts: try row.count("attempts"),
            duration: try row.duration("durationSeconds"))
        result.beganAt = try row.duration("beganSeconds")
        result.batch = try row.count("batch", or: 1)
        let code = try row.optionalText("code", maximumLength: 4096)
        try row.parsed("detail") { try StoredResult(json: $0) }?.complete(&result, code: code)
        guard let db else { return result }
        let outputs = try Row.fetchCursor(
            db, sql: "SELECT * FROM output WHERE turn = ?", arguments: [try row.integer("id")])
        while let found = try outputs.next() {
            let output = JournalRow(found, path)
            let bytes = try output.bytes("bytes") ?? []
            let kept = FleetKeptOutput(
                bytes: bytes, total: try output.count("total"), restDigest: try output.bytes("restDigest") ?? [])
            guard kept.total >= bytes.count else { throw JournalProblem.damaged(path, "an output is longer than it was") }
            switch SSHEvidence.OutputStream(rawValue: try output.text("stream", maximumLength: 16)) {
            case .standardOutput: result.standardOutput = kept
            case .standardError: result.standardError = kept
            case nil: throw JournalProblem.damaged(path, "an output has an unknown stream")
            }
        }
        return result
    }
}

/// The encoding of options in one column.
enum ArgumentList {
    static func text(_ arguments: [String]) throws -> String {
        String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)
    }

    static func read(_ text: String) throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }
}

extension [UInt8] {
    /// As the value of a BLOB column.
    var data: Data { Data(self) }
}

/// A row of a journal. Unexpected values make reading fail; they never crash the process.
struct JournalRow {
    private let row: Row
    private let path: String

    init(_ row: Row, _ path: String) {
        self.row = row
        self.path = path
    }

    /// The most bytes of a name.
    static let maximumNameLength = 4096

    func text(_ column: String, maximumLength: Int = .max) throws -> String {
        guard let text = try optionalText(column, maximumLength: maximumLength) else { throw problem(column) }
        return text
    }

    func optionalText(_ column: String, maximumLength: Int = .max) throws -> String? {
        switch try storage(column) {
        case .null: return nil
        case .string(let text) where text.utf8.count <= maximumLength: return text
        default: throw problem(column)
        }
    }

    /// A name exactly as it was written; a name that is not valid UTF-8 is refused.
    func name(_ column: String) throws -> String {
        let name = try text(column, maximumLength: Self.maximumNameLength)
        guard !name.isEmpty, !name.contains("\u{FFFD}") else { throw problem(column) }
        return name
    }

    func integer(_ column: String) throws -> Int64 {
        guard let number = try optionalInteger(column) else { throw problem(column) }
        return number
    }

    func optionalInteger(_ column: String) throws -> Int64? {
        switch try storage(column) {
        case .null: return nil
        case .int64(let number): return number
        default: throw problem(column)
        }
    }

    /// A count, 0 or more.
    func count(_ column: String, or missing: Int = 0) throws -> Int {
        guard let number = try optionalInteger(column) else { return missing }
        guard (0...Int64(1 << 53)).contains(number) else { throw problem(column) }
        return Int(number)
    }

    func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

    /// A duration, in the range of clocks and timers.
    func duration(_ column: String) throws -> Duration {
        switch try storage(column) {
        case .null: return .zero
        case .double(let seconds): return .bounded(seconds: seconds)
        case .int64(let seconds): return .bounded(seconds: Double(seconds))
        default: throw problem(column)
        }
    }

    func bytes(_ column: String) throws -> [UInt8]? {
        switch try storage(column) {
        case .null: return nil
        case .blob(let data): return [UInt8](data)
        default: throw problem(column)
        }
    }

    /// A text parsed by `body`.
    func parsed<Value>(_ column: String, _ body: (String) throws -> Value) throws -> Value? {
        guard let text = try optionalText(column) else { return nil }
        guard let value = try? body(text) else { throw problem(column) }
        return value
    }

    private func storage(_ column: String) throws -> DatabaseValue.Storage {
        try row.decode(DatabaseValue.self, forColumn: column).storage
    }

    private func problem(_ column: String) -> JournalProblem { .damaged(path, "its \(column) is invalid") }
}

/// A journal's data about one host.
package struct HostRecord: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// There is no record: the run never began the host.
        case none
        /// The command may have been sent, and no outcome was written.
        case armed
        case ended(FleetHostOutcome)
    }

    package var host: String
    package var state: State
    /// The code of the failure, if there is one.
    package var code: String?
    /// The command's exit status, if one came.
    package var exitStatus: Int64?
    /// When it ended, in milliseconds since 1970.
    package var endedAt: Int64?

    package init(
        _ host: String, _ state: State, code: String? = nil, exitStatus: Int64? = nil, endedAt: Int64? = nil
    ) {
        self.host = host
        self.state = state
        self.code = code
        self.exitStatus = exitStatus
        self.endedAt = endedAt
    }

    /// The host's outcome, as far as is known.
    package var outcome: FleetHostOutcome {
        switch state {
        case .none: .skipped
        case .armed: .unknown
        case .ended(let outcome): outcome
        }
    }
}
