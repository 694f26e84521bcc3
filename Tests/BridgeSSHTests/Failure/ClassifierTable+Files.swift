import BridgeSSH

extension ClassifierTable {
    static let files: [Row] = [
        Row(.sftpNoSuchFile, "SSH_FX_NO_SUCH_FILE", file(.noSuchFile, status: 2)),
        Row(.sftpPermissionDenied, "SSH_FX_PERMISSION_DENIED", file(.permissionDenied, status: 3)),
        Row(.sftpReadFailed, "SSH_FX_FAILURE of a read", file(.readFailed, status: 4)),
        Row(.sftpWriteFailed, "SSH_FX_FAILURE of a write", file(.writeFailed, status: 4)),
        Row(.sftpBadMessage, "SSH_FX_BAD_MESSAGE", file(.badMessage, status: 5)),
        Row(.sftpNoConnection, "SSH_FX_NO_CONNECTION", file(.noConnection, status: 6)),
        Row(.sftpConnectionLost, "SSH_FX_CONNECTION_LOST", file(.connectionLost, status: 7)),
        Row(.sftpUnsupported, "SSH_FX_OP_UNSUPPORTED", file(.unsupported, status: 8)),
        Row(.sftpDiskFull, .likely, "SSH_FX_FAILURE and no space", file(.diskFull, status: 4)),
        Row(.sftpProtocolError, "text of a login script", file(.protocolError)),
        Row(.sftpVersionUnsupported, "version 2", file(.versionUnsupported)),
        Row(.sftpUnsafeName, "a name with a slash", file(.unsafeName)),
        Row(.sftpLimitExceeded, "a listing without end", file(.limitExceeded)),
        Row(.sftpAlreadyExists, .likely, "SSH_FX_FAILURE and a taken name", file(.alreadyExists, status: 4)),
        Row(.sftpIsADirectory, "theirs", file(.isDirectory)),
        Row(.sftpIsADirectory, "ours", file(.isDirectory, .local)),
        Row(.sftpChecksumMismatch, "two sums", file(.checksumMismatch)),
        Row(.sftpLocalNoSuchFile, "ENOENT", file(.noSuchFile, .local, errno: 2)),
        Row(.sftpLocalPermissionDenied, "EACCES", file(.permissionDenied, .local, errno: 13)),
        Row(.sftpLocalDiskFull, "ENOSPC", file(.diskFull, .local, errno: 28)),
        Row(.sftpLocalReadFailed, "EIO", file(.readFailed, .local, errno: 5)),
        Row(.sftpLocalWriteFailed, "EIO", file(.writeFailed, .local, errno: 5)),
        Row(.localLibraryFailure, .guess, "what cannot be", file(.connectionLost, .local)),
    ]

    private static func file(
        _ reason: SSHFileProblem.Reason, _ side: SSHFileProblem.Side = .remote, status: UInt32? = nil, errno: Int32? = nil
    ) -> SSHEvidence {
        let detail = status == nil ? "it did this" : "Failure"
        let problem = SSHFileProblem(
            reason, side, operation: "write", path: "/srv/a b", status: status, detail: detail, systemError: errno)
        return Seen.that(.fileFailed(problem), at: .sftp)
    }
}
