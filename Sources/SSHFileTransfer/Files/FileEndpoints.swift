/// A source file before it is opened.
protocol SourcePlace: Sendable {
    /// For messages.
    var path: String { get }

    /// - Throws: the failure, a directory included.
    func open() async throws -> any FileSource
}

/// An open file that is being read.
protocol FileSource: Sendable {
    /// The client, which turns failures into errors.
    var client: SFTPClient { get }
    var side: SSHFileProblem.Side { get }
    /// For messages.
    var path: String { get }
    /// The identity that distinguishes it from files of the same size and time: a local file's device and inode, or a path at the
    /// server.
    var identity: String { get }
    /// Its known size, kind, mode and times.
    var attributes: SFTPAttributes { get }
    /// Whether its size is meaningless, so that it must be read to its end: files of /proc report 0.
    var isUnsized: Bool { get }
    /// The most bytes of one call.
    var part: Int { get }

    /// The beginning of a range; empty at the end of the file.
    func read(_ range: Range<UInt64>) async throws -> FileBytes
    /// All of a small file, and closes it; fewer bytes if one read returns fewer.
    func readWhole(_ size: UInt64) async throws -> FileBytes
    /// Makes it readable again after ``readWhole(_:)``.
    func reopen() async throws
    /// Whether the reported size of a file that ends early was wrong from the start, as with files of /sys.
    func hasFalseSize(_ size: UInt64) async throws -> Bool
    func checksum() async throws -> FileChecksum
    func close() async throws
    /// Closes it after a failure. A further failure is ignored.
    func abandon() async
}

extension FileSource {
    /// The size before reading; 0 for anything but a regular file.
    var size: UInt64 { attributes.kind ?? .regular == .regular ? attributes.size ?? 0 : 0 }

    /// The failure of a file that has become shorter.
    func shortened() async -> SSHError {
        await client.error(
            SSHFileProblem(.readFailed, side, operation: "read", path: path, detail: "it became shorter while it was copied"))
    }
}

/// A copy's target before it is opened.
protocol TargetPlace: Sendable {
    /// Opens a new file with a temporary name, or the file itself to be written in place.
    ///
    /// - Throws: `DirectoryRefusal` if no file can be made in the directory.
    func open(for source: any FileSource, isInPlace: Bool, _ tally: CopyTally) async throws -> any FileTarget
    /// The size of the existing regular file; nil if there is none.
    func fileSize() async throws -> UInt64?
}

extension TargetPlace {
    /// Whether there is a regular file that could be written in place.
    func hasFile() async throws -> Bool { try await fileSize() != nil }
}

/// An open file that is being written.
protocol FileTarget: Sendable {
    /// The client, which turns failures into errors.
    var client: SFTPClient { get }
    var side: SSHFileProblem.Side { get }
    /// The final name.
    var path: String { get }
    /// The name until the copy is complete; the final one for a file that is written in place.
    var temporary: String { get }
    var isInPlace: Bool { get }
    /// The most bytes of one call.
    var part: Int { get }

    func size() async throws -> UInt64
    func write(_ bytes: FileBytes, at offset: UInt64) async throws
    func truncate(to size: UInt64) async throws
    /// Writes all of a small file and closes it.
    func writeWhole(_ bytes: FileBytes, setting attributes: SFTPAttributes?) async throws
    func close(setting attributes: SFTPAttributes?) async throws
    /// - Parameter size: the number of bytes that were written.
    func checksum(of size: UInt64) async throws -> FileChecksum
    /// Gives the file its final name, in one step if that is possible.
    ///
    /// - Throws: `DirectoryRefusal` if the old file may not be replaced.
    func publish(_ tally: CopyTally) async throws
    /// Closes it after a failure. A further failure is ignored.
    func abandon() async
    /// Removes a partial copy.
    ///
    /// - Returns: whether it no longer exists.
    func remove() async -> Bool
}

/// The directory does not let this user make or replace an entry. The existing file may still be writable.
struct DirectoryRefusal: Error {
    let error: SSHError
}

/// The SHA-256 of a file, or the reason why it is unknown.
enum FileChecksum: Sendable, Equatable {
    case sum(String)
    /// The reason why it is unknown, as the end of a sentence.
    case unavailable(String)
}

extension SFTPAttributes {
    /// The mode of a new copy, before the umask: the mode of the file that it replaces, so that it grants nothing that the old
    /// file denied. Without an old file it is the source's mode.
    func newMode(replacing old: UInt32?, _ options: SFTPCopyOptions) -> UInt32 {
        let mode = (options.preservesAttributes ? nil : old) ?? permissions ?? 0o666
        // A later copy that resumes the file must be able to write it.
        return mode & 0o777 | (options.resumes ? 0o600 : 0)
    }
}

/// The content of a file in order, with several requests under way at once.
///
/// For one reader. Releasing the last reference cancels the requests under way.
final class ReadAhead {
    private let source: any FileSource
    private let part: Int
    /// The most requests under way at once.
    private let depth: Int
    /// The first offset that was not requested yet.
    private var position: UInt64
    private let end: UInt64
    private var underWay: [(range: Range<UInt64>, task: Task<FileBytes, any Error>)] = []

    /// - Parameters:
    ///   - range: the range to read; it ends with the file if the file is shorter.
    ///   - window: the bytes that are requested at once; at least one part.
    init(_ source: any FileSource, _ range: Range<UInt64>, part: Int, window: Int) {
        self.source = source
        self.part = max(1, min(part, 1 << 18))
        depth = max(1, window / self.part)
        position = range.lowerBound
        end = range.upperBound
    }

    deinit { for request in underWay { request.task.cancel() } }

    /// The next bytes; nil at the end.
    func next() async throws -> FileBytes? {
        while underWay.count < depth, position < end {
            let upper = end - position > UInt64(part) ? position + UInt64(part) : end
            underWay.append((position..<upper, ask(for: position..<upper)))
            position = upper
        }
        guard let (range, task) = underWay.first else { return nil }
        let bytes = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        underWay.removeFirst()
        if bytes.count == 0 {
            for request in underWay { request.task.cancel() }
            underWay = []
            position = end
            return nil
        }
        if bytes.count < range.count {
            let rest = range.lowerBound + UInt64(bytes.count)..<range.upperBound
            underWay.insert((rest, ask(for: rest)), at: 0)
        }
        return bytes
    }

    private func ask(for range: Range<UInt64>) -> Task<FileBytes, any Error> {
        Task { [source] in try await source.read(range) }
    }
}
