/// The statuses of SFTP, and scp's messages, in the usual English forms. Programs in many languages pass them on.
enum SFTPTexts {
    private static let texts: [([String], @Sendable () -> TranscriptReading)] = [
        (["no space left", "disk full", "insufficient free space", "quota"], { .known(.sftpDiskFull) }),
        (["no such file", "no such path", "does not exist", "file not found"], { .known(.sftpNoSuchFile) }),
        (["permission denied", "access denied", "write protect", "read-only"], { .known(.sftpPermissionDenied) }),
        (["not a regular file", "is a directory"], { .known(.sftpIsADirectory) }),
        (["exists but is not a directory", "already exists", "file exists"], { .known(.sftpAlreadyExists, .guess) }),
        (["command not found", "scp: not found"], { .known(.commandNotFound) }),
        (["too large", "too long", "unexpected", "expected ", "unknown request id"], { .known(.sftpProtocolError, .guess) }),
        (["incompatible version", "version "], { .known(.sftpVersionUnsupported, .guess) }),
        (["unsupported", "not support", "not implemented"], { .known(.sftpUnsupported) }),
        (["bad message"], { .known(.sftpBadMessage) }),
        (
            [
                "connection lost", "no connection", "eof", "end of file", "not connected", "closed", "timeout", "timed out",
                "unexpectedly",
            ],
            { .known(.sftpConnectionLost, .guess, or: ["the server has no such program"]) }
        ), (["failure", "failed"], { .known(.sftpWriteFailed, .guess, or: ["the file cannot be read"]) }),
    ]

    /// The reading of a status's text; nil if it is not known.
    static func reading(of text: String) -> TranscriptReading? {
        let lower = text.lowercased()
        return texts.first { words, _ in words.contains { lower.mentions($0) } }?.1()
    }

    /// Rows for a client's names of the statuses.
    static func rows(_ names: [(text: String, status: Int)], _ source: String) -> [TranscriptRow] {
        names.map { text, status in .library(text, source) { _, facts in reading(ofStatus: status) ?? facts.decline() } }
    }

    /// The names of the statuses of version 3, as OpenSSH and others print them (sftp-common.c: fx2txt).
    static let names: [(text: String, status: Int)] = [
        ("No such file", 2), ("Permission denied", 3), ("Failure", 4), ("Bad message", 5), ("No connection", 6),
        ("Connection lost", 7), ("Operation unsupported", 8),
    ]

    /// The reading of a status's number; nil if it is no failure.
    static func reading(ofStatus number: Int) -> TranscriptReading? {
        guard let code = code(ofStatus: number) else { return nil }
        return code == .sftpWriteFailed ? .known(code, .guess, or: ["the file cannot be read"]) : .known(code)
    }

    /// The code for a status's number, as draft-ietf-secsh-filexfer-13 has it; nil if it is no failure.
    static func code(ofStatus number: Int) -> SSHError.Code? {
        switch number {
        case 2, 10: .sftpNoSuchFile
        case 3, 12: .sftpPermissionDenied
        case 5: .sftpBadMessage
        case 6: .sftpNoConnection
        case 7: .sftpConnectionLost
        case 8: .sftpUnsupported
        case 11: .sftpAlreadyExists
        case 14, 15: .sftpDiskFull
        case 24: .sftpIsADirectory
        case 4, 9, 13, 16...31: .sftpWriteFailed
        default: nil
        }
    }
}
