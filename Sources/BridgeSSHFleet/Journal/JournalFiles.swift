import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

enum JournalFiles {
    /// Suffixes of the files beside a database that SQLite takes for parts of it.
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
