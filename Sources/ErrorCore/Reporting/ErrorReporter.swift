#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Sends errors out of the process: to a crash report, an analytics service or a file.
///
/// A reporter does not throw: an error about an error does not help. The handler awaits it, so a reporter to a slow service
/// should queue.
public protocol ErrorReporter: Sendable {
    /// Receives the record of an error: text only, bounded and redacted.
    func report(_ record: ErrorRecord) async
    /// Receives the record and the error, for a crash reporter that needs the `Error` itself. The error is not redacted.
    ///
    /// Default: ``report(_:)``.
    func report(_ record: ErrorRecord, of error: any Error) async
}

extension ErrorReporter {
    /// Passes on the record only.
    public func report(_ record: ErrorRecord, of error: any Error) async {
        await report(record)
    }
}

/// Appends each record to a file as one line of JSON, and starts a new file before it grows too large.
///
/// The file and its predecessors (`path.1`, the newest, to `path.N`) never take more than `maximumBytes × (keeping + 1)` bytes.
/// Only the user can read them (0600). Several processes may append to one file.
public actor JSONLinesReporter: ErrorReporter {
    private let path: String
    private let maximumBytes: Int
    private let keeping: Int
    private let encoder: JSONEncoder

    /// How many records could not be written.
    public private(set) var lostRecords = 0
    /// Why the last of them could not be written.
    public private(set) var lastFailure: AppError?

    /// A reporter that writes to a file, which is created with the first record. Its directory must exist.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - maximumBytes: The greatest size of one file, in bytes.
    ///   - keeping: The number of full files to keep besides the current one; 0 or more.
    public init(path: String, maximumBytes: Int = 1 << 20, keeping: Int = 3) {
        self.path = path
        self.maximumBytes = maximumBytes
        self.keeping = max(0, keeping)
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Appends a record.
    public func report(_ record: ErrorRecord) {
        do {
            let line = Data(JSONEscape.escaping([UInt8](try encoder.encode(record)) + [UInt8(ascii: "\n")]))
            guard line.count <= maximumBytes else {
                throw AppError.fileWriteError(path: path, reason: "one record is larger than the file may be")
            }
            try append(line)
        } catch {
            lostRecords += 1
            lastFailure = AppError(error, hints: .init(path: path, fileUse: .write))
        }
    }

    private func append(_ line: Data) throws(AppError) {
        var file = try open()
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw AppError(systemError: errno, path: path, use: .write) }
        if status.st_size > 0, Int(status.st_size) + line.count > maximumBytes, standardStream(at: path) == nil {
            close(file)
            // If it cannot be opened again, the deferred close must not close a reused descriptor.
            file = -1
            rotate()
            file = try open()
        }
        // One write call, so that lines of several processes do not mix (O_APPEND, write(2)).
        let written = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        if written != line.count { throw AppError(systemError: written < 0 ? errno : ENOSPC, path: path, use: .write) }
    }

    private func open() throws(AppError) -> Int32 {
        // Don't block on a named pipe without a reader.
        #if canImport(Darwin)
            let file = Darwin.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        #else
            let file = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        #endif
        guard file >= 0 else { throw AppError(systemError: errno, path: path, use: .write) }
        return file
    }

    /// Errors are ignored here: they show when the file is opened again. A missing predecessor is not an error.
    private func rotate() {
        if keeping == 0 {
            unlink(path)
            return
        }
        for number in stride(from: keeping - 1, through: 1, by: -1) { rename("\(path).\(number)", "\(path).\(number + 1)") }
        rename(path, "\(path).1")
    }
}

/// The number of standard output or standard error, if a path leads to its regular file, as `/dev/stderr` may. No other file may take
/// the place of that file.
package func standardStream(at path: String) -> Int32? {
    var file = stat()
    guard stat(path, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
    return [STDOUT_FILENO, STDERR_FILENO].first { number in
        var standard = stat()
        return fstat(number, &standard) == 0 && standard.st_dev == file.st_dev && standard.st_ino == file.st_ino
    }
}
