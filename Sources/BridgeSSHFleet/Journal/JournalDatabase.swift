import GRDB
import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Opens and creates the databases of journals. Every SQLite failure becomes a `JournalProblem` that names the file.
enum JournalDatabase {
    /// How many seconds a reader, such as `fleet list`, may hold a lock.
    private static let timeLimit = 10.0

    /// Creates the database of a run. It gets its final name only when it is complete, so any database that is found is complete.
    static func create(
        _ path: String, named name: String, _ subject: RunSubject, hosts: [String], access: (String) throws -> String?,
        keepsOutput: Bool, startedAt: Int64
    ) throws(JournalProblem) {
        let temporary = path + ".new"
        try translating(path) {
            unlink(temporary)
            let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                let failure = LocalFileFailure("make", path)
                switch failure.errno {
                case EROFS, EACCES: throw JournalProblem.readOnly(path)
                case ENOSPC, EDQUOT: throw JournalProblem.full(path)
                default: throw JournalProblem(failure)
                }
            }
            // Closed before SQLite opens the file: closing it later would drop SQLite's locks.
            close(descriptor)
            var isComplete = false
            defer {
                if !isComplete { for suffix in ["", "-journal"] { unlink(temporary + suffix) } }
            }
            let queue = try DatabaseQueue(path: temporary, configuration: configuration())
            try queue.write { db in
                try db.execute(sql: "PRAGMA application_id = \(JournalHeader.application)")
                try db.execute(sql: "PRAGMA user_version = \(JournalHeader.version)")
                try db.execute(sql: JournalSchema.tables)
                try db.execute(
                    sql: """
                        INSERT INTO run (id, name, kind, command, commandIsWhole, commandDigest, scriptPath, scriptDigest, planDigest,
                            arguments, argumentsAreWhole, keepsOutput, startedAt, closed)
                        VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
                        """,
                    arguments: [
                        name, subject.kind, subject.command, subject.isCommandWhole, subject.storedCommandDigest.data,
                        subject.scriptPath,
                        subject.scriptDigest?.data, subject.planDigest?.data, try ArgumentList.text(subject.arguments),
                        subject.areArgumentsWhole, keepsOutput, startedAt,
                    ])
                try insert(hosts, access, db.sqliteConnection, path)
                try db.execute(sql: "INSERT INTO written VALUES (1, 0)")
            }
            try queue.close()
            guard rename(temporary, path) == 0 else { throw JournalProblem(LocalFileFailure("make", path)) }
            isComplete = true
        }
    }

    /// The number of rows that one statement inserts. Each statement searches the table and the index of names again, which takes
    /// longer than inserting a row.
    private static let maximumRows = 100

    /// Inserts the hosts of a run by SQLite's own interface, which takes a seventh of the time for hundreds of thousands.
    private static func insert(
        _ hosts: [String], _ access: (String) throws -> String?, _ connection: OpaquePointer?, _ path: String
    ) throws {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        // SQLite copies the text.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        func check(_ code: Int32) throws {
            guard code == SQLITE_OK else { throw problem(code, connection, path) }
        }
        for start in stride(from: 0, to: hosts.count, by: maximumRows) {
            let rows = hosts[start..<min(start + maximumRows, hosts.count)]
            // The last statement may have fewer rows than the others.
            if start == 0 || rows.count < maximumRows {
                sqlite3_finalize(statement)
                statement = nil
                let values = Array(repeating: "(?, ?, ?)", count: rows.count).joined(separator: ", ")
                try check(
                    sqlite3_prepare_v2(
                        connection, "INSERT INTO host (position, name, access) VALUES " + values, -1, &statement, nil))
            }
            var column: Int32 = 0
            for (position, host) in zip(rows.indices, rows) {
                try check(sqlite3_bind_int64(statement, column + 1, Int64(position)))
                try check(sqlite3_bind_text(statement, column + 2, host, -1, transient))
                let access = try access(host)
                try check(
                    access.map { sqlite3_bind_text(statement, column + 3, $0, -1, transient) }
                        ?? sqlite3_bind_null(statement, column + 3))
                column += 3
            }
            sqlite3_step(statement)
            // Gives the step's error again, if there was one.
            try check(sqlite3_reset(statement))
        }
    }

    /// Rolls back an interrupted change. A read-only connection cannot do this, and SQLite would refuse it.
    ///
    /// - Parameter lock: the journal's lock, as `JournalHeader` knows it.
    static func recover(_ path: String, _ lock: JournalLock) throws(JournalProblem) {
        guard isHot(path + "-journal") else { return }
        try translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration())
            try queue.inDatabase { _ = try Bool.fetchOne($0, sql: "SELECT 1 FROM sqlite_schema") }
            try queue.close()
        }
    }

    /// Opens a journal for reading. Nothing is written to it.
    ///
    /// - Parameters:
    ///   - check: how thoroughly its tables are checked for damage; nil for not at all.
    ///   - lock: the journal's lock, if this process holds it and has not begun to write.
    static func reader(
        _ path: String, _ check: JournalCheck?, _ lock: JournalLock? = nil
    ) throws(JournalProblem) -> DatabaseQueue {
        let pageSize = try JournalHeader.check(path)
        if isHot(path + "-journal") {
            if let lock { try recover(path, lock) } else if let own = try? JournalLock(path) { try recover(path, own) }
        }
        let evidence = try JournalIntegrityCheck(path, pageSize: pageSize, lock)
        return try translating(path) {
            var configuration = configuration()
            configuration.readonly = true
            configuration.prepareDatabase { bound($0.sqliteConnection, path) }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in
                bound(db.sqliteConnection, path)
                try JournalSchema.check(db.sqliteConnection, path)
                try evidence.check(JournalSchema.state(db.sqliteConnection, path))
                guard let check else { return }
                for table in JournalSchema.checked {
                    let found = try String.fetchOne(db, sql: "PRAGMA \(check.rawValue)('\(table)')")
                    guard found == "ok" else {
                        throw JournalProblem.damaged(path, found.map(VisibleText.name) ?? "the table \(table) cannot be read")
                    }
                }
                if let turn = try Int64.fetchOne(db, sql: JournalSchema.brokenTurn) {
                    throw JournalProblem.damaged(path, "its turn \(turn) has an outcome that does not exist, or lacks a time")
                }
            }
            return queue
        }
    }

    /// The most bytes of a text or blob that are read from a journal, except outputs.
    private static let maximumLength: Int32 = 16 << 20

    /// Limits the damage that a broken database can do: the length of a value, and the time. Must be called before each reading.
    ///
    /// - Parameter outputs: whether outputs are read, which may be long.
    static func bound(_ connection: OpaquePointer?, _ path: String, outputs: Bool = false) {
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, outputs ? .max : maximumLength)
        // A tree that contains the same page many times would yield rows without end.
        var status = stat()
        let size = stat(path, &status) == 0 ? Int(status.st_size) : 0
        let deadline = monotonicMilliseconds() + 20_000 + size >> 12
        sqlite3_progress_handler(
            connection, 100_000, { deadline in monotonicMilliseconds() > Int(bitPattern: deadline) ? 1 : 0 },
            UnsafeMutableRawPointer(bitPattern: deadline))
    }

    /// Lends a connection that treats the database as immutable: no recovery, and no files beside it.
    static func withImmutable(
        _ path: String, _ body: (OpaquePointer?) throws(JournalProblem) -> Void
    ) throws(JournalProblem) {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2("file:\(escaped(path))?immutable=1", &connection, flags, nil)
        guard code == SQLITE_OK else { throw problem(code, connection, path) }
        bound(connection, path)
        try body(connection)
    }

    /// A path escaped for a URI (RFC 3986).
    static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { uri, byte in
            let isPlain = byte > 0x20 && byte < 0x7F && !"?#%".utf8.contains(byte)
            uri += isPlain ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal
        }
    }

    /// SQLite's description of a failed call.
    static func problem(_ code: Int32, _ connection: OpaquePointer?, _ path: String) -> JournalProblem {
        let message = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        // One of our own statements does not compile: the tables do not match their definitions.
        if code & 0xFF == SQLITE_ERROR { return .damaged(path, message.map(VisibleText.name) ?? "it cannot be read") }
        return JournalProblem(DatabaseError(resultCode: ResultCode(rawValue: code), message: message), path)
    }

    /// Opens a journal for writing, in WAL mode and with every commit durable. It must have been read before, with its lock held.
    ///
    /// - Returns: the queue, and the number of commits.
    static func writer(_ path: String) throws(JournalProblem) -> (queue: DatabaseQueue, commits: Int64) {
        try translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration())
            let commits = try queue.inDatabase { db in
                guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                    throw JournalProblem.readOnly(path)
                }
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.inTransaction(.immediate) {
                    try db.execute(sql: "UPDATE run SET closed = 0, finishedAt = NULL, exitStatus = NULL")
                    try db.execute(sql: JournalSchema.copied + JournalSchema.written)
                    try db.execute(sql: "INSERT OR IGNORE INTO written VALUES (1, 0)")
                    try count(db)
                    return .commit
                }
                try db.checkpoint(.full)
                return try Int64.fetchOne(db, sql: "SELECT commits FROM written") ?? 0
            }
            return (queue, commits)
        }
    }

    /// Counts a commit, inside its transaction.
    static func count(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE written SET commits = commits + 1").execute()
    }

    /// Moves the whole log into the database, which is then a single file that can be read anywhere. A reader may prevent this;
    /// the log then stays beside the database.
    static func settle(_ queue: DatabaseQueue) throws {
        try queue.inDatabase { db in
            try db.inTransaction(.immediate) {
                try db.execute(sql: "UPDATE run SET closed = 1")
                try count(db)
                return .commit
            }
            persistLog(db, false)
            if try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") != "delete" { persistLog(db, true) }
        }
        try queue.close()
    }

    private static func persistLog(_ db: Database, _ isKept: Bool) {
        var flag: Int32 = isKept ? 1 : 0
        sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &flag)
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(timeLimit)
        // The log stays if the database is closed before it is settled; the column `closed` records that.
        configuration.prepareDatabase { persistLog($0, true) }
        return configuration
    }

    /// Whether a rollback journal has changes to roll back. A finished one may remain, with zeros as its header ("Atomic Commit
    /// in SQLite", section 7.6).
    private static func isHot(_ journal: String) -> Bool {
        let descriptor = open(journal, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var first: UInt8 = 0
        return pread(descriptor, &first, 1, 0) == 1 && first != 0
    }

    /// - Parameter path: the database that a failure names.
    static func translating<Result>(_ path: String, _ body: () throws -> Result) throws(JournalProblem) -> Result {
        do {
            return try body()
        } catch let problem as JournalProblem {
            throw problem
        } catch let error as DatabaseError {
            throw JournalProblem(error, path)
        } catch {
            throw .damaged(path, "a row of it cannot be read")
        }
    }
}

private func monotonicMilliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
}
