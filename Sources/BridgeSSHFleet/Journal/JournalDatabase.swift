import GRDB
import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Opens and makes the databases of journals. Every failure of SQLite leaves it as a `JournalProblem` with the file's name.
enum JournalDatabase {
    /// How long a reader, such as `fleet list`, may hold a lock.
    private static let patience = 10.0

    /// Makes the database of a run. It has its name only when it is complete, so that one that is found is.
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
            // Before SQLite has a descriptor of it, so that no lock is lost.
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
                        name, subject.kind, subject.command, subject.isCommandWhole, subject.keptCommandDigest.data,
                        subject.scriptPath,
                        subject.scriptDigest?.data, subject.planDigest?.data, try ArgumentList.text(subject.arguments),
                        subject.areArgumentsWhole, keepsOutput, startedAt,
                    ])
                let insertion = try db.makeStatement(sql: "INSERT INTO host (position, name, access) VALUES (?, ?, ?)")
                for (position, host) in hosts.enumerated() {
                    try insertion.execute(arguments: [position, host, try access(host)])
                }
            }
            try queue.close()
            guard rename(temporary, path) == 0 else { throw JournalProblem(LocalFileFailure("make", path)) }
            isComplete = true
        }
    }

    /// Takes back a change that was interrupted in its midst. A connection that only reads could not, and would be refused.
    ///
    /// - Parameter lock: that of the journal, which is one that `JournalHeader` knows.
    static func recover(_ path: String, _ lock: JournalLock) throws(JournalProblem) {
        guard isHot(path + "-journal") else { return }
        try translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration())
            try queue.inDatabase { _ = try Bool.fetchOne($0, sql: "SELECT 1 FROM run") }
            try queue.close()
        }
    }

    /// Opens a journal to read it. Nothing is written to it.
    ///
    /// - Parameter checks: whether its tables are looked at for damage, all of them.
    static func reader(_ path: String, checks: Bool) throws(JournalProblem) -> DatabaseQueue {
        try JournalHeader.check(path)
        if isHot(path + "-journal"), let lock = try? JournalLock(path) { try recover(path, lock) }
        return try translating(path) {
            var configuration = configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in
                for table in checks ? JournalSchema.checked : [] {
                    let found = try String.fetchOne(db, sql: "PRAGMA integrity_check('\(table)')")
                    guard found == "ok" else { throw JournalProblem.damaged(path, found ?? "the table \(table) cannot be read") }
                }
                guard try Bool.fetchOne(db, sql: "SELECT 1 FROM run") != nil else {
                    throw JournalProblem.damaged(path, "it has no run")
                }
            }
            return queue
        }
    }

    /// Opens a journal to write to it, in WAL mode and with every commit durable. It has been read before, and its lock is held.
    static func writer(_ path: String) throws(JournalProblem) -> DatabaseQueue {
        try translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration())
            try queue.inDatabase { db in
                guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                    throw JournalProblem.readOnly(path)
                }
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "UPDATE run SET closed = 0, finishedAt = NULL, exitStatus = NULL")
                try db.execute(sql: JournalSchema.copied)
                try db.checkpoint(.full)
            }
            return queue
        }
    }

    /// Moves all of the log into the database, which is then one file that can be read anywhere. As far as that is possible: a
    /// reader may be in the way, and then the log stays beside it.
    static func settle(_ queue: DatabaseQueue) throws {
        try queue.inDatabase { db in
            try db.execute(sql: "UPDATE run SET closed = 1")
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
        configuration.busyMode = .timeout(patience)
        // The log stays when the database is closed before it is settled, as `closed` says.
        configuration.prepareDatabase { persistLog($0, true) }
        return configuration
    }

    /// Whether a rollback journal has what is to be taken back: one that is done with may be there too, with zeros as its header
    /// ("Atomic Commit in SQLite", section 7.6).
    private static func isHot(_ journal: String) -> Bool {
        let descriptor = open(journal, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var first: UInt8 = 0
        return pread(descriptor, &first, 1, 0) == 1 && first != 0
    }

    /// - Parameter path: the database that a failure is of.
    static func translating<Result>(_ path: String, _ body: () throws -> Result) throws(JournalProblem) -> Result {
        do {
            return try body()
        } catch let problem as JournalProblem {
            throw problem
        } catch let error as DatabaseError {
            throw JournalProblem(error, path)
        } catch {
            throw .damaged(path, "\(error)")
        }
    }
}
