import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

enum JournalFiles {
    /// Suffixes of the files that SQLite takes for parts of the database beside them.
    private static let suffixes = ["-wal", "-shm", "-journal"]

    /// Checks, before any file is opened, that the files are this user's alone. Resuming a run executes what its journal says,
    /// and SQLite follows links and deletes the files that a rollback journal names.
    ///
    /// - Parameter database: its path; the file may be missing.
    static func check(_ database: String) throws(JournalProblem) {
        let slash = database.lastIndex(of: "/")
        let directory = slash.map { $0 == database.startIndex ? "/" : String(database[..<$0]) } ?? "."
        guard try JournalDirectory(directory).check() else { return }
        for path in [database] + suffixes.map({ database + $0 }) + [JournalLock.path(database)] {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                let failure = LocalFileFailure("open", path)
                if failure.errno == ENOENT { continue }
                throw JournalProblem(failure)
            }
            try check(status, path)
        }
        try refuseSuperJournal(database + "-journal")
    }

    /// Opens a file for reading, without following a link and without waiting for the other end of a FIFO.
    ///
    /// - Parameter missing: the message if the file does not exist.
    static func open(_ path: String, missing: @autoclosure () -> String) throws(JournalProblem) -> Int32 {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor < 0 else { return descriptor }
        let failure = LocalFileFailure("open", path)
        throw failure.errno == ENOENT ? JournalProblem(.missing, path, missing()) : JournalProblem(failure)
    }

    /// Whether a file, or anything else, exists at the path.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// - Parameters:
    ///   - status: the result of lstat(2) or fstat(2).
    ///   - mayHaveLinks: whether the file may have more than one hard link.
    static func check(_ status: stat, _ path: String, mayHaveLinks: Bool = false) throws(JournalProblem) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unsafe(path, "is not a regular file") }
        guard status.st_uid == geteuid() else { throw .unsafe(path, "belongs to another user (uid \(status.st_uid))") }
        guard status.st_nlink == 1 || mayHaveLinks else { throw .unsafe(path, "has \(status.st_nlink) names (hard links)") }
        guard status.st_mode & 0o022 == 0 else { throw .unsafe(path, "can be written to by others") }
    }

    /// Refuses a rollback journal that ends with the name of a super-journal, which SQLite would delete after the rollback. Our
    /// journals have none, since each is a single database. Such a file ends with the magic number of its header (pager.c,
    /// readSuperJournal).
    private static func refuseSuperJournal(_ path: String) throws(JournalProblem) {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        var bytes = [UInt8](repeating: 0, count: magic.count)
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= magic.count, pread(descriptor, &bytes, bytes.count, size - off_t(magic.count)) == bytes.count else {
            return
        }
        guard bytes != magic else { throw .unsafe(path, "names other files") }
    }

    /// Removes the database and the files beside it. The caller holds the lock, whose file goes last.
    static func remove(_ database: String) {
        for suffix in ["", "-wal", "-shm", "-journal", ".new", ".new-journal"] { unlink(database + suffix) }
        unlink(JournalLock.path(database))
        unlink(planLink(database))
    }

    /// The symbolic link beside the journal of a merged run, to the directory of its plan: its claims hold for this run, too.
    static func planLink(_ database: String) -> String {
        (database.hasSuffix(".sqlite") ? String(database.dropLast(".sqlite".count)) : database) + ".plan"
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

/// Checks, by the files beside a database, that it has everything ever durably written to it. A run resumed from less would run
/// hosts twice.
struct JournalIntegrityCheck {
    private let path: String
    private let mark: JournalMark?
    private let log: WriteAheadLog?
    /// Another process is writing, so the files change while they are examined. What SQLite reads is still consistent.
    private let isUnderWay: Bool

    /// - Parameter lock: the journal's lock, if this process holds it and has not begun to write.
    /// - Throws: `JournalProblem` if something is missing. SQLite has then not opened the files, and nothing was written.
    init(_ path: String, pageSize: Int, _ lock: JournalLock?) throws(JournalProblem) {
        self.path = path
        // Read before the database, which therefore has at least as many commits.
        mark = try JournalMark.read(path)
        func isHeld() -> Bool { lock == nil && JournalLock.isHeld(path) }
        var isUnderWay = isHeld()
        var log: WriteAheadLog?
        if !isUnderWay {
            do throws(JournalProblem) {
                log = try WriteAheadLog(of: path, pageSize: pageSize)
            } catch {
                // A process may have started to write meanwhile.
                isUnderWay = isHeld()
                if !isUnderWay { throw error }
            }
        }
        (self.log, self.isUnderWay) = (log, isUnderWay)
        guard !isUnderWay, log?.committed ?? 0 == 0 else { return }
        // SQLite would create a log beside a database that has none.
        try JournalDatabase.withImmutable(path) { connection throws(JournalProblem) in
            try JournalSchema.check(connection, path)
            try check(JournalSchema.state(connection, path))
        }
    }

    /// - Parameter state: as SQLite reads it from the database and its log.
    func check(_ state: JournalSchema.State) throws(JournalProblem) {
        if let mark {
            guard mark.run == state.run else { throw .damaged(path, "\(JournalLock.path(path)) is of the run \(mark.run)") }
            guard state.commits ?? 0 >= mark.commits else {
                throw .damaged(path, "\(loss): of \(mark.commits) commits it has \(state.commits ?? 0)")
            }
        }
        // A mark with a count of 0 may have been added later to a journal of version 0.1.
        guard !isUnderWay, mark?.commits ?? 0 == 0 else { return }
        if let frame = log?.broken { throw .damaged(path, "frame \(frame) of its log \(path)-wal is not whole") }
        if state.isClosed, log?.committed ?? 0 == 0 { return }
        if log?.committed ?? 0 == 0 { throw .damaged(path, "its log \(path)-wal is missing") }
        if state.commits != nil, mark == nil {
            throw .damaged(path, "\(JournalLock.path(path)), which says how long its log is, is missing")
        }
    }

    private var loss: String {
        guard let log else { return "its log \(path)-wal is missing, or the file is an older copy" }
        if let frame = log.broken { return "frame \(frame) of its log \(path)-wal is not whole" }
        return "its log \(path)-wal ends early, or one of the files is an older copy"
    }
}
