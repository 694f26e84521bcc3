/// Copying files: one row per server status, local errno or protocol violation.
enum FileRules {
    private typealias Reason = SSHFileProblem.Reason

    static let all: [FailureRule] =
        remote + local + [
            rule(.sftpIsADirectory, .isDirectory, nil, source: "S_IFDIR of the attributes, EISDIR") {
                // A directory where a file should be written is not a reason to suggest `--recursive`.
                VerdictText(
                    "\(cannot($0)): it is a directory.",
                    hint: $0.fileProblem?.operation == "replace"
                        ? "Remove or rename it first, or give the copy another name."
                        : "Copy directories with \(option: .recursive)\(commandLine: " (-r)").")
            },
            rule(.sftpAlreadyExists, .alreadyExists, .remote, .likely, source: "lstat after SSH_FX_FAILURE") {
                VerdictText(
                    "\(cannot($0)): something else has that name.",
                    hint: "Remove or rename it first, or use another name.")
            },
            rule(.sftpChecksumMismatch, .checksumMismatch, nil, source: "SHA-256 of both sides") {
                VerdictText(
                    "\(path($0)) was copied, but its checksum differs from its source's\(detail($0)).",
                    hint:
                        "Copy it again from its beginning; if that happens again, look at the disks and the memory of both sides.",
                    alternatives: ["the source was changed while it was copied", "the partial copy was of another file"])
            },
            LocalRules.unforeseen,
        ]

    private static let remote: [FailureRule] = [
        rule(.sftpNoSuchFile, .noSuchFile, .remote, source: "filexfer-02 section 7: SSH_FX_NO_SUCH_FILE") {
            VerdictText(
                "\(cannot($0)): there is no such file or directory.",
                hint: $0.fileProblem?.operation == "copy into"
                    ? """
                    Have the directory made with \(option: .makesPath), or check the path: one that does not begin with / starts in \
                    the home directory of \($0.person).
                    """
                    : "Check the path: one that does not begin with / starts in the home directory of \($0.person).")
        },
        rule(.sftpPermissionDenied, .permissionDenied, .remote, source: "filexfer-02 section 7: SSH_FX_PERMISSION_DENIED") {
            VerdictText(
                "\(cannot($0)): the server denies permission.",
                hint: "Look at the permissions there: \(run: remoteListing($0), on: .server); or log in as another user.")
        },
        rule(
            .sftpDiskFull, .diskFull, .remote, .likely, source: "statvfs@openssh.com after SSH_FX_FAILURE"
        ) {
            VerdictText(
                "\(cannot($0)): the server's file system is full.",
                hint: "Free some space there: \(run: "df -h", on: .server) on the server shows how much there is.")
        },
        rule(.sftpReadFailed, .readFailed, .remote, source: "filexfer-02 section 7: SSH_FX_FAILURE") {
            VerdictText(
                "\(cannot($0))\(serverReason($0))",
                hint: unreadableHint($0.fileProblem, or: "Look at the server's disk and log: it gives no reason."))
        },
        rule(.sftpWriteFailed, .writeFailed, .remote, source: "filexfer-02 section 7: SSH_FX_FAILURE") {
            lacksDirectory($0)
                ? destinationMustBeDirectory($0)
                : isGone($0)
                    ? VerdictText("\(cannot($0))\(serverReason($0))", hint: onlyOne)
                    : VerdictText(
                        "\(cannot($0))\(serverReason($0))", hint: "Try the same on the server itself: it gives no reason.",
                        alternatives: ["a quota is used up", "the target is of another kind: a directory, a device"])
        },
        rule(.sftpBadMessage, .badMessage, .remote, source: "filexfer-02 section 7: SSH_FX_BAD_MESSAGE") {
            VerdictText(
                "\(cannot($0)): the server rejected the request as malformed.",
                hint: "Use a shorter name: OpenSSH reports a name that is too long for its file system this way.")
        },
        rule(.sftpNoConnection, .noConnection, .remote, source: "filexfer-02 section 7: SSH_FX_NO_CONNECTION") {
            VerdictText("\(cannot($0)): the server has no connection to its own storage.", hint: "Look at the server's log.")
        },
        rule(
            .sftpConnectionLost, .connectionLost, .remote,
            source: "filexfer-02 section 7: SSH_FX_CONNECTION_LOST, or the end of the channel"
        ) {
            VerdictText(
                "The SFTP server on \($0.server) ended before the copy did\(detail($0)).\(left($0))",
                hint: "Look at the server's log, then copy again.")
        },
        rule(.sftpUnsupported, .unsupported, .remote, source: "filexfer-02 section 7: SSH_FX_OP_UNSUPPORTED") {
            VerdictText(
                "\(cannot($0)): the server does not support that.", hint: "Avoid this operation, or use another SFTP server.")
        },
        rule(.sftpProtocolError, .protocolError, .remote, source: "filexfer-02 sections 3 to 7") {
            VerdictText(
                "\($0.server) violates the SFTP protocol\(detail($0)).\(left($0))",
                hint: $0.fileProblem?.detail == SSHFileProblem.sharedHandle
                    ? "Update the server program (Erlang/OTP 25 has this bug), or copy the files with one command each."
                    : "If its login scripts print text, let them do so for interactive shells only.")
        },
        rule(.sftpVersionUnsupported, .versionUnsupported, .remote, source: "filexfer-02 section 4") {
            VerdictText(
                "\($0.server) speaks a version of SFTP that is not supported here\(detail($0)).",
                hint: "Version 3 is needed, which OpenSSH and nearly every other server have.")
        },
        rule(.sftpUnsafeName, .unsafeName, .remote, source: "a name with / or NUL, or an empty one") {
            VerdictText(
                "The server listed a name that is not safe to use: \(path($0))\(detail($0)).",
                hint: "Rename it on the server; a name that leads out of the directory may come from a hostile server.")
        },
        rule(.sftpLimitExceeded, .limitExceeded, nil, source: "our own limits on listings") {
            VerdictText(
                "\(cannot($0))\(detail($0)).",
                hint: $0.fileProblem?.operation == "read"
                    ? "Give read a higher limit, or read the file piece by piece in withFile."
                    : "Copy its parts one by one, or pack them into one file on the server first.")
        },
    ]

    private static let local: [FailureRule] = [
        rule(.sftpLocalNoSuchFile, .noSuchFile, .local, source: "ENOENT, ENOTDIR") {
            VerdictText(
                "\(cannot($0)): there is no such file or directory.",
                hint: "Check the path: one that does not begin with / starts in the directory where you are.")
        },
        rule(.sftpLocalPermissionDenied, .permissionDenied, .local, source: "EACCES, EPERM, EROFS") {
            VerdictText("\(cannot($0)): permission denied.", hint: "Check the permissions of the file and of its directory.")
        },
        rule(.sftpLocalDiskFull, .diskFull, .local, source: "ENOSPC, EDQUOT") {
            VerdictText(
                "\(cannot($0)): the local file system is full.", hint: "Free some space here, or write to another file system.")
        },
        rule(.sftpLocalReadFailed, .readFailed, .local, source: "another errno, or a file that changed") {
            VerdictText(
                "\(cannot($0))\(serverReason($0))",
                hint: unreadableHint($0.fileProblem, or: "Look at the file and its disk."))
        },
        rule(.sftpLocalWriteFailed, .writeFailed, .local, source: "another errno") {
            lacksDirectory($0)
                ? destinationMustBeDirectory($0)
                : VerdictText("\(cannot($0))\(serverReason($0))", hint: unwritable($0.fileProblem))
        },
    ]

    private static func unreadableHint(_ problem: SSHFileProblem?, or other: RemedyText) -> RemedyText {
        problem?.operation == "copy"
            ? "Only files, directories and symbolic links are copied; read what it yields into a file first." : other
    }

    private static func unwritable(_ problem: SSHFileProblem?) -> RemedyText {
        if problem?.operation == "finish" { return onlyOne }
        return problem?.systemError.map(SystemError.connectFailure) == .reset
            ? "The reader ended before everything was copied." : "Look at the directory and its disk."
    }

    private static func rule(
        _ code: SSHError.Code, _ reason: Reason, _ side: SSHFileProblem.Side?, _ confidence: SSHError.Confidence = .exact,
        source: String, say words: @escaping @Sendable (SSHEvidence) -> VerdictText
    ) -> FailureRule {
        FailureRule(code, confidence, source: source) {
            guard let problem = $0.fileProblem, problem.reason == reason else { return false }
            return side == nil || problem.side == side
        } say: {
            words($0)
        }
    }

    /// Whether the destination must be a directory and is not.
    private static func lacksDirectory(_ evidence: SSHEvidence) -> Bool { evidence.fileProblem?.operation == "copy into" }

    private static func destinationMustBeDirectory(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "\(cannot(evidence))\(serverReason(evidence))",
            hint: "Several sources, and a destination that ends with a slash, need a directory: name one, or copy a single file.")
    }

    /// Whether the partial copy of a file was gone before it could be given the file's name.
    private static func isGone(_ evidence: SSHEvidence) -> Bool { evidence.fileProblem?.operation == "finish" }

    private static let onlyOne: RemedyText = "Look at the file there; let only one copy at a time write to it, and copy again."

    // MARK: Phrases

    private static func path(_ evidence: SSHEvidence) -> String { evidence.fileProblem?.path.oneLine(300) ?? "" }

    /// For example `Cannot open /srv/x on web1`.
    private static func cannot(_ evidence: SSHEvidence) -> String {
        guard let problem = evidence.fileProblem else { return "A file could not be copied" }
        let place = problem.side == .remote ? " on \(evidence.server)" : " here"
        let path = path(evidence)
        // A name without visible characters is quoted. For a remote failure the path may be unknown.
        let isVisible = path.contains { !$0.isWhitespace }
        let name = isVisible ? " \(path)" : problem.path.isEmpty && problem.side == .remote ? "" : " “\(path)”"
        return "Cannot \(problem.operation)\(name)\(place)"
    }

    /// For example `: the server says "Failure".`
    private static func serverReason(_ evidence: SSHEvidence) -> String {
        guard let problem = evidence.fileProblem else { return "." }
        if let number = problem.systemError { return ": \(SystemError.text(number))." }
        let words = problem.detail.oneLine(200)
        if words.isEmpty { return "." }
        return problem.status == nil ? ": \(words.ended)" : ": the server reports \"\(words)\"."
    }

    /// The remains of a copy when the connection ended.
    private static func left(_ evidence: SSHEvidence) -> String { evidence.copy.map { " " + CopyTexts.fate($0) } ?? "" }

    /// A command that shows, as the user, who may access the remote file.
    private static func remoteListing(_ evidence: SSHEvidence) -> String {
        guard let path = evidence.fileProblem?.path, !path.isEmpty else { return "ls -ld" }
        return "ls -ld \(parent(path)) \(path.oneLine().shellWord)"
    }

    /// The directory of a path, as a shell word.
    private static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash]).oneLine().shellWord
    }

    private static func detail(_ evidence: SSHEvidence) -> String {
        guard let words = evidence.fileProblem?.detail.oneLine(200), !words.isEmpty else { return "" }
        return ": \(words)"
    }
}

extension SSHEvidence {
    /// The problem with a file, if the event is one.
    var fileProblem: SSHFileProblem? {
        guard case .fileFailed(let problem) = event else { return nil }
        return problem
    }
}
