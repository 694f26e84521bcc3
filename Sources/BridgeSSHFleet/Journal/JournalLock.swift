#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// That this process alone goes on with a run. The system lets it go when the process ends, in whatever way.
///
/// It is a file beside the database, because closing any descriptor of the database would lose SQLite's own locks (fcntl(2)).
/// It also says how many commits are durable (``JournalMark``).
final class JournalLock: Sendable {
    private let descriptor: Int32
    private let database: String

    /// - Parameter database: the path of the database.
    /// - Throws: `JournalProblem` if another process has it.
    init(_ database: String) throws(JournalProblem) {
        let path = Self.path(database)
        // The properties are set last: from then on the deinitialiser runs also where this throws.
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
                    .inUse, database, "another process goes on with the run of the journal \(database); wait until it has ended")
            }
            // One who only looks whether it is held has it for a moment.
            usleep(10_000)
        }
    }

    private static let tries = 10

    deinit {
        // A child that has been forked and not yet executed anything has the descriptor too, and would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether a process has the lock of a database. Nothing is made.
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

    /// Makes the file say how many commits there are, before any host is begun.
    func begin(_ mark: JournalMark) throws(JournalProblem) {
        try write(mark, JournalMark.slots.map { $0 }, durably: true)
    }

    /// Makes the file say how many commits there are.
    ///
    /// - Parameter durably: whether it returns when that survives a power cut; it always survives the end of this process.
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
