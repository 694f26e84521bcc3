import GRDBSQLite

/// The extent of the check for damage before a journal is read. The raw value is SQLite's pragma.
package enum JournalCheck: String, Sendable {
    /// All rows, for a reader of whole tables.
    case rows = "quick_check"
    /// The indexes too, for a reader that finds rows by them.
    case rowsAndIndexes = "integrity_check"
}

enum JournalSchema {
    /// `run` has one row. `host` has a row for each host, in the order of the run; `access` is further data about it. `turn` has
    /// a row for each time that the run, or its resumption, begins a host; the last row in which the command may have run decides
    /// the outcome, or else the last row. `closed` is 1 while the database contains everything in the write-ahead log.
    ///
    /// `output` has row numbers, to keep its keys apart from the outputs: otherwise a search among keys would read the outputs
    /// beside them, megabytes each. In journals of version 0.1 it has none.
    static let tables = """
        CREATE TABLE run (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            command TEXT NOT NULL,
            commandIsWhole INTEGER NOT NULL,
            commandDigest BLOB NOT NULL,
            scriptPath TEXT,
            scriptDigest BLOB,
            planDigest BLOB,
            arguments TEXT NOT NULL,
            argumentsAreWhole INTEGER NOT NULL,
            keepsOutput INTEGER NOT NULL,
            startedAt INTEGER NOT NULL,
            finishedAt INTEGER,
            exitStatus INTEGER,
            closed INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE host (
            position INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            access TEXT
        ) STRICT;
        CREATE TABLE turn (
            id INTEGER PRIMARY KEY,
            host INTEGER NOT NULL REFERENCES host (position),
            armedAt INTEGER,
            endedAt INTEGER,
            outcome TEXT CHECK (\(isOutcome)),
            code TEXT,
            exitStatus INTEGER,
            attempts INTEGER,
            batch INTEGER,
            beganSeconds REAL,
            durationSeconds REAL,
            detail TEXT,
            CHECK (\(isBegun)),
            CHECK (\(isEnded))
        ) STRICT;
        CREATE INDEX turnOfHost ON turn (host, id);
        CREATE TABLE output (
            turn INTEGER NOT NULL REFERENCES turn (id),
            stream TEXT NOT NULL CHECK (stream IN ('stdout', 'stderr')),
            bytes BLOB NOT NULL,
            total INTEGER NOT NULL,
            restDigest BLOB NOT NULL,
            PRIMARY KEY (turn, stream)
        ) STRICT;
        """ + copied + written

    private static let isOutcome = "outcome IN ('ok', 'failed', 'error', 'unknown', 'skipped')"
    private static let isBegun = "armedAt IS NOT NULL OR outcome IS NOT NULL"
    private static let isEnded = "(outcome IS NULL) = (endedAt IS NULL)"

    /// A turn that breaks a constraint of its table. SQLite's pragmas find none in a database that was opened for reading only:
    /// it leaves such constraints out of the definitions (`sqlite3AddCheckConstraint`).
    static let brokenTurn = "SELECT id FROM turn WHERE NOT (\(isOutcome) AND (\(isBegun)) AND \(isEnded)) LIMIT 1"

    /// The files completely copied to or from an unfinished host, by the source's path. Journals of version 0.1 lack this table.
    static let copied = """
        CREATE TABLE IF NOT EXISTS copied (
            host INTEGER NOT NULL REFERENCES host (position),
            file TEXT NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (host, file)
        ) STRICT, WITHOUT ROWID;
        """

    /// The number of commits, for ``JournalMark``. Journals of version 0.1 lack this table. It is a separate table, so a commit
    /// writes one more page and not the row of the run.
    static let written = """
        CREATE TABLE IF NOT EXISTS written (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            commits INTEGER NOT NULL
        ) STRICT;
        """

    /// The tables of version 0.1 that have changed since.
    private static let earlier = """
        CREATE TABLE output (
            turn INTEGER NOT NULL REFERENCES turn (id),
            stream TEXT NOT NULL CHECK (stream IN ('stdout', 'stderr')),
            bytes BLOB NOT NULL,
            total INTEGER NOT NULL,
            restDigest BLOB NOT NULL,
            PRIMARY KEY (turn, stream)
        ) STRICT, WITHOUT ROWID;
        """

    /// The tables whose integrity is checked before a journal is used. Checking the outputs would take too long.
    static let checked = ["run", "host", "turn"]

    // MARK: Whether a database has these tables and nothing else

    /// The data about the whole database in the rows of the run.
    struct State {
        var run: String
        var isClosed: Bool
        /// Nil for a journal of version 0.1.
        var commits: Int64?
    }

    /// Compares the database's definitions with those of this program before any row is read. So there can be no endless view, no
    /// trigger, and no virtual table.
    static func check(_ connection: OpaquePointer?, _ path: String) throws(JournalProblem) {
        var missing = Set(needed)
        try rows(connection, path, "SELECT type, name, tbl_name, sql FROM sqlite_schema") { row throws(JournalProblem) in
            guard let name = row.text(1), let table = row.text(2) else { throw foreign(path) }
            if row.text(0) == "index", name.hasPrefix("sqlite_autoindex_"), row.isNull(3) {
                guard known.contains(where: { $0.name == table }) else { throw foreign(path) }
                return
            }
            guard let sql = row.text(3), known.contains(where: { $0.name == name && $0.sql == Self.plain(sql) }) else {
                throw foreign(path)
            }
            missing.remove(name)
        }
        if let name = missing.sorted().first { throw .damaged(path, "it has no table \(name)") }
    }

    /// - Throws: `JournalProblem`, also if there is no run.
    static func state(_ connection: OpaquePointer?, _ path: String) throws(JournalProblem) -> State {
        var state: State?
        try rows(connection, path, "SELECT name, closed FROM run") { row throws(JournalProblem) in
            guard let run = row.text(0), let closed = row.integer(1) else { throw .damaged(path, "its run has no name") }
            state = State(run: run, isClosed: closed == 1)
        }
        guard var state else { throw .damaged(path, "it has no run") }
        var hasCommits = false
        try rows(connection, path, "SELECT 1 FROM sqlite_schema WHERE name = 'written'") { _ in hasCommits = true }
        if hasCommits {
            // The row is created together with the table.
            state.commits = 0
            try rows(connection, path, "SELECT commits FROM written") { row throws(JournalProblem) in
                guard let commits = row.integer(0), commits >= 0 else { throw .damaged(path, "its commits are not counted") }
                state.commits = commits
            }
        }
        return state
    }

    private static func foreign(_ path: String) -> JournalProblem {
        .damaged(path, "it has tables or views that no journal has")
    }

    private static let needed = ["run", "host", "turn", "turnOfHost", "output"]

    private static let known: [(name: String, sql: String)] = (tables + earlier).split(separator: ";").compactMap { statement in
        let sql = plain(statement).replacing("IFNOTEXISTS", with: "")
        let words = statement.split(whereSeparator: { $0.isWhitespace || $0 == "(" })
        guard let kind = words.firstIndex(where: { ["TABLE", "INDEX"].contains($0) }) else { return nil }
        let name = words[(kind + 1)...].first { !["IF", "NOT", "EXISTS"].contains($0) }
        return name.map { (String($0), sql) }
    }

    /// A statement without whitespace; no two statements differ only in whitespace.
    private static func plain(_ sql: some StringProtocol) -> String { String(sql.filter { !$0.isWhitespace }) }

    /// A row as SQLite returns it.
    private struct RawRow {
        let statement: OpaquePointer?
        private static let maximumLength = 4096

        /// Nil if it is not a text, or is longer than any text read here.
        func text(_ column: Int32) -> String? {
            guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let text = sqlite3_column_text(statement, column) else {
                return nil
            }
            let count = Int(sqlite3_column_bytes(statement, column))
            return count > Self.maximumLength
                ? nil : String(validating: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        }

        func integer(_ column: Int32) -> Int64? {
            sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
        }

        func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    }

    /// The most rows that are read from any table here.
    private static let maximumRows = 64

    private static func rows(
        _ connection: OpaquePointer?, _ path: String, _ sql: String, _ body: (RawRow) throws(JournalProblem) -> Void
    ) throws(JournalProblem) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        if code == SQLITE_OK {
            for _ in 0..<maximumRows {
                code = sqlite3_step(statement)
                guard code == SQLITE_ROW else { break }
                try body(RawRow(statement: statement))
            }
        }
        switch code {
        case SQLITE_DONE: return
        case SQLITE_ROW: throw .damaged(path, "it has too many rows")
        default: throw JournalDatabase.problem(code, connection, path)
        }
    }
}
