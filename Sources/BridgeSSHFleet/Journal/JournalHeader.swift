#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a file says of itself before it is opened as a journal.
enum JournalHeader {
    /// `bSfl`, as SQLite's header has it.
    static let application: Int64 = 0x6253_666C
    /// The version of the tables. A change that this version could not read increases it.
    static let version: Int64 = 1

    /// Looks at a journal's files before SQLite may lock them, recover them, or put files beside them, so that a foreign one stays as it is.
    ///
    /// - Returns: the size of its pages.
    @discardableResult
    static func check(_ path: String) throws(JournalProblem) -> Int {
        try JournalFiles.check(path)
        let header = try Self.header(path)
        guard header.starts(with: Array("SQLite format 3\0".utf8)), number(header, 68) == application else {
            throw .foreign(path)
        }
        let found = number(header, 60)
        guard found <= version else {
            throw JournalProblem(
                .newer, path,
                "the journal \(path) is of a newer version of bridge-ssh (\(found), this one knows \(version)); update bridge-ssh"
            )
        }
        let size = Int(header[16]) << 8 | Int(header[17])
        guard size == 1 || size >= 512 && size & (size - 1) == 0 else { throw .damaged(path, "its pages have no size") }
        return size == 1 ? 65536 : size
    }

    /// The first bytes. SQLite itself could not say what they are while a part of the log has been moved into the database.
    ///
    /// Where this process has the journal open, closing a descriptor of it gives SQLite's locks on it away (fcntl(2)). That is safe:
    /// they keep others from opening it to write, and so does `JournalLock`.
    private static func header(_ path: String) throws(JournalProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            let failure = LocalFileFailure("open", path)
            throw failure.errno == ENOENT
                ? JournalProblem(.missing, path, "there is no journal \(path)")
                : JournalProblem(failure)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw JournalProblem(LocalFileFailure("read", path)) }
        return bytes
    }

    /// A number of the header, as section 1.3 of "Database File Format" has them: big-endian.
    private static func number(_ header: [UInt8], _ offset: Int) -> Int64 {
        header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int64($1) }
    }
}
