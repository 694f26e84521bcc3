extension SSHError.Code {
    /// The server has no such file or directory.
    public static let sftpNoSuchFile = Self(rawValue: "ssh.sftp.no-such-file")
    /// The server does not let this user at the file.
    public static let sftpPermissionDenied = Self(rawValue: "ssh.sftp.permission-denied")
    /// The server's file system has no space left.
    public static let sftpDiskFull = Self(rawValue: "ssh.sftp.disk-full")
    /// The server could not read the file and says no more.
    public static let sftpReadFailed = Self(rawValue: "ssh.sftp.read-failed")
    /// The server could not write or change the file and says no more.
    public static let sftpWriteFailed = Self(rawValue: "ssh.sftp.write-failed")
    /// The server takes a request for malformed.
    public static let sftpBadMessage = Self(rawValue: "ssh.sftp.bad-message")
    /// Something at the server has the name already.
    public static let sftpAlreadyExists = Self(rawValue: "ssh.sftp.already-exists")
    /// There is a directory where a file is needed.
    public static let sftpIsADirectory = Self(rawValue: "ssh.sftp.is-a-directory")
    /// The server does not support the operation.
    public static let sftpUnsupported = Self(rawValue: "ssh.sftp.unsupported")
    /// A directory has more entries, longer names or more depth than is copied.
    public static let sftpLimitExceeded = Self(rawValue: "ssh.sftp.limit-exceeded")
    /// The copy has another SHA-256 than its source.
    public static let sftpChecksumMismatch = Self(rawValue: "ssh.sftp.checksum-mismatch")
    /// The server lists a name that would be written elsewhere, or that is no text.
    public static let sftpUnsafeName = Self(rawValue: "ssh.sftp.unsafe-name")
    /// The server has no connection to its own storage.
    public static let sftpNoConnection = Self(rawValue: "ssh.sftp.no-connection")
    /// The server's file program ended before the copy did.
    public static let sftpConnectionLost = Self(rawValue: "ssh.sftp.connection-lost")
    /// What the server's file program sends is not SFTP.
    public static let sftpProtocolError = Self(rawValue: "ssh.sftp.protocol-error")
    /// The server does not speak version 3 of SFTP.
    public static let sftpVersionUnsupported = Self(rawValue: "ssh.sftp.version-unsupported")
    /// There is no such file or directory here.
    public static let sftpLocalNoSuchFile = Self(rawValue: "ssh.sftp.local-no-such-file")
    /// This user may not read or write the file here.
    public static let sftpLocalPermissionDenied = Self(rawValue: "ssh.sftp.local-permission-denied")
    /// There is no space left here.
    public static let sftpLocalDiskFull = Self(rawValue: "ssh.sftp.local-disk-full")
    /// A file here could not be read.
    public static let sftpLocalReadFailed = Self(rawValue: "ssh.sftp.local-read-failed")
    /// A file here could not be written.
    public static let sftpLocalWriteFailed = Self(rawValue: "ssh.sftp.local-write-failed")
}

extension SSHError {
    // The same codes for `catch SSHError.sftpNoSuchFile`.

    /// Matches `ssh.sftp.no-such-file` in a `catch`.
    public static var sftpNoSuchFile: Code { .sftpNoSuchFile }
    /// Matches `ssh.sftp.permission-denied` in a `catch`.
    public static var sftpPermissionDenied: Code { .sftpPermissionDenied }
    /// Matches `ssh.sftp.disk-full` in a `catch`.
    public static var sftpDiskFull: Code { .sftpDiskFull }
    /// Matches `ssh.sftp.read-failed` in a `catch`.
    public static var sftpReadFailed: Code { .sftpReadFailed }
    /// Matches `ssh.sftp.write-failed` in a `catch`.
    public static var sftpWriteFailed: Code { .sftpWriteFailed }
    /// Matches `ssh.sftp.bad-message` in a `catch`.
    public static var sftpBadMessage: Code { .sftpBadMessage }
    /// Matches `ssh.sftp.already-exists` in a `catch`.
    public static var sftpAlreadyExists: Code { .sftpAlreadyExists }
    /// Matches `ssh.sftp.is-a-directory` in a `catch`.
    public static var sftpIsADirectory: Code { .sftpIsADirectory }
    /// Matches `ssh.sftp.unsupported` in a `catch`.
    public static var sftpUnsupported: Code { .sftpUnsupported }
    /// Matches `ssh.sftp.limit-exceeded` in a `catch`.
    public static var sftpLimitExceeded: Code { .sftpLimitExceeded }
    /// Matches `ssh.sftp.checksum-mismatch` in a `catch`.
    public static var sftpChecksumMismatch: Code { .sftpChecksumMismatch }
    /// Matches `ssh.sftp.unsafe-name` in a `catch`.
    public static var sftpUnsafeName: Code { .sftpUnsafeName }
    /// Matches `ssh.sftp.no-connection` in a `catch`.
    public static var sftpNoConnection: Code { .sftpNoConnection }
    /// Matches `ssh.sftp.connection-lost` in a `catch`.
    public static var sftpConnectionLost: Code { .sftpConnectionLost }
    /// Matches `ssh.sftp.protocol-error` in a `catch`.
    public static var sftpProtocolError: Code { .sftpProtocolError }
    /// Matches `ssh.sftp.version-unsupported` in a `catch`.
    public static var sftpVersionUnsupported: Code { .sftpVersionUnsupported }
    /// Matches `ssh.sftp.local-no-such-file` in a `catch`.
    public static var sftpLocalNoSuchFile: Code { .sftpLocalNoSuchFile }
    /// Matches `ssh.sftp.local-permission-denied` in a `catch`.
    public static var sftpLocalPermissionDenied: Code { .sftpLocalPermissionDenied }
    /// Matches `ssh.sftp.local-disk-full` in a `catch`.
    public static var sftpLocalDiskFull: Code { .sftpLocalDiskFull }
    /// Matches `ssh.sftp.local-read-failed` in a `catch`.
    public static var sftpLocalReadFailed: Code { .sftpLocalReadFailed }
    /// Matches `ssh.sftp.local-write-failed` in a `catch`.
    public static var sftpLocalWriteFailed: Code { .sftpLocalWriteFailed }
}
