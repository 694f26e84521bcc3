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

    /// Whether the files are this user's alone, before any of them is opened. Whoever writes a journal has the one who resumes it run
    /// what it says, and has SQLite follow links and delete files that a rollback journal names.
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

    /// - Parameter status: what lstat(2) or fstat(2) says of the file.
    static func check(_ status: stat, _ path: String) throws(JournalProblem) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unsafe(path, "is no regular file") }
        guard status.st_uid == geteuid() else { throw .unsafe(path, "belongs to another user (uid \(status.st_uid))") }
        guard status.st_nlink == 1 else { throw .unsafe(path, "has \(status.st_nlink) names (hard links)") }
        guard status.st_mode & 0o022 == 0 else { throw .unsafe(path, "can be written to by others") }
    }

    /// Refuses a rollback journal that ends with the name of a super-journal, which SQLite deletes when it has rolled back: no journal
    /// of ours has one, since it is one database. pager.c, readSuperJournal: such a file ends with the magic of its begin.
    private static func refuseSuperJournal(_ path: String) throws(JournalProblem) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
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
    }
}
