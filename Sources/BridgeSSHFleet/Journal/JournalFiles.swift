#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The files of one journal.
enum JournalFiles {
    /// Removes the database and what is beside it. The lock is held, and its file goes last.
    static func remove(_ database: String) {
        for suffix in ["", "-wal", "-shm", "-journal", ".new", ".new-journal"] { unlink(database + suffix) }
        unlink(JournalLock.path(database))
    }
}
