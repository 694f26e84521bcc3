import ErrorCore

// Codes for copying files. A failure of a single file has exit status 1, as with cp(1) and scp(1).

extension SSHFailureCodes {
    /// The server has no such file or directory.
    public static var sftpNoSuchFile: SSHError.Code {
        .init(
            "ssh.sftp.no-such-file",
            .init(
                .fileNotFound, .file, retry: .afterFix, exit: .fileFailure,
                title: "No Such Remote File",
                meaning: "The server has no such file or directory.",
                remedy: "Check the path; a relative one starts in the home directory.",
                example: "host:/srv/aplication"))
    }

    /// The server denied access to the file.
    public static var sftpPermissionDenied: SSHError.Code {
        .init(
            "ssh.sftp.permission-denied",
            .init(
                .filePermissionDenied, .file, retry: .afterFix, exit: .fileFailure,
                title: "Remote Permission Denied",
                meaning: "The server denied access to the file.",
                remedy: """
                    Look at its permissions on the server (\(run: "ls -ld DIRECTORY FILE", on: .server)), or use another user.
                    """,
                example: "a file of the user root"))
    }

    /// The server's file system has no space left.
    public static var sftpDiskFull: SSHError.Code {
        .init(
            "ssh.sftp.disk-full",
            .init(
                .insufficientDiskSpace, .file, retry: .afterFix, exit: .fileFailure,
                title: "Remote Disk Full",
                meaning: "The server's file system has no space left.",
                remedy: "Free some space there: \(run: "df -h", on: .server) shows how much there is.",
                example: "a backup larger than the disk"))
    }

    /// The server could not read the file and gives no reason.
    public static var sftpReadFailed: SSHError.Code {
        .init(
            "ssh.sftp.read-failed",
            .init(
                .fileReadError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Remote Read Failed",
                meaning: "The server could not read the file and gives no reason.",
                remedy: "Look at the server's disk and log.",
                example: "a bad sector, or a file that shrank"))
    }

    /// The server could not write or change the file and gives no reason.
    public static var sftpWriteFailed: SSHError.Code {
        .init(
            "ssh.sftp.write-failed",
            .init(
                .fileWriteError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Remote Write Failed",
                meaning: "The server could not write or change the file and gives no reason.",
                remedy: "Try the same on the server itself.",
                example: "a quota, or a directory in the file's place"))
    }

    /// The server rejected a request as malformed.
    public static var sftpBadMessage: SSHError.Code {
        .init(
            "ssh.sftp.bad-message",
            .init(
                .fileWriteError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Malformed Request",
                meaning: "The server rejected a request as malformed.",
                remedy: "Use a shorter name.",
                example: "a name of 300 bytes"))
    }

    /// A file or directory of this name exists on the server.
    public static var sftpAlreadyExists: SSHError.Code {
        .init(
            "ssh.sftp.already-exists",
            .init(
                .fileWriteError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Already Exists",
                meaning: "A file or directory of this name exists on the server.",
                remedy: "Remove or rename it first, or use another name.",
                example: "a file in a directory's place"))
    }

    /// There is a directory where a file is needed.
    public static var sftpIsADirectory: SSHError.Code {
        .init(
            "ssh.sftp.is-a-directory",
            .init(
                .fileReadError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Is A Directory",
                meaning: "There is a directory where a file is needed.",
                remedy: "Copy directories with \(option: .recursive).",
                example: "copy host:/etc . without -r"))
    }

    /// The server does not support the operation.
    public static var sftpUnsupported: SSHError.Code {
        .init(
            "ssh.sftp.unsupported",
            .init(
                .featureUnavailable, .file, retry: .afterFix, exit: .fileFailure,
                title: "Operation Not Supported",
                meaning: "The server does not support the operation.",
                remedy: "Avoid this operation, or use another SFTP server.",
                example: "symbolic links on a server without them"))
    }

    /// A directory has more entries, longer names or more levels than the limits allow.
    public static var sftpLimitExceeded: SSHError.Code {
        .init(
            "ssh.sftp.limit-exceeded",
            .init(
                .fileReadError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Too Many Entries",
                meaning: "A directory has more entries, longer names or more levels than the limits allow.",
                remedy: "Copy its parts one by one, or pack them into one file on the server first.",
                example: "a server whose listing never ends"))
    }

    /// The SHA-256 of the copy differs from that of its source.
    public static var sftpChecksumMismatch: SSHError.Code {
        .init(
            "ssh.sftp.checksum-mismatch",
            .init(
                .fileWriteError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Checksum Mismatch",
                meaning: "The SHA-256 of the copy differs from that of its source.",
                remedy: "Copy it again from its beginning.",
                example: "a file that was written to while it was copied"))
    }

    /// The server listed a name that leads out of the target directory.
    public static var sftpUnsafeName: SSHError.Code {
        .init(
            "ssh.sftp.unsafe-name",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "Unsafe Remote Name",
                meaning: "The server listed a name that leads out of the target directory.",
                remedy: "Rename it on the server; do not trust a server that sends such names.",
                example: "an entry named ../.bashrc"))
    }

    /// The SFTP server has no connection to its storage.
    public static var sftpNoConnection: SSHError.Code {
        .init(
            "ssh.sftp.no-connection",
            .init(
                .sshConnectionFailed, .server, retry: .backoff(), exit: .sessionFailure,
                title: "Remote Storage Unavailable",
                meaning: "The SFTP server has no connection to its storage.",
                remedy: "Look at the server's log.",
                example: "a gateway to object storage"))
    }

    /// The SFTP server ended before the copy did.
    public static var sftpConnectionLost: SSHError.Code {
        .init(
            "ssh.sftp.connection-lost",
            .init(
                .sshConnectionFailed, .server, retry: .backoff(), exit: .sessionFailure,
                title: "SFTP Server Ended",
                meaning: "The SFTP server ended before the copy did.",
                remedy: "Look at the server's log, then copy again.",
                example: "an sftp-server that was killed"))
    }

    /// The SFTP server violates the SFTP protocol.
    public static var sftpProtocolError: SSHError.Code {
        .init(
            "ssh.sftp.protocol-error",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "SFTP Protocol Error",
                meaning: "The SFTP server violates the SFTP protocol.",
                remedy: "Let login scripts print text in interactive shells only.",
                example: "echo in .bashrc"))
    }

    /// The server does not speak version 3 of SFTP.
    public static var sftpVersionUnsupported: SSHError.Code {
        .init(
            "ssh.sftp.version-unsupported",
            .init(
                .sshConnectionFailed, .protocol, retry: .never, exit: .protocolFailure,
                title: "SFTP Version Unsupported",
                meaning: "The server does not speak version 3 of SFTP.",
                remedy: "Update the server.",
                example: "a server with version 2"))
    }

    /// The local file or directory does not exist.
    public static var sftpLocalNoSuchFile: SSHError.Code {
        .init(
            "ssh.sftp.local-no-such-file",
            .init(
                .fileNotFound, .file, retry: .afterFix, exit: .fileFailure,
                title: "No Such Local File",
                meaning: "The local file or directory does not exist.",
                remedy: "Check the path; a relative one starts in the directory where you are.",
                example: "copy repotr.pdf host:"))
    }

    /// This user may not read or write the local file.
    public static var sftpLocalPermissionDenied: SSHError.Code {
        .init(
            "ssh.sftp.local-permission-denied",
            .init(
                .filePermissionDenied, .file, retry: .afterFix, exit: .fileFailure,
                title: "Local Permission Denied",
                meaning: "This user may not read or write the local file.",
                remedy: "Check the permissions of the file and of its directory.",
                example: "copy /etc/shadow host:"))
    }

    /// The local file system has no space left.
    public static var sftpLocalDiskFull: SSHError.Code {
        .init(
            "ssh.sftp.local-disk-full",
            .init(
                .insufficientDiskSpace, .file, retry: .afterFix, exit: .fileFailure,
                title: "Local Disk Full",
                meaning: "The local file system has no space left.",
                remedy: "Free some space here, or write to another file system.",
                example: "a download larger than the disk"))
    }

    /// A local file could not be read.
    public static var sftpLocalReadFailed: SSHError.Code {
        .init(
            "ssh.sftp.local-read-failed",
            .init(
                .fileReadError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Local Read Failed",
                meaning: "A local file could not be read.",
                remedy: "Check the file and its disk.",
                example: "a file that shrank while it was copied"))
    }

    /// A local file could not be written.
    public static var sftpLocalWriteFailed: SSHError.Code {
        .init(
            "ssh.sftp.local-write-failed",
            .init(
                .fileWriteError, .file, retry: .afterFix, exit: .fileFailure,
                title: "Local Write Failed",
                meaning: "A local file could not be written.",
                remedy: "Check the directory and its disk.",
                example: "a name that is too long"))
    }
}
