import BridgeSSH
import ErrorCore
import SSHRun

/// A file with one line for scripts about how a run ended. It appears in one step.
package struct StatusFile: Sendable {
    private let path: String
    /// A stream, which is never replaced.
    private let opened: RecordFile?

    /// Checks that the file can be written, and removes an older one, so that a later file is from this run.
    ///
    /// - Throws: `UsageProblem`.
    package init(_ path: String) throws {
        self.path = path
        if isStream(path) {
            opened = try RecordFile(path, option: StatusOptions.fileOption)
            return
        }
        opened = nil
        var status = stat()
        let isThere = stat(path, &status) == 0
        guard !isThere || status.st_mode & S_IFMT == S_IFREG else { throw Self.problem(path, EISDIR) }
        let (temporary, descriptor) = try Self.makeTemporary(beside: path)
        close(descriptor)
        unlink(temporary)
        if isThere, unlink(path) != 0 { throw Self.problem(path, errno) }
    }

    /// Writes the line.
    ///
    /// - Returns: why the line could not be written; nil if it was.
    package func write(_ line: StatusLine) -> String? {
        let bytes = Array((line.text + "\n").utf8)
        if let opened {
            opened.append(bytes)
            return opened.problem
        }
        do {
            let (temporary, descriptor) = try Self.makeTemporary(beside: path)
            let failure = bytes.withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) }
            close(descriptor)
            if failure == nil, rename(temporary, path) == 0 { return nil }
            let number = if case .system(let number)? = failure { number } else { errno }
            unlink(temporary)
            return Self.text(number)
        } catch {
            return (error as? UsageProblem)?.verdict.message ?? "\(error)"
        }
    }

    private static func makeTemporary(beside path: String) throws -> (path: String, descriptor: Int32) {
        guard let file = makeTemporaryFile(beside: path) else { throw problem(path, errno) }
        return file
    }

    private static func problem(_ path: String, _ number: Int32) -> UsageProblem {
        UsageProblem(
            field: StatusOptions.fileOption,
            problem: "\(path) cannot be written: \(text(number)); name a file in a directory that you can write to")
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}

/// Whether a path is written to and never replaced: it names a descriptor (`/dev/stdout`), a pipe, a device, or the file that is
/// this process's standard output or error. Root could replace even `/dev/stdout`, for all programs.
package func isStream(_ path: String) -> Bool {
    if openDescriptor(of: path) != nil { return true }
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
}

/// The descriptor that a path names, or whose file it names.
private func openDescriptor(of path: String) -> Int32? { LocalPath.descriptor(namedBy: path) ?? standardStream(at: path) }

/// Opens a file to append to. For a file that is already open it copies the descriptor, which shares its place in the file. A
/// named pipe without a reader fails at once (ENXIO), and so does a descriptor that is only read (EBADF): what the caller closed
/// is open for reading, on /dev/null.
///
/// - Returns: a negative number, with errno(3), if it cannot be opened.
package func openToAppend(_ path: String, creates: Bool, blocks: Bool) -> Int32 {
    if let number = openDescriptor(of: path) {
        guard fcntl(number, F_GETFL) & O_ACCMODE != O_RDONLY else {
            errno = EBADF
            return -1
        }
        return fcntl(number, F_DUPFD_CLOEXEC, 0)
    }
    let descriptor = open(path, O_WRONLY | O_APPEND | (creates ? O_CREAT : 0) | O_CLOEXEC | O_NONBLOCK, 0o600)
    if blocks, descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
    return descriptor
}

/// Creates a file that is to replace the one at `path`. Its mode is what umask(2) leaves, so that other programs can read it.
///
/// - Returns: nil, with errno(3), if it cannot be created.
package func makeTemporaryFile(beside path: String) -> (path: String, descriptor: Int32)? {
    for _ in 0..<16 {
        let temporary = "\(path).\(UInt32.random(in: 0 ... .max))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        if descriptor >= 0 { return (temporary, descriptor) }
        guard errno == EEXIST else { return nil }
    }
    return nil
}

/// The line in a status file: three words with a blank between them.
///
/// The first word is how the command ended: `exited`, `signalled`, or `none` if that is unknown; `mixed` for several hosts with
/// different ends. The second is the exit status from the server, 32 bits, or the signal's name without SIG, or `-`. The third
/// is the code of the failure, or `-`.
package struct StatusLine: Equatable {
    package let text: String

    /// - Parameters:
    ///   - signal: its name without SIG.
    ///   - code: the code of the failure; nil for a success.
    package init(exitStatus: Int?, signal: String?, code: String?) {
        let code = code ?? "-"
        if let signal {
            // A server may send any text as the name.
            text = "signalled \(signal.isEmpty ? "-" : signal.replacing(" ", with: "_")) \(code)"
        } else if let exitStatus {
            text = "exited \(exitStatus) \(code)"
        } else {
            text = "none - \(code)"
        }
    }

    private init(text: String) { self.text = text }

    /// The line for hosts with different ends.
    package static let mixed = StatusLine(text: "mixed - -")
}

extension StatusOptions {
    /// The status file, checked; nil without `--status-file`.
    ///
    /// - Throws: `UsageProblem`.
    func file(home: String) throws -> StatusFile? { try statusFile.map { try StatusFile(HomePath.expand($0, home: home)) } }
}
