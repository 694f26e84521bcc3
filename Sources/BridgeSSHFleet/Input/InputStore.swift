internal import BridgeSSH

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The part of a stream read so far: its start in memory, the rest in an unnamed file.
///
/// Whole blocks are handed out without a copy, so the hosts share them.
struct InputStore {
    static let blockLength = 64 << 10

    private let memory: Int
    private let directory: String
    private var blocks: [[UInt8]] = []
    private var inMemory = 0
    private var inFile: UInt64 = 0
    private var file: UnnamedFile?

    /// - Parameters:
    ///   - memory: the most bytes kept in memory.
    ///   - directory: the directory for the file.
    init(memory: Int, directory: String) {
        self.memory = memory
        self.directory = directory
    }

    var count: UInt64 { UInt64(inMemory) + inFile }

    /// Bytes to write to the file, and where; nil if memory took everything.
    typealias FileWrite = (file: UnnamedFile, bytes: [UInt8], offset: UInt64)

    /// Adds the next piece. The caller must write the bytes that do not fit in memory to the file, and then call ``confirm(_:)``.
    ///
    /// - Throws: `UnnamedFile.Failure`.
    mutating func add(_ piece: [UInt8]) throws -> FileWrite? {
        let space = inFile > 0 ? 0 : max(0, memory - inMemory)
        keep(piece.prefix(space))
        guard piece.count > space else { return nil }
        let file = try self.file ?? UnnamedFile(in: directory)
        self.file = file
        return (file, Array(piece.dropFirst(space)), inFile)
    }

    /// Confirms the number of bytes written to the file.
    mutating func confirm(_ written: Int) { inFile += UInt64(written) }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            if blocks.last.map({ $0.count == Self.blockLength }) ?? true {
                blocks.append([])
                blocks[blocks.count - 1].reserveCapacity(min(Self.blockLength, max(rest.count, 4096)))
            }
            let part = rest.prefix(Self.blockLength - blocks[blocks.count - 1].count)
            blocks[blocks.count - 1] += part
            rest = rest.dropFirst(part.count)
        }
        inMemory += bytes.count
    }

    enum Place {
        case memory([UInt8])
        case file(UnnamedFile, offset: UInt64, count: Int)
    }

    /// The location of the bytes from an offset on, at most one block; nil if there are none yet.
    func place(of offset: UInt64) -> Place? {
        if offset < UInt64(inMemory) {
            let block = blocks[Int(offset) / Self.blockLength]
            let start = Int(offset) % Self.blockLength
            // A block that still grows is copied: sharing it would copy it again with each new piece.
            return .memory(start == 0 && block.count == Self.blockLength ? block : Array(block[start...]))
        }
        guard offset < count, let file else { return nil }
        let start = offset - UInt64(inMemory)
        return .file(file, offset: start, count: Int(min(UInt64(Self.blockLength), inFile - start)))
    }
}

/// A temporary file without a name; it disappears with this process.
final class UnnamedFile: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let operation: String
        let directory: String
        let number: Int32

        var description: String {
            "a temporary file in \(directory) cannot be \(operation): \(String(cString: strerror(number)))"
        }
    }

    private let descriptor: Int32
    private let directory: String

    /// - Throws: ``Failure``.
    init(in directory: String) throws {
        self.directory = directory
        #if os(Linux)
            var found = open(directory, Self.unnamed | O_RDWR | O_CLOEXEC, 0o600)
            // Not every file system supports unnamed files.
            if found < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL { found = Self.removed(in: directory) }
        #else
            let found = Self.removed(in: directory)
        #endif
        guard found >= 0 else { throw Failure(operation: "made", directory: directory, number: errno) }
        descriptor = found
    }

    #if os(Linux)
        /// O_TMPFILE (asm-generic/fcntl.h), a macro that Swift does not import.
        private static let unnamed = 0o20_000_000 | O_DIRECTORY
    #endif

    private static func removed(in directory: String) -> Int32 {
        let path = "\(directory)/bridge-ssh-input-\(UInt64.random(in: 0 ... .max))"
        let found = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if found >= 0 { unlink(path) }
        return found
    }

    deinit { close(descriptor) }

    /// - Throws: ``Failure``.
    func write(_ bytes: [UInt8], at offset: UInt64) throws {
        try bytes.withUnsafeBytes { source in
            var done = 0
            while done < source.count {
                let count = pwrite(
                    descriptor, source.baseAddress?.advanced(by: done), source.count - done, off_t(offset) + off_t(done))
                if count > 0 { done += count } else if count == 0 || errno != EINTR { throw failure("written") }
            }
        }
    }

    /// - Throws: ``Failure``.
    func read(_ count: Int, at offset: UInt64) throws -> [UInt8] { try PositionedFile(descriptor).read(count, at: offset) ?? [] }

    private func failure(_ operation: String) -> Failure {
        Failure(operation: operation, directory: directory, number: errno == 0 ? EIO : errno)
    }
}

/// Reads an open file at any offset.
struct PositionedFile {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    struct Failure: Error, CustomStringConvertible {
        let number: Int32
        var description: String { "it cannot be read: \(String(cString: strerror(number)))" }
    }

    /// - Returns: nil if the file has fewer bytes.
    /// - Throws: ``Failure``.
    func read(_ count: Int, at offset: UInt64) throws -> [UInt8]? {
        var failed: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            done = 0
            while done < count, failed == 0 {
                let got = pread(descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset) + off_t(done))
                if got > 0 { done += got } else if got == 0 { break } else if errno != EINTR { failed = errno }
            }
        }
        if failed != 0 { throw Failure(number: failed) }
        return bytes.count == count ? bytes : nil
    }
}

/// The standard input of every host's command. Each attempt reads it from the beginning.
package enum FleetInput: Sendable {
    /// No input: it ends at once.
    case none
    /// A store that contains these bytes, such as a script.
    case bytes([UInt8])
    /// A file, or this process's piped standard input.
    case shared(SharedInput)

    /// The next piece; nil at the end.
    package typealias Reader = @Sendable () async throws -> [UInt8]?

    /// The input for one attempt.
    var standardInput: SSHStandardInput {
        switch self {
        case .none: .none
        case .bytes(let bytes): bytes.isEmpty ? .none : .bytes(bytes)
        case .shared(let input): .pieces(input.reader())
        }
    }

    /// The input for one attempt, piece by piece.
    package func reader() -> Reader {
        switch self {
        case .none: return { nil }
        case .bytes(let bytes):
            let rest = OneTimeValue(bytes.isEmpty ? nil : bytes)
            return { rest.take() }
        case .shared(let input): return input.reader()
        }
    }
}
