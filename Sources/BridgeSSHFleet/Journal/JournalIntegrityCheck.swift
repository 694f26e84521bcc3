import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Checks, by the files beside a database, that it has everything ever durably written to it. A run resumed from less would run
/// hosts twice.
struct JournalIntegrityCheck {
    private let path: String
    private let mark: JournalMark?
    private let log: WriteAheadLog?
    /// Another process is writing, so the files change while they are examined. The data that SQLite reads is still
    /// consistent.
    private let isUnderWay: Bool

    /// - Parameter lock: the journal's lock, if this process holds it and has not begun to write.
    /// - Throws: `JournalProblem` if something is missing. SQLite has then not opened the files, and nothing was written.
    init(_ path: String, pageSize: Int, _ lock: JournalLock?) throws(JournalProblem) {
        self.path = path
        // Read before the database, which therefore has at least as many commits.
        mark = try JournalMark.read(path)
        func isHeld() -> Bool { lock == nil && JournalLock.isHeld(path) }
        var isUnderWay = isHeld()
        var log: WriteAheadLog?
        if !isUnderWay {
            do throws(JournalProblem) {
                log = try WriteAheadLog(of: path, pageSize: pageSize)
            } catch {
                // A process may have started to write meanwhile.
                isUnderWay = isHeld()
                if !isUnderWay { throw error }
            }
        }
        (self.log, self.isUnderWay) = (log, isUnderWay)
        guard !isUnderWay, log?.committed ?? 0 == 0 else { return }
        // SQLite would create a log beside a database that has none.
        try JournalDatabase.withImmutable(path) { connection throws(JournalProblem) in
            try JournalSchema.check(connection, path)
            try check(JournalSchema.state(connection, path))
        }
    }

    /// - Parameter state: as SQLite reads it from the database and its log.
    func check(_ state: JournalSchema.State) throws(JournalProblem) {
        if let mark {
            guard mark.run == state.run else { throw .damaged(path, "\(JournalLock.path(path)) is of the run \(mark.run)") }
            guard state.commits ?? 0 >= mark.commits else {
                throw .damaged(path, "\(loss): of \(mark.commits) commits it has \(state.commits ?? 0)")
            }
        }
        // A mark with a count of 0 may have been added later to a journal of version 0.1.
        guard !isUnderWay, mark?.commits ?? 0 == 0 else { return }
        if let frame = log?.broken { throw .damaged(path, "frame \(frame) of its log \(path)-wal is incomplete") }
        if state.isClosed, log?.committed ?? 0 == 0 { return }
        if log?.committed ?? 0 == 0 { throw .damaged(path, "its log \(path)-wal is missing") }
        if state.commits != nil, mark == nil {
            throw .damaged(path, "\(JournalLock.path(path)), which says how long its log is, is missing")
        }
    }

    private var loss: String {
        guard let log else { return "its log \(path)-wal is missing, or the file is an older copy" }
        if let frame = log.broken { return "frame \(frame) of its log \(path)-wal is incomplete" }
        return "its log \(path)-wal ends early, or one of the files is an older copy"
    }
}

/// The write-ahead log of a journal, as in section 4 of "Database File Format". It is checked before SQLite opens it: SQLite
/// treats a log with a damaged header as empty, and drops everything after a damaged frame.
struct WriteAheadLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// How many frames from the start are intact, up to the last frame that ends a commit.
    private(set) var committed = 0
    /// The first frame that is not intact, from 1, if it or a later frame belongs to this log. A power cut tore it, or it was
    /// damaged later.
    private(set) var broken: Int?

    /// - Parameter pageSize: the page size of the database, in bytes.
    /// - Returns: nil if there is no log, or not even a complete header.
    /// - Throws: `JournalProblem` if the header is damaged.
    init?(of database: String, pageSize: Int) throws(JournalProblem) {
        let path = database + "-wal"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw JournalProblem(LocalFileFailure("open", path))
        }
        defer { close(descriptor) }
        let reader = FrameReader(descriptor: descriptor, path: path)
        guard let header = try reader.bytes(Self.headerSize, at: 0) else { return nil }
        let sum = FrameSum(isBigEndian: header.number(0) & 1 == 1)
        // The magic number 0x377F0682 or 0x377F0683, the version, and the page size.
        guard header.number(0) | 1 == 0x377F_0683, header.number(4) == 3_007_000, header.number(8) == pageSize,
            sum.adding(header[..<24]) == FrameSum(header.number(24), header.number(28), sum)
        else { throw .damaged(database, "the header of its log \(path) is incomplete") }
        try read(reader, frameSize: Self.frameHeaderSize + pageSize, salt: Array(header[16..<24]), sum.adding(header[..<24]))
    }

    private mutating func read(
        _ reader: FrameReader, frameSize: Int, salt: [UInt8], _ start: FrameSum
    ) throws(JournalProblem) {
        var sum = start
        var index = 0
        while let frame = try reader.bytes(frameSize, at: Self.headerSize + index * frameSize) {
            sum = sum.adding(frame[..<8]).adding(frame[Self.frameHeaderSize...])
            guard frame[8..<16].elementsEqual(salt), frame.number(0) != 0,
                sum == FrameSum(frame.number(16), frame.number(20), sum)
            else { break }
            index += 1
            if frame.number(4) != 0 { committed = index }
        }
        // Frames of an earlier log, not yet overwritten, differ in both words of the salt. A torn frame still has its salt, which
        // comes first.
        let first = index
        while let head = try reader.bytes(16, at: Self.headerSize + index * frameSize) {
            if head[8..<12].elementsEqual(salt[..<4]) || head[12..<16].elementsEqual(salt[4...]) {
                broken = first + 1
                return
            }
            index += 1
        }
    }
}

/// The checksum of the frames, which continues from frame to frame.
private struct FrameSum: Equatable {
    private var first: UInt32 = 0
    private var second: UInt32 = 0
    private let isBigEndian: Bool

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    init(_ first: UInt32, _ second: UInt32, _ other: FrameSum) {
        (self.first, self.second, isBigEndian) = (first, second, other.isBigEndian)
    }

    /// - Parameter bytes: their number must be a multiple of eight.
    func adding(_ bytes: ArraySlice<UInt8>) -> FrameSum {
        var sum = self
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let words = (
                    bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                )
                sum.first &+= (isBigEndian ? words.0.bigEndian : words.0.littleEndian) &+ sum.second
                sum.second &+= (isBigEndian ? words.1.bigEndian : words.1.littleEndian) &+ sum.first
            }
        }
        return sum
    }
}

/// Reads parts of a file.
private struct FrameReader {
    let descriptor: Int32
    let path: String

    /// - Returns: nil if the file has fewer bytes.
    func bytes(_ count: Int, at offset: Int) throws(JournalProblem) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var found: Int
        repeat { found = pread(descriptor, &bytes, count, off_t(offset)) } while found < 0 && errno == EINTR
        guard found >= 0 else { throw JournalProblem(LocalFileFailure("read", path)) }
        return found == count ? bytes : nil
    }
}

extension [UInt8] {
    /// A big-endian 32-bit number.
    fileprivate func number(_ offset: Int) -> UInt32 { self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
}
