/// A file that may be copied: a place, before it is opened.
protocol SourcePlace: Sendable {
    /// For messages.
    var path: String { get }

    /// - Throws: the failure, a directory included.
    func open() async throws -> any FileSource
}

/// An open file that is being read.
protocol FileSource: Sendable {
    /// What names the failures.
    var client: SFTPClient { get }
    var side: SSHFileProblem.Side { get }
    /// For messages.
    var path: String { get }
    /// Its size, kind, mode and times, as far as they are known.
    var attributes: SFTPAttributes { get }
    /// Whether its size says nothing, so that it has to be read to its end: files of /proc say 0.
    var isUnsized: Bool { get }
    /// The most bytes of one call.
    var part: Int { get }

    /// The beginning of a range; empty where the file has ended.
    func read(_ range: Range<UInt64>) async throws -> FileBytes
    /// All of a small file, which is closed with it; fewer bytes where the file gives fewer at once.
    func readWhole(_ size: UInt64) async throws -> FileBytes
    /// Makes it readable again after ``readWhole(_:)``.
    func reopen() async throws
    /// Whether a file that ends before its size only claims to be that long, as files of /sys do, and has not become shorter.
    func onlyClaims(_ size: UInt64) async throws -> Bool
    func checksum() async throws -> FileChecksum
    func close() async throws
    /// Closes it after a failure, whatever becomes of that.
    func abandon() async
}

extension FileSource {
    /// What is known before anything is read; 0 for what is no regular file.
    var size: UInt64 { attributes.kind ?? .regular == .regular ? attributes.size ?? 0 : 0 }

    /// The failure of a file that has become shorter.
    func shortened() async -> SSHError {
        await client.error(
            SSHFileProblem(.readFailed, side, operation: "read", path: path, detail: "it became shorter while it was copied"))
    }
}

/// Where a copy goes, before it is opened.
protocol TargetPlace: Sendable {
    /// Opens a new file with a temporary name, or the file itself to be written in place.
    ///
    /// - Throws: `DirectoryRefusal` where no file can be made in the directory.
    func open(for source: any FileSource, isInPlace: Bool, _ tally: CopyTally) async throws -> any FileTarget
    /// The size of the regular file that is there; nil where there is none.
    func fileSize() async throws -> UInt64?
}

extension TargetPlace {
    /// Whether there is a regular file that could be written in place.
    func hasFile() async throws -> Bool { try await fileSize() != nil }
}

/// An open file that is being written.
protocol FileTarget: Sendable {
    /// What names the failures.
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
    /// - Parameter size: how much was written.
    func checksum(of size: UInt64) async throws -> FileChecksum
    /// Gives the file its final name, in one step where that is possible.
    ///
    /// - Throws: `DirectoryRefusal` where the old file may not be replaced.
    func publish(_ tally: CopyTally) async throws
    /// Closes it after a failure, whatever becomes of that.
    func abandon() async
    /// Removes a partial copy.
    ///
    /// - Returns: whether nothing is left of it.
    func remove() async -> Bool
}

/// The directory does not let this user make or replace an entry; the file that is there may be writable all the same.
struct DirectoryRefusal: Error {
    let error: SSHError
}

/// What is known of the SHA-256 of a file.
enum FileChecksum: Sendable, Equatable {
    case sum(String)
    /// The reason why there is none, as the end of a sentence.
    case unavailable(String)
}

extension SFTPAttributes {
    /// The mode of a new copy, before the umask: that of the file that it replaces, so that it grants nothing that the old one
    /// denied, or else that of its source.
    func newMode(replacing old: UInt32?, _ options: SFTPCopyOptions) -> UInt32 {
        let mode = (options.preservesAttributes ? nil : old) ?? permissions ?? 0o666
        // The owner must be able to write a file that a later copy resumes.
        return mode & 0o777 | (options.resumes ? 0o600 : 0)
    }
}
