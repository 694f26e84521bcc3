/// Messages of sftp and scp about files. Sources: OpenSSH 6.6–10.3, sftp-client.c, sftp.c, scp.c. The order decides: the first row
/// that matches reads a line.
enum OpenSSHFileRows {
    static let rows: [TranscriptRow] = told + transfers + broken + requests + local + whole

    /// The message says what the matter is.
    private static let told: [TranscriptRow] = [
        TranscriptRow("…Received message too long {n}", "sftp-client.c; 6.6–10") { _, _ in chatter() },
        TranscriptRow(
            "…Ensure the remote shell produces no output for non-interactive sessions", "sftp-client.c; 7.9–10", ends: true
        ) { _, _ in chatter() },
        file("scp: stat local \"{path}\": No such file", "scp.c; 8.7–10", .sftpLocalNoSuchFile),
        file("scp: local \"{path}\" is not a regular file", "scp.c", .sftpIsADirectory),
        file("dest open \"{path}\": Failure", "sftp-client.c; 8.7–10", .sftpIsADirectory, .guess),
        file("…write remote \"{path}\": Failure", "sftp-client.c", .sftpDiskFull, .guess),
        file("…write remote \"{path}\": No space left", "sftp-client.c", .sftpDiskFull),
        .noting("…git {command} git://", "a command line: git's own protocol") { _, facts in facts.dialog = .gitDaemon },
        TranscriptRow("…protocol error: bad line length character: ", "git: pkt-line.c, a text in place of the first packet") {
            _, facts in
            guard facts.dialog != .gitDaemon else { return facts.decline() }
            return .known(.sftpProtocolError, .guess, or: ["the server's git is not reached by SSH"])
        },
        .noting("…fatal: early EOF", "git: index-pack.c, within a pack") { _, facts in facts.isPastLogin = true },
        .noting("…unexpected disconnect while reading sideband packet", "git: sideband.c") { _, facts in
            facts.isPastLogin = true
        },
        file("File \"{path}\" not found.", "sftp.c", .sftpNoSuchFile),
        file("Can't ls: \"{path}\" not found", "sftp.c", .sftpNoSuchFile),
        file("Couldn't canonicalize: No such file or directory", "sftp-client.c; 6.6–8.9", .sftpNoSuchFile),
        file("scp: {path}: No such file or directory", "scp.c", .sftpNoSuchFile),
        file("scp: {path}: Permission denied", "scp.c", .sftpPermissionDenied),
        file("scp: {path}: No space left on device", "scp.c", .sftpDiskFull),
        file("…process_write: write failed", "sftp-server.c", .sftpWriteFailed, .guess),
        file("…scp: error: unexpected filename: {path}", "scp.c: sink", .sftpWriteFailed, .guess),
        file("scp: {path}: not a regular file", "scp.c", .sftpIsADirectory),
        file("scp: {path}: Is a directory", "scp.c", .sftpIsADirectory),
        TranscriptRow("scp: {path}: {reason}", "scp.c: strerror(3) on the server", ends: true) { found, facts in
            let reason = found["reason"] ?? ""
            return systemErrors.first { reason.hasSuffix($0.text) }.map { about($0.code, found, .guess) } ?? facts.decline()
        },
        file("scp: realpath {path}: No such file", "sftp-client.c; 8.7–10", .sftpNoSuchFile),
        .says(
            "scp: {path}: destination is not a directory", "scp.c: sink",
            .known(.sftpNoSuchFile, .guess, or: ["it is a file"])),
        .says(
            "Can't change directory: \"{path}\" is not a directory", "sftp.c",
            .known(.sftpNoSuchFile, .guess, or: ["it is a file"])
        ),
        .says(
            "Can't change directory: Can't check target", "sftp.c",
            .known(.sftpPermissionDenied, .guess, or: ["the server does not tell what it is"])),
        file("Maximum directory depth exceeded: {n} levels", "sftp-client.c", .sftpLimitExceeded),
        file("Server sent suspect path \"{path}\" during readdir", "sftp-client.c; 8.0–10", .sftpUnsafeName),
        file("Server does not support {name}@openssh.com extension", "sftp-client.c", .sftpUnsupported),
        file("Server does not support copy-data extension", "sftp-client.c; 9.0–10", .sftpUnsupported),
        file("This server does not support the symlink operation", "sftp-client.c", .sftpUnsupported),
        file("server expand-path extension is required for ~user paths in SFTP mode", "scp.c; 8.7–10", .sftpUnsupported),
    ]

    /// Errors of the server's system about a file, other than those with a row (errno(3)). What was to be done stands before some.
    private static let systemErrors: [(text: String, code: SSHError.Code)] =
        [
            ("Not a directory", .sftpNoSuchFile), ("Read-only file system", .sftpPermissionDenied),
            ("Operation not permitted", .sftpPermissionDenied), ("Disk quota exceeded", .sftpDiskFull),
        ]
        + [
            "Text file busy", "Input/output error", "File name too long", "Invalid argument", "Stale file handle",
            "Too many levels of symbolic links", "Cannot allocate memory", "Structure needs cleaning", "File too large",
            "Device or resource busy",
        ].map { ($0, .sftpWriteFailed) }

    /// The whole transfer. The lines before these have the reason.
    private static let transfers: [TranscriptRow] = [
        // Before the login its ssh tells the reason, which this line follows.
        .says(
            "scp: Connection closed", "scp.c: its ssh ended",
            .known(
                .sftpConnectionLost, .guess, .wrapper,
                or: ["the server has no SFTP server", "the login failed: ssh's own words are missing"])),
        TranscriptRow("Connection closed{rest}", "sftp.c, scp.c: its ssh ended", ends: true) { found, facts in
            guard found["rest"]?.trimming(". ").isEmpty == true else { return facts.decline() }
            let before = facts.otherLines.last(20)
            let dialog = before.last { $0.hasPrefix("sftp>") }
            if let dialog, !["bye", "exit", "quit"].contains(String(dialog.dropFirst(5)).trimming(" ")) {
                return .known(.sessionConnectionLost, .guess, .wrapper)
            }
            let isTransfer = ["sftp", "scp"].contains(facts.program) || ShellPrompt.starts("sftp", in: before)
            return isTransfer && dialog == nil
                ? .notReached(.guess, .wrapper, or: ["the connection was lost"]) : facts.decline()
        },
        ended("Couldn't read packet: {reason}"), ended("Couldn't send packet: {reason}"),
        ended("Read packet: Connection reset by peer"),
        .says("Couldn't initialise connection to server", "sftp.c", .known(.sftpProtocolError, .guess, .wrapper)),
        failed("scp: upload \"{path}\" to", "sftp-client.c"), failed("scp: failed to upload", "scp.c"),
        failed("upload \"{path}\" to", "sftp-client.c; 9–10"),
        failed("download \"{path}\" to", "sftp-client.c; 9–10", .sftpReadFailed),
        failed("Upload of file {path} to", "sftp-client.c"),
        failed("Download of file {path} to", "sftp-client.c", .sftpReadFailed),
        .says("scp: protocol error: ", "scp.c: sink", .known(.sftpProtocolError, .guess)),
    ]

    /// Answers that break the protocol.
    private static let broken: [TranscriptRow] = [
        "Can't find request for ID ", "ID mismatch (", "Expected SSH2_FXP_{kind} packet, got ",
        "Invalid packet back from SSH2_FXP_INIT", "Received more data than asked for {n} > ", "Got multiple names ({n}) from ",
    ].map { .says($0, "sftp-client.c", .known(.sftpProtocolError)) }

    /// A request's name and the server's status as a text.
    private static let requests: [TranscriptRow] =
        [
            // 9 and newer; scp from 8.7.
            "remote open \"{path}\": {reason}", "dest open \"{path}\": {reason}",
            "remote rename \"{path}\" to \"{to}\": {reason}",
            "remote rmdir \"{path}\": {reason}", "remote setstat \"{path}\": {reason}", "remote lsetstat \"{path}\": {reason}",
            "remote mkdir \"{path}\": {reason}", "remote delete {path}: {reason}", "remote readdir(\"{path}\"): {reason}",
            "remote link \"{path}\" to \"{to}\": {reason}", "remote symlink file \"{path}\" to \"{to}\": {reason}",
            "remote fsetstat: {reason}", "remote fsync: {reason}", "remote statvfs: {reason}",
            "write remote \"{path}\": {reason}",
            "stat remote \"{path}\": {reason}", "stat remote: {reason}", "close remote: {reason}",
            // Before 9.
            "remote open(\"{path}\"): {reason}", "Couldn't get handle: {reason}", "Couldn't stat remote file: {reason}",
            "Couldn't rename file \"{path}\" to \"{to}\": {reason}", "Couldn't remove directory: {reason}",
            "Couldn't readlink: {reason}", "Couldn't create directory: {reason}", "Couldn't delete file: {reason}",
            "Couldn't write to remote file \"{path}\": {reason}", "Couldn't setstat on \"{path}\": {reason}",
            "Couldn't fsetstat: {reason}", "Couldn't link file \"{path}\" to \"{to}\": {reason}",
            "Couldn't symlink file \"{path}\" to \"{to}\": {reason}", "Couldn't statvfs: {reason}",
        ].map { request($0, .sftpWriteFailed) }
        + [
            "read remote \"{path}\" : {reason}", "Couldn't read from remote file \"{path}\" : {reason}",
        ].map { request($0, .sftpReadFailed) }

    /// A call on this machine, and its error.
    private static let local: [TranscriptRow] =
        [
            "open local \"{path}\": {reason}", "Couldn't open local file \"{path}\" for writing: {reason}",
            "write local \"{path}\": {reason}", "local mkdir \"{path}\": {reason}",
            "mkdir {path}: {reason}", "local ftruncate \"{path}\": {reason}", "local chmod \"{path}\": {reason}",
            "local chmod directory \"{path}\": {reason}", "local set times \"{path}\": {reason}",
            "local set times on \"{path}\": {reason}", "Couldn't create local directory \"{path}\": {reason}",
        ].map { call($0, .sftpLocalWriteFailed) }
        + [
            "Couldn't open local file \"{path}\" for reading: {reason}", "local opendir \"{path}\": {reason}",
            "local lstat \"{path}\": {reason}", "local stat \"{path}\": {reason}", "stat local \"{path}\": {reason}",
            "fstat local \"{path}\": {reason}", "read local \"{path}\": {reason}", "basename \"{path}\": {reason}",
            "Couldn't change local directory to \"{path}\": {reason}",
        ].map { call($0, .sftpLocalReadFailed) }

    /// The arguments are wrong.
    private static let whole: [TranscriptRow] = [
        "Multiple files match pattern, but destination \"{path}\" is not a directory",
        "Multiple paths match, but destination \"{path}\" is not a directory",
        "Multiple source paths, but destination \"{path}\" is not a directory",
    ].map { words in
        TranscriptRow(words, "scp.c, sftp.c; 8.7–10", ends: true) { found, _ in
            TranscriptReading(
                .telling, .usage(field: "", problem: "\(found["path"] ?? "") is not a directory"), at: .local, .likely)
        }
    }

    private static func ended(_ text: String) -> TranscriptRow {
        .library(text, "sftp-client.c: its ssh ended") { _, _ in
            .known(.sftpConnectionLost, .guess, .wrapper, or: ["it was closed before the login"])
        }
    }

    /// - Parameter other: the code for a server that gives no reason.
    private static func request(_ text: String, _ other: SSHError.Code) -> TranscriptRow {
        TranscriptRow(text, "sftp-client.c", ends: true) { found, facts in
            let reason = found["reason"] ?? ""
            guard let status = SFTPTexts.names.first(where: { reason.hasPrefix($0.text) })?.status,
                let code = SFTPTexts.code(ofStatus: status)
            else { return facts.decline() }
            return code == .sftpWriteFailed ? about(other, found, .guess) : about(code, found)
        }
    }

    /// - Parameter other: the code for any other error.
    private static func call(_ text: String, _ other: SSHError.Code) -> TranscriptRow {
        TranscriptRow(text, "sftp-client.c, scp.c, sftp.c", ends: true) { found, facts in
            // rsync's `mkdir "/srv" failed: …`, of either side.
            if found["path"]?.hasSuffix(" failed") == true { return facts.decline() }
            switch found["reason"] ?? "" {
            case let reason where reason.hasPrefix("No such file"): return about(.sftpLocalNoSuchFile, found)
            case let reason where reason.hasPrefix("Permission denied"): return about(.sftpLocalPermissionDenied, found)
            case let reason where reason.hasPrefix("No space left"): return about(.sftpLocalDiskFull, found)
            // Other programs make directories too.
            default: return text.hasPrefix("mkdir") ? facts.decline() : about(other, found, .guess)
            }
        }
    }

    /// A line about a whole file. The line before it has the reason.
    private static func failed(_ text: String, _ source: String, _ code: SSHError.Code = .sftpWriteFailed) -> TranscriptRow {
        .library("\(text){rest}", source) { found, facts in
            found["rest"]?.mentions("failed") == true || text.mentions("failed") ? .known(code, .guess, .ending) : facts.decline()
        }
    }

    private static func file(
        _ text: String, _ source: String, _ code: SSHError.Code, _ confidence: SSHError.Confidence = .likely
    ) -> TranscriptRow {
        TranscriptRow(text, source, ends: true) { found, _ in about(code, found, confidence) }
    }

    private static func about(_ code: SSHError.Code, _ found: [String: String], _ confidence: SSHError.Confidence = .likely)
        -> TranscriptReading
    {
        let path = found["path"] ?? ""
        return .direct(.telling, code, confidence) { _ in
            let definition = FailureCatalogue.definition(of: code)
            return VerdictText(
                path.isEmpty ? definition.meaning : "\(path.oneLine()): \(definition.meaning)", hint: definition.remedy)
        }
    }

    /// The output of a shell's startup files came instead of sftp's first packet.
    private static func chatter() -> TranscriptReading {
        .direct(.telling, .sftpProtocolError, .likely) {
            VerdictText(
                "\($0.endpoint) printed text before SFTP's first packet: a startup file of the account's shell prints it.",
                hint: "Let ~/.bashrc and the like print only to a terminal: \(run: "ssh HOST true") must print nothing.")
        }
    }
}
