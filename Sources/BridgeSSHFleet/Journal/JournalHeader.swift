import GRDB
import GRDBSQLite

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

    /// Looks at a file before SQLite may lock it, recover it, or put files beside it, so that a foreign one stays as it is.
    static func check(_ path: String) throws(JournalProblem) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let failure = LocalFileFailure("open", path)
            throw failure.errno == ENOENT
                ? JournalProblem(.missing, path, "there is no journal \(path); `bridge-ssh fleet list` names the runs")
                : JournalProblem(failure)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .foreign(path) }
        guard access(path, R_OK) == 0 else { throw JournalProblem(LocalFileFailure("open", path)) }
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
        try checkLog(path)
    }

    /// The first bytes. SQLite itself could not say what they are while a part of the log has been moved into the database.
    ///
    /// Where this process has the journal open, closing a descriptor of it gives SQLite's locks on it away (fcntl(2)). That is safe:
    /// they keep others from opening it to write, and so does `JournalLock`.
    private static func header(_ path: String) throws(JournalProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw JournalProblem(LocalFileFailure("open", path)) }
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

    /// A copy of the database without its log is of some earlier moment: hosts would be run twice.
    private static func checkLog(_ path: String) throws(JournalProblem) {
        var status = stat()
        if stat(path + "-wal", &status) == 0, status.st_size > 0 { return }
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(connection)
        }
        // Without recovery, and without files beside it.
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2("file:\(escaped(path))?immutable=1", &connection, flags, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, "SELECT closed FROM run", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else {
            let code = sqlite3_errcode(connection)
            throw code == SQLITE_DONE || code == SQLITE_OK || code == SQLITE_ERROR
                ? .damaged(path, "it has no run") : problem(code, connection, path)
        }
        guard sqlite3_column_int64(statement, 0) == 1 else { throw .damaged(path, "its log \(path)-wal is missing") }
    }

    private static func problem(_ code: Int32, _ connection: OpaquePointer?, _ path: String) -> JournalProblem {
        let message = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return JournalProblem(DatabaseError(resultCode: ResultCode(rawValue: code), message: message), path)
    }

    /// A path in a URI (RFC 3986).
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { uri, byte in
            let isPlain = byte > 0x20 && byte < 0x7F && !"?#%".utf8.contains(byte)
            uri += isPlain ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal
        }
    }
}
