import BridgeSSH

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A failed system call on a local file.
package struct LocalFileFailure: Error, Equatable {
    let operation: String
    let path: String
    package let errno: Int32

    /// - Parameter number: the error number; nil for the current errno.
    package init(_ operation: String, _ path: String, errno number: Int32? = nil) {
        self.errno = number ?? lastError()
        self.operation = operation
        self.path = path
    }

    /// Whether no space is left.
    var isFull: Bool { errno == ENOSPC || errno == EDQUOT }

    /// The verdict, as for any local file.
    package var verdict: SSHError {
        let reason: SSHFileProblem.Reason =
            switch errno {
            case ENOENT: .noSuchFile
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT: .diskFull
            default: .writeFailed
            }
        return .onLocalFile(SSHFileProblem(reason, .local, operation: operation, path: path, systemError: errno))
    }
}

extension SSHError {
    package static func onLocalFile(_ problem: SSHFileProblem) -> SSHError {
        SSHFailureClassifier.classify(SSHEvidence(event: .fileFailed(problem), stage: .local))
    }
}

private func lastError() -> Int32 { errno }

extension LocalFileFailure {
    /// The longest wait for the reader of a descriptor that does not block, in milliseconds.
    private static let timeLimit: Int32 = 10_000

    /// Writes all bytes, with as many calls of write(2) as needed.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(LocalFileFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, lastError() == EINTR { continue }
            if count < 0, lastError() == EAGAIN {
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&writable, 1, timeLimit) != 0 else { throw LocalFileFailure("write", path, errno: ETIMEDOUT) }
                continue
            }
            guard count > 0 else { throw LocalFileFailure("write", path, errno: count < 0 ? lastError() : ENOSPC) }
            rest = rest.dropFirst(count)
        }
    }

    /// The system's description of the error.
    var reason: String { SystemError.text(errno) }
}

/// The parts of a run's memory, in bytes, as shares of its limit: 3/8 for the receive windows of running hosts, 2/8 for their
/// kept output, 1/8 for output that waits for the reader of the events, 1/16 for output that waits to be shown at the end. The
/// rest is for bytes that briefly exist twice: output that grows or is being written to the journal.
package struct MemoryShares: Sendable {
    package let windows: Int
    package let kept: Int
    package let unread: Int
    package let shown: Int

    package init(of memory: Int) {
        let eighth = memory / 8
        windows = 3 * eighth
        kept = max(1 << 20, 2 * eighth)
        unread = max(256 << 10, eighth)
        shown = eighth / 2
    }
}
