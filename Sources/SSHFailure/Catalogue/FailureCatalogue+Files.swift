import ErrorCore

extension FailureCatalogue {
    /// Failures of copying files. Those of one file end with status 1, as with cp(1) and scp(1).
    static let fileRows: [Row] = [
        Row(
            .sftpNoSuchFile, .fileNotFound, .sftp, .file, .error, .afterFix, .fileFailure,
            "No Such Remote File", "The server has no such file or directory."),
        Row(
            .sftpPermissionDenied, .filePermissionDenied, .sftp, .file, .error, .afterFix, .fileFailure,
            "Remote Permission Denied", "The server does not let this user at the file."),
        Row(
            .sftpDiskFull, .insufficientDiskSpace, .sftp, .file, .error, .afterFix, .fileFailure,
            "Remote Disk Full", "The server's file system has no space left."),
        Row(
            .sftpReadFailed, .fileReadError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Remote Read Failed", "The server could not read the file and says no more."),
        Row(
            .sftpWriteFailed, .fileWriteError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Remote Write Failed", "The server could not write or change the file and says no more."),
        Row(
            .sftpBadMessage, .fileWriteError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Request Called Malformed", "The server takes a request for malformed."),
        Row(
            .sftpAlreadyExists, .fileWriteError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Already Exists", "Something at the server has the name already."),
        Row(
            .sftpIsADirectory, .fileReadError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Is A Directory", "There is a directory where a file is needed."),
        Row(
            .sftpUnsupported, .featureUnavailable, .sftp, .file, .error, .afterFix, .fileFailure,
            "Operation Not Supported", "The server does not support the operation."),
        Row(
            .sftpLimitExceeded, .fileReadError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Too Many Entries", "A directory has more entries, longer names or more depth than is copied."),
        Row(
            .sftpChecksumMismatch, .fileWriteError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Checksum Mismatch", "The copy has another SHA-256 than its source."),
        Row(
            .sftpUnsafeName, .sshConnectionFailed, .sftp, .protocol, .error, .never, .protocolFailure,
            "Unsafe Remote Name", "The server lists a name that would be written elsewhere, or that is no text."),
        Row(
            .sftpNoConnection, .sshConnectionFailed, .sftp, .server, .error, .backoff(), .sessionFailure,
            "File Server Unconnected", "The server has no connection to its own storage."),
        Row(
            .sftpConnectionLost, .sshConnectionFailed, .sftp, .server, .error, .backoff(), .sessionFailure,
            "File Server Ended", "The server's file program ended before the copy did."),
        Row(
            .sftpProtocolError, .sshConnectionFailed, .sftp, .protocol, .error, .never, .protocolFailure,
            "SFTP Protocol Broken", "What the server's file program sends is not SFTP."),
        Row(
            .sftpVersionUnsupported, .sshConnectionFailed, .sftp, .protocol, .error, .never, .protocolFailure,
            "SFTP Version Unsupported", "The server does not speak version 3 of SFTP."),
        Row(
            .sftpLocalNoSuchFile, .fileNotFound, .sftp, .file, .error, .afterFix, .fileFailure,
            "No Such Local File", "There is no such file or directory here."),
        Row(
            .sftpLocalPermissionDenied, .filePermissionDenied, .sftp, .file, .error, .afterFix, .fileFailure,
            "Local Permission Denied", "This user may not read or write the file here."),
        Row(
            .sftpLocalDiskFull, .insufficientDiskSpace, .sftp, .file, .error, .afterFix, .fileFailure,
            "Local Disk Full", "There is no space left here."),
        Row(
            .sftpLocalReadFailed, .fileReadError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Local Read Failed", "A file here could not be read."),
        Row(
            .sftpLocalWriteFailed, .fileWriteError, .sftp, .file, .error, .afterFix, .fileFailure,
            "Local Write Failed", "A file here could not be written."),
    ]

    static let fileAdvice: [SSHError.Code: Advice] = [
        .sftpNoSuchFile: Advice(
            "Check the path; a relative one starts in the home directory.", "host:/srv/aplication"),
        .sftpPermissionDenied: Advice(
            "`ls -ld` on the server, or another user.", "a file of root's"),
        .sftpDiskFull: Advice(
            "Free some space there: `df -h`.", "a backup larger than the disk"),
        .sftpReadFailed: Advice(
            "Look at the server's disk and log.", "a bad sector, a file that shrank"),
        .sftpWriteFailed: Advice(
            "Try the same on the server itself.", "a quota, a directory in the file's place"),
        .sftpBadMessage: Advice(
            "Use a shorter name.", "a name of 300 bytes"),
        .sftpAlreadyExists: Advice(
            "Remove or rename it first, or use another name.", "a file in a directory's place"),
        .sftpIsADirectory: Advice(
            "Copy directories with --recursive.", "copy host:/etc . without -r"),
        .sftpUnsupported: Advice(
            "Do without it, or use another server program.", "symbolic links at a server without them"),
        .sftpLimitExceeded: Advice(
            "Copy its parts one by one, or pack them on the server first: `tar`.", "a server that lists without end"),
        .sftpChecksumMismatch: Advice(
            "Copy it again without --resume.", "a file that was written to while it was copied"),
        .sftpUnsafeName: Advice(
            "Rename it on the server; do not trust a server that sends such names.", "an entry named ../.bashrc"),
        .sftpNoConnection: Advice(
            "Look at the server's log.", "a gateway to object storage"),
        .sftpConnectionLost: Advice(
            "Look at the server's log, then copy again, with --resume.", "an sftp-server that was killed"),
        .sftpProtocolError: Advice(
            "Let login scripts print text for interactive shells only.", "echo in .bashrc"),
        .sftpVersionUnsupported: Advice(
            "Update the server.", "a server with version 2"),
        .sftpLocalNoSuchFile: Advice(
            "Check the path: `ls -l`.", "copy repotr.pdf host:"),
        .sftpLocalPermissionDenied: Advice(
            "`ls -ld` the file and its directory.", "copy /etc/shadow host:"),
        .sftpLocalDiskFull: Advice(
            "Free some space: `df -h`.", "a download larger than the disk"),
        .sftpLocalReadFailed: Advice(
            "Look at the file and its disk.", "a file that shrank while it was copied"),
        .sftpLocalWriteFailed: Advice(
            "Look at the directory and its disk.", "a name that is too long"),
    ]
}
