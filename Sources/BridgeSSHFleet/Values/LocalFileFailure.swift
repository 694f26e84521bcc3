import BridgeSSH

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A system call on a file of this machine that failed.
package struct LocalFileFailure: Error, Equatable {
    let operation: String
    let path: String
    package let errno: Int32

    /// - Parameter number: nil for the errno of the call that was just made.
    init(_ operation: String, _ path: String, errno number: Int32? = nil) {
        self.errno = number ?? lastError()
        self.operation = operation
        self.path = path
    }

    /// The verdict, as on any local file.
    var verdict: SSHError {
        let reason: SSHFileProblem.Reason =
            switch errno {
            case ENOENT, ENOTDIR: .noSuchFile
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT: .diskFull
            default: .writeFailed
            }
        return .onLocalFile(SSHFileProblem(reason, .local, operation: operation, path: path, systemError: errno))
    }
}

extension SSHError {
    static func onLocalFile(_ problem: SSHFileProblem) -> SSHError {
        SSHFailureClassifier.classify(SSHEvidence(event: .fileFailed(problem), stage: .local))
    }
}

private func lastError() -> Int32 { errno }

extension LocalFileFailure {
    /// Writes all of it, whatever write(2) takes at once.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(LocalFileFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, lastError() == EINTR { continue }
            guard count > 0 else { throw LocalFileFailure("write", path, errno: count < 0 ? lastError() : ENOSPC) }
            rest = rest.dropFirst(count)
        }
    }

    /// What the system says, in words.
    var reason: String { SystemError.text(errno) }
}

/// What a run's memory is divided into, in bytes: three eighths for the windows of running hosts, two for what is kept of their
/// output, one for output that waits for the reader of the events, half of one for outputs that wait for the end to be shown.
/// What is left is for what is there twice for a moment: an output that grows, or is on its way into the journal.
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
