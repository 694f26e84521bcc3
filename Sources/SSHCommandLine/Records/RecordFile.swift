import SSHRun
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file that lines are appended to, opened before any event that they could describe.
final class RecordFile: Sendable {
    private let descriptor: Int32
    private let failure = Mutex<Int32?>(nil)

    /// - Throws: `UsageProblem` if it cannot be written.
    init(_ path: String, option: String) throws {
        // Without O_NONBLOCK, opening a pipe that has no reader would block for ever.
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw UsageProblem(
                field: option,
                problem: "\(path) cannot be written: \(String(cString: strerror(errno))); name a file in a directory of yours")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// The error of the last line that could not be written.
    var problem: String? { failure.withLock { $0 }.map { String(cString: strerror($0)) } }

    /// Appends a line. One write: those of several processes do not mix (write(2), O_APPEND).
    func append(_ line: [UInt8]) {
        let written = line.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
        guard written != line.count else { return }
        let number = written < 0 ? errno : ENOSPC
        failure.withLock { $0 = number }
    }
}
