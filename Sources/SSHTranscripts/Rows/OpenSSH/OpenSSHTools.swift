/// Messages of OpenSSH's other programs: sftp, scp, ssh-keyscan, ssh-copy-id, ssh-add; and of the Windows port of ssh. Sources:
/// OpenSSH 7–10, sftp-client.c, sftp.c, scp.c, ssh-keyscan.c, ssh-add.c, contrib/ssh-copy-id; Win32-OpenSSH,
/// contrib/win32/win32compat.
enum OpenSSHTools {
    static let rows: [TranscriptRow] = OpenSSHFileRows.rows + forwarding + keys + windows

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
        agent("Could not add identity \"{path}\": {reason}"), agent("Could not remove identity \"{path}\": {reason}"),
        agent("Could not add card \"{path}\": {reason}"), agent("Could not remove card \"{path}\": {reason}"),
        agent("Failed to remove all identities."), agent("Failed to lock agent: {reason}"),
        agent("Failed to unlock agent: {reason}"), agent("error fetching identities: agent refused{reason}"),
        .says(
            "Error reading response length from authentication socket", "authfd.c; before 6.7",
            .agent(.unavailable, "it did not answer")),
        TranscriptRow("ssh_msg_recv: read header: {reason}", "msg.c; 6.6–10: ssh-sk-helper has ended"),
        .library("Unable to load resident keys: {reason}", "ssh-add.c, ssh-keygen.c; 8.2–10") { found, _ in
            let said = TranscriptReading.key(
                .unreadable, nil, found["reason"] ?? "", .guess, alternatives: ["no security key is there"])
            // The helper has ended, and may have said why.
            return (found["reason"] ?? "").mentions("internal error") ? said.ranked(.ending) : said
        },
        .library("Certificate {name}.pub does not match private key {path}", "ssh-add.c, ssh.c; 6.6–10") { found, _ in
            .key(.publicKeyMismatch, found["path"])
        },
        .library("Cannot load FIDO key {path} without provider", "ssh-add.c; 8.2–10") { found, _ in
            .key(.typeUnsupported, found["path"])
        },
        TranscriptRow("{host}: bad greeting", "ssh-keyscan.c: congreet", ends: true) { found, facts in
            facts.program == "ssh-keyscan" ? .known(.bannerNotSSH) : facts.decline()
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
            "Enter passphrase for (stdin)", "ssh-add.c: -, without a terminal",
            TranscriptReading.key(.passphraseRequired).ranked(.ending)),
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

    private static func agent(_ text: String) -> TranscriptRow {
        .library(text, "ssh-add.c; 6.6–10") { found, _ in .agent(.refused, found["reason"] ?? "") }
    }

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
        TranscriptRow("…ssh_askpass: posix_spawn{x}: {reason}", "Win32-OpenSSH: readpass.c") { _, _ in
            .known(.authInteractionRequired, .guess, .ending, or: ["the login was refused", "the host key is not known"])
        },
        TranscriptRow("…posix_spawn: {reason}", "Win32-OpenSSH: the ProxyCommand's program", ends: true) { found, _ in
            TranscriptReading(
                .telling,
                .proxyFailed(command: "", exitStatus: nil, standardError: "posix_spawn: \(found["reason"] ?? "")"),
                at: .connect, .likely)
        },
        TranscriptRow("…CreateProcessW failed error:{n}", "Win32-OpenSSH: of a proxy, or of SSH_ASKPASS") { found, _ in
            TranscriptReading(
                .wrapper,
                .proxyFailed(
                    command: "", exitStatus: nil, standardError: "CreateProcessW failed error:\(found["n"] ?? "")"),
                at: .connect, .guess, alternatives: ["it is the program that SSH_ASKPASS names"])
        },
    ]
}
