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
final class JournalLock: Sendable {
    private let descriptor: Int32

    /// - Parameter database: the path of the database.
    /// - Throws: `JournalProblem` if another process has it.
    init(_ database: String) throws(JournalProblem) {
        let path = Self.path(database)
        // The property is set last: from then on the deinitialiser runs also where this throws.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let failure = LocalFileFailure("open", path)
            throw failure.errno == EROFS || failure.errno == EACCES ? .readOnly(database) : JournalProblem(failure)
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(descriptor)
            guard number == EWOULDBLOCK else { throw JournalProblem(LocalFileFailure("lock", path, errno: number)) }
            throw JournalProblem(
                .inUse, database, "another process goes on with the run of the journal \(database); wait until it has ended")
        }
        self.descriptor = descriptor
    }

    deinit {
        // A child that has been forked and not yet executed anything has the descriptor too, and would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    static func path(_ database: String) -> String {
        (database.hasSuffix(".sqlite") ? String(database.dropLast(".sqlite".count)) : database) + ".lock"
    }
}
