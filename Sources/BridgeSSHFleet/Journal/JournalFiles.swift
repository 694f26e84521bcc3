import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The files of one journal.
enum JournalFiles {
    /// What SQLite takes for a part of a database that it stands beside.
    private static let suffixes = ["-wal", "-shm", "-journal"]

    /// Whether the files are this user's alone, before any of them is opened. Whoever writes a journal has the one who resumes
    /// it run what it says, and has SQLite follow links and delete files that a rollback journal names.
    ///
    /// - Parameter database: its path; it may be missing.
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

    /// Opens a file to read it, without following a link and without waiting for the other end of a FIFO.
    ///
    /// - Parameter missing: what is said where it is not there.
    static func open(_ path: String, missing: @autoclosure () -> String) throws(JournalProblem) -> Int32 {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor < 0 else { return descriptor }
        let failure = LocalFileFailure("open", path)
        throw failure.errno == ENOENT ? JournalProblem(.missing, path, missing()) : JournalProblem(failure)
    }

    /// Whether there is a file, or something in its place.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// - Parameters:
    ///   - status: what lstat(2) or fstat(2) says of the file.
    ///   - mayHaveLinks: whether it may have more than one name.
    static func check(_ status: stat, _ path: String, mayHaveLinks: Bool = false) throws(JournalProblem) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unsafe(path, "is no regular file") }
        guard status.st_uid == geteuid() else { throw .unsafe(path, "belongs to another user (uid \(status.st_uid))") }
        guard status.st_nlink == 1 || mayHaveLinks else { throw .unsafe(path, "has \(status.st_nlink) names (hard links)") }
        guard status.st_mode & 0o022 == 0 else { throw .unsafe(path, "can be written to by others") }
    }

    /// Refuses a rollback journal that ends with the name of a super-journal, which SQLite deletes when it has rolled back: no
    /// journal of ours has one, since it is one database. pager.c, readSuperJournal: such a file ends with the magic of its
    /// begin.
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

    /// Removes the database and what is beside it. The lock is held, and its file goes last.
    static func remove(_ database: String) {
        for suffix in ["", "-wal", "-shm", "-journal", ".new", ".new-journal"] { unlink(database + suffix) }
        unlink(JournalLock.path(database))
        unlink(planLink(database))
    }

    /// The symbolic link beside the journal of a merged run: to the directory of its plan, whose claims hold for it too.
    static func planLink(_ database: String) -> String {
        (database.hasSuffix(".sqlite") ? String(database.dropLast(".sqlite".count)) : database) + ".plan"
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

/// What stands beside a database says of it: whether it has all that was ever written to it durably. A run that goes on from
/// less would run hosts twice.
struct JournalEvidence {
    private let path: String
    private let mark: JournalMark?
    private let log: WriteAheadLog?
    /// Another process writes to it, so that the files change while they are looked at. What SQLite reads is whole then.
    private let isUnderWay: Bool

    /// - Parameter lock: that of the journal, where this process has it and does not write yet.
    /// - Throws: `JournalProblem` where it has not; nothing was opened by SQLite, and nothing written.
    init(_ path: String, pageSize: Int, _ lock: JournalLock?) throws(JournalProblem) {
        self.path = path
        // Before the database is read, which then has as many commits at least.
        mark = try JournalMark.read(path)
        func isHeld() -> Bool { lock == nil && JournalLock.isHeld(path) }
        var isUnderWay = isHeld()
        var log: WriteAheadLog?
        if !isUnderWay {
            do throws(JournalProblem) {
                log = try WriteAheadLog(of: path, pageSize: pageSize)
            } catch {
                // Begun in the meantime?
                isUnderWay = isHeld()
                if !isUnderWay { throw error }
            }
        }
        (self.log, self.isUnderWay) = (log, isUnderWay)
        guard !isUnderWay, log?.committed ?? 0 == 0 else { return }
        // SQLite would put a log beside a database that lacks it.
        try JournalDatabase.withImmutable(path) { connection throws(JournalProblem) in
            try JournalSchema.check(connection, path)
            try judge(JournalSchema.state(connection, path))
        }
    }

    /// - Parameter state: as SQLite reads the database with its log.
    func judge(_ state: JournalSchema.State) throws(JournalProblem) {
        if let mark {
            guard mark.run == state.run else { throw .damaged(path, "\(JournalLock.path(path)) is of the run \(mark.run)") }
            guard state.commits ?? 0 >= mark.commits else {
                throw .damaged(path, "\(loss): of \(mark.commits) commits it has \(state.commits ?? 0)")
            }
        }
        // A mark that counts none may be younger than a journal of version 0.1.
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
