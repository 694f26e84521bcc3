import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

/// A journal with any content is read or refused by name, and the process continues. A crash here ends all tests.
@Suite("Doctored journals", .timeLimit(.minutes(5)))
struct DoctoredJournalTests {
    /// The tables without the constraints on the types of columns.
    private static let loose = [
        "run":
            "id INTEGER PRIMARY KEY,name,kind,command,commandIsWhole,commandDigest,scriptPath,scriptDigest,planDigest,arguments,"
            + "argumentsAreWhole,keepsOutput,startedAt,finishedAt,exitStatus,closed",
        "host": "position INTEGER PRIMARY KEY,name UNIQUE,access",
        "turn": "id INTEGER PRIMARY KEY,host,armedAt,endedAt,outcome,code,exitStatus,attempts,batch,beganSeconds,durationSeconds,"
            + "detail",
        "output": "turn,stream,bytes,total,restDigest,PRIMARY KEY(turn,stream)",
        "written": "id INTEGER PRIMARY KEY,commits",
    ]
    /// Longer than any value that is read; tried in some columns.
    private static let long = "zeroblob(17000000)"
    private static let values = [
        "NULL", "'text'", "''", "x'00FF'", "CAST(x'FFFE41' AS TEXT)", "-1", "9223372036854775807", "-9223372036854775808",
        "1e308",
        "9e999", "-1.5", "'{\"a\":'", "'[1,2]'", "char(27)||']0;x'||char(7)", "char(0)||'x'", long,
        "'{\"timings\":{\"resolve\":1e308},\"copied\":{\"files\":-1}}'",
    ]

    /// A finished run with everything that a journal may have.
    private static func made(in directory: JournalDirectory) async throws -> String {
        let journal = try SQLiteJournal.create(
            RunSubject(command: "uptime", script: ("x.sh", [1]), planDigest: [2], arguments: ["run", "a", "uptime"]),
            hosts: (0..<14).map { "host\($0)" }, access: { "{\"name\":\"\($0)\",\"arguments\":[]}" }, in: directory)
        for host in (0..<10).map({ "host\($0)" }) {
            try await journal.arm(host)
            if host == "host7" { continue }
            try await journal.record(
                host == "host3"
                    ? SampleRun.result(host, .failed, status: 3, output: "out\n", error: "no space\n")
                    : SampleRun.result(host, output: String(repeating: "up\n", count: 900)))
        }
        return journal.path
    }

    /// Reads everything in the journal.
    ///
    /// - Returns: the problem, which names the file.
    @discardableResult
    private static func read(_ path: String, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) -> JournalProblem?
    {
        do {
            for check in [nil, JournalCheck.rows, .rowsAndIndexes] {
                let reader = try JournalReader(path, check: check)
                let info = try reader.info()
                _ = try reader.outcomes()
                #expect(!info.name.utf8.contains(0x1B), "\(what)", sourceLocation: sourceLocation)
                let records = try reader.records()
                _ = ResumePlan(records)
                _ = try reader.access { $0 }
                _ = try reader.earlier()
                try reader.results { result in
                    _ = Formatted.time(result.duration.boundedSeconds)
                    _ = FleetEvent.ended(result)
                }
            }
        } catch let problem as JournalProblem {
            #expect(problem.text.contains(path), "\(what): \(problem.text)", sourceLocation: sourceLocation)
            #expect(!problem.text.utf8.contains(0x1B), "\(what)", sourceLocation: sourceLocation)
            return problem
        } catch {
            Issue.record("\(what): \(error)", sourceLocation: sourceLocation)
        }
        return nil
    }

    private static func with(_ body: (_ path: String, _ good: Data) async throws -> Void) async throws {
        try await JournalFixture.with { directory in
            let path = try await made(in: directory)
            // Without the count of commits, because that check would refuse some alterations too early.
            try FileManager.default.removeItem(atPath: JournalLock.path(path))
            #expect(read(path, "as it is") == nil)
            try await body(path, try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    /// Writes a value into a column, in a table without constraints on types.
    private static func set(_ table: String, _ column: some StringProtocol, _ value: String, in path: String) async throws {
        let columns = try #require(loose[table])
        let rows = ["host", "output"].contains(table) ? " WHERE rowid = 4" : table == "turn" ? " WHERE id < 4" : ""
        let script = """
            CREATE TEMP TABLE saved AS SELECT sql FROM sqlite_schema WHERE name = '\(table)';
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE TABLE \(table) (\(columns))' WHERE name = '\(table)';
            PRAGMA writable_schema = RESET;
            UPDATE \(table) SET \(column) = \(value)\(rows);
            SELECT changes() > 0;
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = (SELECT sql FROM saved) WHERE name = '\(table)';
            PRAGMA writable_schema = RESET;
            """
        let run = try await ProcessRun.run("/usr/bin/sqlite3", [path, script])
        #expect(run.output == "1\n" && run.errorOutput.isEmpty, "\(table).\(column): \(run.errorOutput)")
    }

    @Test(
        "a count outside its range is damage, and its column is named",
        arguments: [("turn", "attempts"), ("turn", "batch"), ("output", "total")],
        ["-1", "9007199254740993", "-9223372036854775808"])
    func counts(_ place: (table: String, column: String), _ value: String) async throws {
        try await Self.with { path, _ in
            try await Self.set(place.table, place.column, value, in: path)
            let problem = try #require(Self.read(path, "\(place.column) = \(value)"))
            #expect(problem.text.contains(place.column), "\(problem.text)")
        }
    }

    @Test("any value in any column of any table", arguments: ["run", "host", "turn", "output", "written"])
    func cells(table: String) async throws {
        try await Self.with { path, good in
            let columns = try #require(Self.loose[table])
            let names = columns.split(separator: ",").map { $0.split(separator: " ")[0] }.filter {
                $0 != "PRIMARY" && !$0.contains(")")
            }
            let step = TestExtent.choose(sample: 3, all: 1)
            for (index, column) in names.enumerated() where column != "id" && column != "position" {
                let values = Self.values.filter {
                    $0 != Self.long || ["command", "name", "access", "detail"].contains(column)
                }
                // A sample tries a different third of the values for each column.
                for place in stride(from: index % step, to: values.count, by: step) {
                    let value = values[place]
                    try good.write(to: URL(fileURLWithPath: path))
                    try await Self.set(table, column, value, in: path)
                    let problem = Self.read(path, "\(table).\(column) = \(value)")
                    #expect(problem?.text.contains("tables or views") != true, "\(table)")
                }
            }
        }
    }

    @Test(
        "other tables, views and triggers",
        arguments: [
            "ALTER TABLE run RENAME COLUMN commandIsWhole TO commandXsWhole", "CREATE TABLE other (x)",
            "CREATE TRIGGER t AFTER UPDATE ON run BEGIN DELETE FROM turn; END", "CREATE VIEW v AS SELECT 1",
            "CREATE VIRTUAL TABLE f USING fts5(x)", "CREATE INDEX i ON turn (code)", "DROP INDEX turnOfHost", "DROP TABLE turn",
            """
            DROP TABLE host; CREATE VIEW host AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
            SELECT x AS position, 'h' || x AS name, NULL AS access FROM c
            """,
            "DROP TABLE run; CREATE VIEW run AS SELECT randomblob(900000000) AS name, 1 AS closed",
        ])
    func schema(change: String) async throws {
        try await Self.with { path, _ in
            let run = try await ProcessRun.run("/usr/bin/sqlite3", [path, change])
            #expect(run.exitStatus == 0, "\(run.errorOutput)")
            #expect(Self.read(path, change)?.kind == .damaged)
            #expect(JournalFixture.problem { _ = try SQLiteJournal.resume(path) }?.kind == .damaged)
        }
    }

    @Test("a changed byte in the file's header or in a page's header; a file cut anywhere")
    func pages() async throws {
        try await Self.with { path, good in
            var offsets = Array(0..<100)
            for page in 0..<(good.count / 4096) { offsets += (0..<12).map { page * 4096 + (page == 0 ? 100 : 0) + $0 } }
            for (index, offset) in offsets.enumerated() {
                var bytes = good
                bytes[offset] = [0, 0xFF, bytes[offset] ^ 1, bytes[offset] &+ 1][index % 4]
                try bytes.write(to: URL(fileURLWithPath: path))
                Self.read(path, "byte \(offset)")
            }
            for end in stride(from: 0, to: good.count, by: 1531) {
                try good.prefix(end).write(to: URL(fileURLWithPath: path))
                Self.read(path, "cut at \(end)")
            }
        }
    }

    @Test("changed bits and bytes anywhere in the database and its log", arguments: 0..<4)
    func random(round: UInt64) async throws {
        var generator = SeededGenerator(seed: round)
        try await Self.with { path, good in
            for _ in 0..<300 {
                var bytes = good
                for _ in 0..<Int.random(in: 1...20, using: &generator) {
                    let offset = Int.random(in: 100..<bytes.count, using: &generator)
                    bytes[offset] =
                        Bool.random(using: &generator)
                        ? bytes[offset] ^ (1 << UInt8.random(in: 0..<8, using: &generator))
                        : UInt8.random(in: 0...255, using: &generator)
                }
                // A part of one page is copied over another page.
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    let (from, to) = (
                        Int.random(in: 0..<(bytes.count / 4096), using: &generator),
                        Int.random(in: 1..<(bytes.count / 4096), using: &generator)
                    )
                    bytes.replaceSubrange((to * 4096)..<(to * 4096 + 4096), with: bytes[(from * 4096)..<(from * 4096 + 4096)])
                }
                try bytes.write(to: URL(fileURLWithPath: path))
                Self.read(path, "round \(round)")
            }
        }
    }

    @Test("an unreadable journal does not affect the others")
    func list() async throws {
        try await Self.with { path, good in
            try good.prefix(9000).write(to: URL(fileURLWithPath: path))
            let directory = JournalDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            let other = try await SampleRun.interrupted(in: directory)
            let history = RunHistory(directory)
            let found = try history.names().map { name in
                JournalFixture.problem { _ = try JournalReader(history.path(of: name), check: nil).info() }
            }
            #expect(found.count == 2 && found.count { $0 == nil } == 1)
            #expect(JournalFixture.problem { _ = try JournalReader(other).info() } == nil)
        }
    }
}
