/// Messages of OpenSSH's other programs: sftp, scp, ssh-keyscan, ssh-copy-id, ssh-add; and of the Windows port of ssh. Sources:
/// OpenSSH 7–10, sftp-client.c, sftp.c, scp.c, ssh-keyscan.c, ssh-add.c, contrib/ssh-copy-id; Win32-OpenSSH,
/// contrib/win32/win32compat.
enum OpenSSHTools {
    static let rows: [TranscriptRow] = files + forwarding + keys + windows

    private static let files: [TranscriptRow] = [
        TranscriptRow("…Received message too long {n}", "sftp-client.c; 6.6–10") { _, _ in chatter() },
        TranscriptRow(
            "…Ensure the remote shell produces no output for non-interactive sessions", "sftp-client.c; 7.9–10", ends: true
        ) { _, _ in chatter() },
        file("scp: stat local \"{path}\": No such file", "scp.c; 8.7–10", .sftpLocalNoSuchFile),
        file("scp: open local \"{path}\": Permission denied", "sftp-client.c; 8.7–10", .sftpLocalPermissionDenied),
        file("scp: local \"{path}\" is not a regular file", "scp.c", .sftpIsADirectory),
        file("scp: dest open \"{path}\": Permission denied", "sftp-client.c; 8.7–10", .sftpPermissionDenied),
        file("scp: dest open \"{path}\": No such file", "sftp-client.c; 8.7–10", .sftpNoSuchFile),
        file("scp: dest open \"{path}\": Failure", "sftp-client.c; 8.7–10", .sftpIsADirectory, .guess),
        file("…write remote \"{path}\": Failure", "sftp-client.c", .sftpDiskFull, .guess),
        file("…write remote \"{path}\": No space left", "sftp-client.c", .sftpDiskFull),
        file("dest open \"{path}\": Permission denied", "sftp-client.c; 8.7–10", .sftpPermissionDenied),
        file("dest open \"{path}\": No such file", "sftp-client.c; 8.7–10", .sftpNoSuchFile),
        .says("scp: Connection closed", "scp.c: its ssh ended", .notReached(.guess, .wrapper, or: ["the connection was lost"])),
        .library("Couldn't read packet: {reason}", "sftp-client.c: its ssh ended") { _, _ in
            TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper, or: ["it was closed before the login"])
        },
        .says(
            "…protocol error: bad line length character: ", "git: pkt-line.c, a text in place of the first packet",
            .known(.sftpProtocolError, .guess, or: ["the server's git is not reached by SSH"])),
        file("File \"{path}\" not found.", "sftp.c", .sftpNoSuchFile),
        file("Can't ls: \"{path}\" not found", "sftp.c", .sftpNoSuchFile),
        file("remote open \"{path}\": No such file", "sftp-client.c; 9–10", .sftpNoSuchFile),
        file("remote open \"{path}\": Permission denied", "sftp-client.c; 9–10", .sftpPermissionDenied),
        file("remote open(\"{path}\"): No such file", "sftp-client.c; 6.6–8.9", .sftpNoSuchFile),
        file("remote open(\"{path}\"): Permission denied", "sftp-client.c; 6.6–8.9", .sftpPermissionDenied),
        file("Couldn't get handle: Permission denied", "sftp-client.c; 6.6–8.9", .sftpPermissionDenied),
        file("Couldn't canonicalize: No such file or directory", "sftp-client.c; 6.6–8.9", .sftpNoSuchFile),
        file("scp: {path}: No such file or directory", "scp.c", .sftpNoSuchFile),
        file("scp: {path}: Permission denied", "scp.c", .sftpPermissionDenied),
        file("scp: {path}: No space left on device", "scp.c", .sftpDiskFull),
        file("…scp: error: unexpected filename: {path}", "scp.c: sink", .sftpWriteFailed, .guess),
        file("scp: {path}: not a regular file", "scp.c", .sftpIsADirectory),
        file("scp: {path}: Is a directory", "scp.c", .sftpIsADirectory),
        file("Couldn't open local file \"{path}\" for writing: Permission denied", "sftp-client.c", .sftpLocalPermissionDenied),
        file("Couldn't open local file \"{path}\" for writing: No such file", "sftp-client.c", .sftpLocalNoSuchFile),
        file("open local \"{path}\": Permission denied", "sftp-client.c; 9–10", .sftpLocalPermissionDenied),
        file("open local \"{path}\": No such file", "sftp-client.c; 9–10", .sftpLocalNoSuchFile),
        .library("Couldn't send packet: {reason}", "sftp-client.c: its ssh ended") { _, _ in
            TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper, or: ["it was closed before the login"])
        },
        file("scp: realpath {path}: No such file", "sftp-client.c; 8.7–10", .sftpNoSuchFile),
        failed("scp: upload \"{path}\" to", "sftp-client.c"), failed("scp: failed to upload", "scp.c"),
        failed("Upload of file {path} to", "sftp-client.c"),
        failed("Download of file {path} to", "sftp-client.c", .sftpReadFailed),
        .says("scp: protocol error: ", "scp.c: sink", .known(.sftpProtocolError, .guess)),
        .says("Can't find request for ID ", "sftp-client.c", .known(.sftpProtocolError)),
        .says("ID mismatch (", "sftp-client.c", .known(.sftpProtocolError)),
        .library("Expected SSH2_FXP_{kind} packet, got ", "sftp-client.c") { _, _ in .known(.sftpProtocolError) },
        operation("Couldn't stat remote file: {reason}", "sftp-client.c; 6.6–8.9"),
        operation("Couldn't rename file \"{path}\" to \"{to}\": {reason}", "sftp-client.c; 6.6–8.9"),
        operation("Couldn't remove directory: {reason}", "sftp-client.c; 6.6–8.9"),
        operation("Couldn't readlink: {reason}", "sftp-client.c"),
        operation("remote rename \"{path}\" to \"{to}\": {reason}", "sftp-client.c; 9–10"),
        operation("remote rmdir \"{path}\": {reason}", "sftp-client.c; 9–10"),
        operation("remote setstat \"{path}\": {reason}", "sftp-client.c; 9–10"),
        operation("Couldn't create directory: {reason}", "sftp-client.c; 6.6–8.9"),
        operation("Couldn't delete file: {reason}", "sftp-client.c; 6.6–8.9"),
        operation("Couldn't write to remote file \"{path}\": {reason}", "sftp-client.c; 6.6–8.9"),
        operation("remote mkdir \"{path}\": {reason}", "sftp-client.c; 9–10"),
        operation("remote delete {path}: {reason}", "sftp-client.c; 9–10"),
        operation("remote readdir(\"{path}\"): {reason}", "sftp-client.c"),
    ]

    /// A request of sftp's, with the server's status as a text (sftp-common.c: fx2txt).
    private static func operation(_ text: String, _ source: String) -> TranscriptRow {
        TranscriptRow(text, source, ends: true) { found, facts in
            switch found["reason"] ?? "" {
            case let reason where reason.hasPrefix("No such file"): return .known(.sftpNoSuchFile)
            case let reason where reason.hasPrefix("Permission denied"): return .known(.sftpPermissionDenied)
            case let reason where reason.hasPrefix("Failure"): return .known(.sftpWriteFailed, .guess)
            case let reason where reason.hasPrefix("Connection lost"): return .known(.sftpConnectionLost)
            default: return facts.decline()
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
        TranscriptRow(text, source, ends: true) { found, _ in
            let path = found["path"] ?? ""
            return .direct(.telling, code, confidence) { _ in
                let definition = FailureCatalogue.definition(of: code)
                return VerdictText(
                    path.isEmpty ? definition.meaning : "\(path.oneLine()): \(definition.meaning)", hint: definition.remedy)
            }
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

    private static let forwarding: [TranscriptRow] = ["local", "remote", "dynamic"].map { kind in
        TranscriptRow("Bad \(kind) forwarding specification '{text}'", "ssh.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(
                .telling,
                .usage(
                    field: kind == "local" ? "-L" : kind == "remote" ? "-R" : "-D",
                    problem: "\(found["text"] ?? "") is not a forwarding"),
                at: .local)
        }
    }

    private static let keys: [TranscriptRow] = [
        usage("usage: sftp [", "sftp.c"), usage("usage: scp [", "scp.c"), usage("usage: ssh-keyscan [", "ssh-keyscan.c"),
        usage("ssh-copy-id: ERROR: Too many arguments", "contrib/ssh-copy-id"),
        TranscriptRow("write ({host}): {reason}", "ssh-keyscan.c: congreet", ends: true) { found, facts in
            let number = SystemErrorTexts.systemError(found["reason"] ?? "")
            return number == SystemErrorTexts.systemError("") ? facts.decline() : .unconnected(number, .likely)
        },
        TranscriptRow("read ({host}): Connection reset by peer", "ssh-keyscan.c: congreet", ends: true) { _, _ in
            .ended(.telling, .reset, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
        },
        TranscriptRow("connect (`{host}'): {reason}", "ssh-keyscan.c: tcpconnect", ends: true) { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        TranscriptRow("{host}: Connection closed by remote host", "ssh-keyscan.c: conread", ends: true) { _, facts in
            guard facts.program == "ssh-keyscan" else { return facts.decline() }
            return .ended(.telling, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
        },
        TranscriptRow("getaddrinfo {host}: {reason}", "ssh-keyscan.c: once for each type of key", ends: true) { found, facts in
            // Node's message has the error's name, and no colon of its own.
            guard found["host"]?.contains(where: { $0 == " " || $0 == "\"" }) == false else { return facts.decline() }
            facts.mayRepeat = true
            return .unresolved(found["reason"] ?? "", .likely)
        },
        TranscriptRow("…cannot create .ssh/authorized_keys: {reason}", "contrib/ssh-copy-id: the server's shell", ends: true) {
            _, _ in
            .known(.commandExitNonzero, .guess)
        },
        TranscriptRow("{before}ssh-copy-id: ERROR: No identities found", "contrib/ssh-copy-id", ends: true) { _, _ in
            .key(.notFound)
        },
        TranscriptRow("{before}ssh-copy-id: ERROR: failed to open ID file '{path}'", "contrib/ssh-copy-id", ends: true) {
            found, _ in
            .key(.notFound, found["path"])
        },
        .library("Could not add identity \"{path}\": {reason}", "ssh-add.c") { found, _ in
            .agent(.refused, found["reason"] ?? "")
        },
        .says(
            "…No private key found for public key ", "ssh-keygen.c: sig_sign; git signs a commit",
            .key(.notFound, nil, "", .guess, alternatives: ["the agent does not hold it"])),
        TranscriptRow("The agent has no identities.", "ssh-add.c", ends: true) { _, _ in .agent(.empty, "it holds no keys") },
        .library("Error loading key \"{path}\": {reason}", "ssh-add.c") { found, _ in
            let reason = found["reason"] ?? ""
            let kind: SSHKeyProblem.Reason =
                reason.mentions("passphrase")
                ? .passphraseWrong : reason.mentions("permissions") ? .permissionsTooOpen : .formatInvalid
            return .key(kind, found["path"], reason)
        },
        TranscriptRow("Enter passphrase for {path}:", "ssh-add.c") { _, facts in
            facts.passphrasesAsked += 1
            return nil
        },
        .says(
            "…Command failed with exit code 1: ssh-add ", "execa",
            TranscriptReading.key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"]).ranked(.wrapper)),
        .library("…Command failed: ssh-add", "webfactory/ssh-agent, of GitHub's actions") { _, facts in
            facts.passphrasesAsked > 0
                ? TranscriptReading.key(.passphraseRequired, nil, "", .likely).ranked(.ending)
                : TranscriptReading.key(.formatInvalid, nil, "", .guess).ranked(.wrapper)
        },
        TranscriptRow("Bad passphrase, try again for {path}:", "ssh-add.c") { found, _ in
            .key(.passphraseWrong, (found["path"] ?? "").trimming(" "))
        },
    ]

    private static func usage(_ words: String, _ source: String) -> TranscriptRow {
        TranscriptRow("…" + words, source, ends: true) { _, _ in
            TranscriptReading(.plain, .usage(field: "", problem: "the program was called wrongly"), at: .local, .likely)
        }
    }

    private static let windows: [TranscriptRow] = [
        // The service is disabled: ERROR_SERVICE_DISABLED.
        .library("unable to start ssh-agent service, error :{number}", "Win32-OpenSSH: ssh-add, ssh-agent") { found, _ in
            .agent(.unavailable, "its service did not start: error \(found["number"] ?? "")")
        },
        TranscriptRow("…posix_spawn: {reason}", "Win32-OpenSSH: the ProxyCommand's program", ends: true) { found, _ in
            TranscriptReading(
                .telling,
                .proxyFailed(command: "", exitStatus: nil, standardError: "posix_spawn: \(found["reason"] ?? "")"),
                at: .connect, .likely)
        },
        TranscriptRow("…CreateProcessW failed error:{n}", "Win32-OpenSSH") { found, _ in
            TranscriptReading(
                .telling,
                .proxyFailed(
                    command: "", exitStatus: nil, standardError: "CreateProcessW failed error:\(found["n"] ?? "")"),
                at: .connect, .likely)
        },
    ]
}
