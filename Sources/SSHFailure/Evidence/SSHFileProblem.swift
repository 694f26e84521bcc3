/// A failure of one file, or of the SFTP protocol (draft-ietf-secsh-filexfer-02).
public struct SSHFileProblem: Sendable, Hashable, Codable {
    /// The kind of failure.
    public var reason: Reason
    /// The side on which it happened.
    public var side: Side
    /// The operation, as a verb: `open`, `write`, `rename`.
    public var operation: String
    /// The path of the file; empty if the problem is not about a single file.
    public var path: String
    /// The server's status code (filexfer-02 section 7), if one came.
    public var status: UInt32?
    /// The server's message or a local description, truncated to 512 bytes.
    public var detail: String
    /// The errno of a local system call.
    public var systemError: Int32?
    /// The detail for a server that gives two open files the same handle.
    package static let sharedHandle = "it gave one handle to two open files, whose contents would be mixed"

    /// The side of a file.
    public enum Side: String, Sendable, Hashable, Codable, CaseIterable {
        /// On the server.
        case remote
        /// On this machine.
        case local
    }

    /// The kinds of file failures.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// SSH_FX_NO_SUCH_FILE, ENOENT, ENOTDIR.
        case noSuchFile
        /// SSH_FX_PERMISSION_DENIED, EACCES, EPERM, EROFS.
        case permissionDenied
        /// The name is already in use: SSH_FX_FAILURE, if lstat finds a file there.
        case alreadyExists
        /// A directory is in the place of a file.
        case isDirectory
        /// No space is left: ENOSPC, EDQUOT, or SSH_FX_FAILURE if statvfs@openssh.com confirms it.
        case diskFull
        /// SSH_FX_FAILURE or another errno while reading.
        case readFailed
        /// SSH_FX_FAILURE or another errno while writing or changing.
        case writeFailed
        /// SSH_FX_BAD_MESSAGE.
        case badMessage
        /// SSH_FX_NO_CONNECTION.
        case noConnection
        /// SSH_FX_CONNECTION_LOST, or the SFTP server ended.
        case connectionLost
        /// SSH_FX_OP_UNSUPPORTED.
        case unsupported
        /// A violation of the protocol.
        case protocolError
        /// The server does not support version 3.
        case versionUnsupported
        /// A name from the server that points outside the target directory.
        case unsafeName
        /// More entries, longer names or more depth than the limits allow.
        case limitExceeded
        /// The SHA-256 of the copy differs from that of the source.
        case checksumMismatch
    }

    /// A problem.
    public init(
        _ reason: Reason, _ side: Side, operation: String, path: String = "", status: UInt32? = nil, detail: String = "",
        systemError: Int32? = nil
    ) {
        self.reason = reason
        self.side = side
        self.operation = operation
        self.path = path
        self.status = status
        self.detail = String(decoding: detail.utf8.prefix(512), as: UTF8.self)
        self.systemError = systemError
    }
}
