#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The right of this process alone to continue a run. The system releases it when the process ends, in whatever way.
///
/// The lock is a separate file next to the database, because closing any descriptor of the database would drop SQLite's own locks
/// (fcntl(2)). The file also records how many commits are durable (``JournalMark``).
final class JournalLock: Sendable {
    private let descriptor: Int32
    private let database: String

    /// - Parameter database: the path of the database.
    /// - Throws: `JournalProblem` if another process holds the lock.
    init(_ database: String) throws(JournalProblem) {
        let path = Self.path(database)
        // The properties are set last: once they are set, the deinitialiser runs even if this throws.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            let failure = LocalFileFailure("open", path)
            throw failure.errno == EROFS || failure.errno == EACCES ? .readOnly(database) : JournalProblem(failure)
        }
        do throws(JournalProblem) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw JournalProblem(LocalFileFailure("open", path)) }
            try JournalFiles.check(status, path)
            try Self.lock(descriptor, path, database)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.database = database
    }

    private static func lock(_ descriptor: Int32, _ path: String, _ database: String) throws(JournalProblem) {
        var tries = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            guard number == EWOULDBLOCK else { throw JournalProblem(LocalFileFailure("lock", path, errno: number)) }
            tries += 1
            guard tries < Self.tries else {
                throw JournalProblem(
                    .inUse, database,
                    "another process is running or resuming the run of the journal \(database); wait until it has ended")
            }
            // A process that only checks the lock holds it for a moment.
            usleep(10_000)
        }
    }

    private static let tries = 10

    deinit {
        // A forked child that has not yet called exec has the descriptor, too. If only this process closed its descriptor, the
        // other would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether a process holds the lock of a database. Creates no file.
    static func isHeld(_ database: String) -> Bool {
        let descriptor = open(path(database), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            return number == EWOULDBLOCK
        }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// Writes the number of commits to the file, before any host begins.
    func begin(_ mark: JournalMark) throws(JournalProblem) {
        try write(mark, JournalMark.slots.map { $0 }, durably: true)
    }

    /// Writes the number of commits to the file.
    ///
    /// - Parameter durably: whether to wait until it survives a power cut. It always survives the end of this process.
    func write(_ mark: JournalMark, durably: Bool) throws(JournalProblem) {
        try write(mark, [mark.offset], durably: durably)
    }

    private func write(_ mark: JournalMark, _ offsets: [Int], durably: Bool) throws(JournalProblem) {
        let bytes = mark.bytes
        for offset in offsets {
            var count: Int
            repeat { count = pwrite(descriptor, bytes, bytes.count, off_t(offset)) } while count < 0 && errno == EINTR
            guard count == bytes.count else { throw failure(count < 0 ? errno : ENOSPC) }
        }
        if durably, synchronized() != 0 { throw failure(errno) }
    }

    private func synchronized() -> Int32 {
        #if canImport(Darwin)
            fcntl(descriptor, F_FULLFSYNC)
        #else
            fdatasync(descriptor)
        #endif
    }

    private func failure(_ number: Int32) -> JournalProblem {
        number == ENOSPC || number == EDQUOT
            ? .full(database) : JournalProblem(LocalFileFailure("write", Self.path(database), errno: number))
    }

    static func path(_ database: String) -> String {
        (database.hasSuffix(".sqlite") ? String(database.dropLast(".sqlite".count)) : database) + ".lock"
    }
}
