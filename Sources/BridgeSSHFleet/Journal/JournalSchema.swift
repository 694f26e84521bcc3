import GRDBSQLite

/// The tables of a journal.
enum JournalSchema {
    /// One row in `run`. A row in `host` for each host of the run, in its order; `access` is what is known of it beside its
    /// name. A row in `turn` each time that the run, or a resumed one, comes to a host: the last in which the command may have
    /// run says what became of it, or else the last. `closed` is 1 while nothing is in the write-ahead log that is not in the
    /// database.
    ///
    /// `output` has row numbers, so that its keys stand apart from the outputs: a search among keys would read the outputs
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
            outcome TEXT CHECK (outcome IN ('ok', 'failed', 'error', 'unknown', 'skipped')),
            code TEXT,
            exitStatus INTEGER,
            attempts INTEGER,
            batch INTEGER,
            beganSeconds REAL,
            durationSeconds REAL,
            detail TEXT,
            CHECK (armedAt IS NOT NULL OR outcome IS NOT NULL),
            CHECK ((outcome IS NULL) = (endedAt IS NULL))
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

    /// The files that were copied whole to or from a host that is not done; by the source's path. Journals of version 0.1 lack
    /// it.
    static let copied = """
        CREATE TABLE IF NOT EXISTS copied (
            host INTEGER NOT NULL REFERENCES host (position),
            file TEXT NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (host, file)
        ) STRICT, WITHOUT ROWID;
        """

    /// How many commits there are, for ``JournalMark``. Journals of version 0.1 lack it. A table of its own, so that a commit
    /// writes one page more and not the row of the run.
    static let written = """
        CREATE TABLE IF NOT EXISTS written (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            commits INTEGER NOT NULL
        ) STRICT;
        """

    /// The tables of version 0.1 that are others now.
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

    /// The tables whose integrity is checked before a journal is used; the outputs would take too long.
    static let checked = ["run", "host", "turn"]

    // MARK: Whether a database has these tables and nothing else

    /// What the run's rows say of the database as a whole.
    struct State {
        var run: String
        var isClosed: Bool
        /// Nil for a journal of version 0.1.
        var commits: Int64?
    }

    /// Compares what a database is made of with what this program makes, before a row of it is read: no view that has no end,
    /// no trigger, no table that is a program.
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

    /// - Throws: `JournalProblem` also where there is no run.
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
            // A row is there as soon as the table is.
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

    /// A statement without the blanks, which no two of them differ by.
    private static func plain(_ sql: some StringProtocol) -> String { String(sql.filter { !$0.isWhitespace }) }

    /// A row as SQLite has it.
    private struct RawRow {
        let statement: OpaquePointer?
        private static let longest = 4096

        /// Nil for what is none, or longer than those that are read here.
        func text(_ column: Int32) -> String? {
            guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let text = sqlite3_column_text(statement, column) else {
                return nil
            }
            let count = Int(sqlite3_column_bytes(statement, column))
            return count > Self.longest
                ? nil : String(validating: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        }

        func integer(_ column: Int32) -> Int64? {
            sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
        }

        func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    }

    /// The most rows that any of these tables has.
    private static let mostRows = 64

    private static func rows(
        _ connection: OpaquePointer?, _ path: String, _ sql: String, _ body: (RawRow) throws(JournalProblem) -> Void
    ) throws(JournalProblem) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        if code == SQLITE_OK {
            for _ in 0..<mostRows {
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
