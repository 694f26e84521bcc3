#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The facts in a file's header, read before the file is opened as a journal.
enum JournalHeader {
    /// `bSfl`, the application ID in SQLite's header.
    static let application: Int64 = 0x6253_666C
    /// The version of the tables. It increases with any change that this version could not read.
    static let version: Int64 = 1

    /// Examines a journal's files before SQLite may lock them, recover them, or create files beside them. A foreign file stays as
    /// it is.
    ///
    /// - Returns: the page size, in bytes.
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
        guard size == 1 || size >= 512 && size & (size - 1) == 0 else { throw .damaged(path, "its page size is invalid") }
        return size == 1 ? 65536 : size
    }

    /// The first bytes of the file. SQLite itself cannot read them while a part of the log has been moved into the database.
    ///
    /// If this process has the journal open, closing a descriptor of it drops SQLite's locks (fcntl(2)). That is safe: the locks
    /// keep other processes from opening it for writing, and so does `JournalLock`.
    private static func header(_ path: String) throws(JournalProblem) -> [UInt8] {
        let descriptor = try JournalFiles.open(path, missing: "there is no journal \(path)")
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw JournalProblem(LocalFileFailure("read", path)) }
        return bytes
    }

    /// A big-endian number of the header, as in section 1.3 of "Database File Format".
    private static func number(_ header: [UInt8], _ offset: Int) -> Int64 {
        header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// A journal's data about its run as a whole.
package struct RunInfo: Sendable, Equatable {
    package let name: String
    package let path: String
    package let subject: RunSubject
    package let hosts: Int
    /// Milliseconds since 1970.
    package let startedAt: Int64
    /// Milliseconds since 1970; nil for a run that was interrupted or is in progress.
    package let finishedAt: Int64?
    package let exitStatus: Int?
    /// Whether the hosts' output is kept.
    package let keepsOutput: Bool
}

/// How many commits of a journal are durable. It is written outside the database after each commit and before a command is sent.
///
/// SQLite silently drops everything in a write-ahead log from the first incomplete frame on. That is right for a commit that a
/// power cut tore, because no run has acted on it, and wrong for one that was damaged later. The database counts its commits,
/// too. If the journal has fewer commits than the mark, some were lost: its log is damaged, missing or replaced, or the database
/// is an older copy.
///
/// The mark is stored twice in the lock file. Commits write the two slots in turn, so one slot is complete whenever the power
/// fails.
struct JournalMark: Equatable {
    let run: String
    let commits: Int64

    /// The offsets in the file, in different sectors.
    static let slots = [0, 512]
    private static let length = 128
    private static let word = "bridge-ssh-journal"

    var offset: Int { Self.slots[Int(commits & 1)] }

    init(run: String, commits: Int64) {
        self.run = run
        self.commits = commits
    }

    /// A line whose last word is a checksum of the others, so an incomplete line is not taken for a mark.
    var bytes: [UInt8] {
        var bytes = Array("\(text) \(Self.digest(text))".utf8)
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: max(0, Self.length - 1 - bytes.count))
        return bytes + [UInt8(ascii: "\n")]
    }

    private var text: String { "\(Self.word) \(run) \(commits)" }

    private static func digest(_ text: String) -> String {
        RunSubject.digest(Array(text.utf8)).prefix(8).map { $0 }.hexadecimal
    }

    private init?(_ bytes: ArraySlice<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else { return nil }
        let words = text.dropLast().split(separator: " ")
        guard words.count == 4, words[0] == Self.word, let commits = Int64(words[2]), commits >= 0 else { return nil }
        self.init(run: String(words[1]), commits: commits)
        guard words[3] == Self.digest(self.text) else { return nil }
    }

    /// Reads a journal's mark; nil if there is none, as in journals of version 0.1 or those moved without it.
    ///
    /// - Parameter database: the path of the database, whose files have already been checked.
    static func read(_ database: String) throws(JournalProblem) -> JournalMark? {
        let path = JournalLock.path(database)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw JournalProblem(LocalFileFailure("open", path))
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: (slots.last ?? 0) + length)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw JournalProblem(LocalFileFailure("read", path)) }
        if count == 0 { return nil }
        let marks = slots.compactMap { JournalMark(bytes[$0..<($0 + length)]) }
        guard let last = marks.max(by: { $0.commits < $1.commits }) else { throw .damaged(database, "\(path) cannot be read") }
        return last
    }
}
