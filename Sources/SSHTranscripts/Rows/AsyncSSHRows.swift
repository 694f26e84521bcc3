/// asyncssh's exceptions and log. Source: asyncssh 2, the named files.
enum AsyncSSHRows {
    static let rows: [TranscriptRow] = progress + reaching + trusting + keys + loggingIn + sessions + statuses

    private static let statuses =
        ownChecks
        + SFTPTexts.rows(
            [
                ("…asyncssh.sftp.SFTPNoSuchFile", 2), ("…asyncssh.sftp.SFTPNoSuchPath", 10),
                ("…asyncssh.sftp.SFTPPermissionDenied", 3), ("…asyncssh.sftp.SFTPFailure", 4),
                ("…asyncssh.sftp.SFTPBadMessage", 5), ("…asyncssh.sftp.SFTPNoConnection", 6),
                ("…asyncssh.sftp.SFTPConnectionLost", 7), ("…asyncssh.sftp.SFTPOpUnsupported", 8),
                ("…asyncssh.sftp.SFTPFileAlreadyExists", 11), ("…asyncssh.sftp.SFTPNoSpaceOnFilesystem", 14),
                ("…asyncssh.sftp.SFTPQuotaExceeded", 15), ("…asyncssh.sftp.SFTPFileIsADirectory", 24),
            ], "sftp.py") + [
            .library("…asyncssh.sftp.SFTP{name}: {text}", "sftp.py: the other statuses of versions 4 to 6") { found, facts in
                found["name"] == "EOFError" ? facts.decline() : .known(.sftpWriteFailed, .guess)
            }
        ]

    /// The client's own checks, which it reports with the classes of the statuses.
    private static let ownChecks: [TranscriptRow] = [
        .says("…asyncssh.sftp.SFTPBadMessage: Unsupported version: ", "sftp.py", .known(.sftpVersionUnsupported)),
        .says("…asyncssh.sftp.SFTPBadMessage: Symlink target is ", "sftp.py", .known(.sftpUnsafeName)),
    ]

    private static let progress: [TranscriptRow] = [
        .library("…Connected to SSH server at {host}, port {port}", "connection.py, INFO") { _, facts in
            facts.stage = .banner
            return nil
        },
        .library("…Beginning auth for user {user}", "connection.py, INFO") { _, facts in
            facts.stage = .authentication
            return nil
        },
        .library("…Received MSG_DISCONNECT (1)", "packet.py, DEBUG 2: its words follow in bytes") { _, facts in
            OpenSSHSessionRows.disconnected(["reason": "2", "text": ""], facts).ranked(.ending)
        },
        .library("…Auth for user {user} succeeded", "connection.py, INFO") { _, facts in
            facts.stage = .session
            return nil
        },
    ]

    private static let reaching: [TranscriptRow] = [
        .library("…[Errno {n}] Connect call failed ({address})", "asyncio/selector_events.py") { found, _ in
            .unconnected(found["n"].flatMap { Int32($0) }.flatMap(PythonRows.systemError), .likely)
        },
        .library("…Unsupported SSH version", "connection.py: ProtocolNotSupported") { _, _ in
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely) { $0.identification = "SSH-1.5-" }
        },
        .library("…No matching {kind} algorithm found, sent {ours} and received {offer}", "connection.py") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), "\(kind) algorithm")
        },
        .library("…DisconnectError: {text} (error {reason})", "misc.py") { found, facts in
            OpenSSHSessionRows.disconnected(found, facts)
        },
        .library("…Connection failure: {text} (error {reason})", "connection.py, INFO") { found, facts in
            OpenSSHSessionRows.disconnected(found, facts)
        },
        .library("…[conn={n}] Auth failed for ", "connection.py, INFO") { _, _ in
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.ending)
        },
        .library("…[conn={n}] Connection failure: {text}", "connection.py, INFO") { found, facts in
            CommonReasons.reading(of: found["text"] ?? "")?.ranked(.ending) ?? facts.decline()
        },
        .library("…Login timeout expired", "connection.py") { _, _ in .timedOut(.authentication, .likely) },
    ]

    private static let trusting: [TranscriptRow] = [
        .library("…Host key is revoked", "connection.py") { _, _ in OpenSSHTrustRows.revoked(nil) },
        .library("…Host key is not trusted for host {host}", "connection.py") { _, _ in unknown() },
        .says("…No trusted server host keys available", "connection.py, 1", unknown()),
        .library("…No such file or directory: '{folder}known_hosts", "open(), of the file with the known hosts") { _, _ in
            .known(.hostKeyKnownHostsUnreadable, .likely)
        },
        .library("{before}Host key is not trusted", "connection.py, 1") { found, facts in
            (found["before"] ?? "").isEmpty || found["before"]?.hasSuffix(": ") == true ? unknown() : facts.decline()
        },
        .says("…HostKeyNotVerifiable: Revoked ", "connection.py: a key or a certificate", OpenSSHTrustRows.revoked(nil)),
        .library("…HostKeyNotVerifiable: {x}", "misc.py") { _, _ in unknown() },
    ]

    private static func unknown() -> TranscriptReading {
        .hostKeyUnknown(.guess, alternatives: ["the host key has changed", "the host key is revoked"])
    }

    private static let keys: [TranscriptRow] = [
        .says("…Passphrase must be specified to import encrypted private key", "public_key.py", .key(.passphraseRequired)),
        .library("…Incorrect passphrase", "public_key.py, pbe.py") { _, _ in .key(.passphraseWrong) },
        .library("…Unable to decrypt", "pbe.py") { _, _ in .key(.passphraseWrong, nil, "", .guess) },
        .library("…Invalid private key", "public_key.py") { _, _ in .key(.formatInvalid) },
        .library("…KeyImportError: {x}", "public_key.py") { found, _ in .key(.formatInvalid, nil, found["x"] ?? "") },
    ]

    private static let loggingIn: [TranscriptRow] = [
        .library("…Permission denied for user {user} on host {host}: {x}", "connection.py, with its cause") { _, _ in
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .library("…Permission denied for user {user} on host {host}", "connection.py") { _, facts in
            if !facts.banner.isEmpty, AccountTexts.speaks(AccountTexts.denied + AccountTexts.closed, in: [facts.banner]) {
                return .accountDenied(facts.banner)
            }
            return .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .says(
            "…DisconnectError: Disconnect Error: Permission denied", "misc.py; 1",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…asyncssh.misc.PermissionDenied", "misc.py", .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…PermissionDenied: Permission denied", "misc.py",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
    ]

    private static let sessions: [TranscriptRow] = [
        .says("…Server not responding to keepalive", "connection.py", .silent()),
        .library("…ConnectionLost: {reason}", "misc.py") { found, facts in lost(found["reason"] ?? "", facts) },
        .library("…Connection lost", "connection.py") { _, facts in lost("", facts) },
        .library("…Process exited with non-zero exit status {status}", "process.py: ProcessError") { found, _ in
            found["status"].flatMap { Int($0) }.map { .commandEnded(status: $0) }
        },
        .library("…Process exited with signal {name}", "process.py: ProcessError") { found, _ in
            .commandEnded(signal: (found["name"] ?? "").split(separator: " ").first.map(String.init))
        },
        .says("…asyncssh.misc.ChannelListenError", "misc.py", .known(.channelProhibited, .guess)),
        .says("…asyncssh.config.ConfigParseError", "config.py", .known(.localConfigInvalid)),
        .says("…asyncssh.misc.ConfigParseError", "misc.py", .known(.localConfigInvalid)),
        .says("…Unable to sign with requested key", "agent.py", .agent(.refused, "it did not sign")),
        .says("…asyncssh.misc.ProtocolError", "misc.py", .protocolBroken(at: .keyExchange)),
        .says("…asyncssh.misc.CompressionError", "misc.py", .call(.telling, "PROTO", at: .session, .guess, "bad compression")),
        .says("…asyncssh.misc.MACError", "misc.py", .call(.telling, "INVALID_MAC", at: .session, .guess, "")),
        .says("…asyncssh.misc.ServiceNotAvailable", "misc.py", .cut(at: .authentication)),
        .says(
            "…Unable to find compatible server host key", "connection.py",
            .noCommon(.kexNoCommonHostKeyAlgorithm, "host key algorithm", .guess)),
        .says(
            "…asyncssh.misc.KeyExchangeFailed", "misc.py",
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess).ranked(.plain)),
        .library("…KeyEncryptionError: Unknown {kind}", "public_key.py, pbe.py") { _, _ in .key(.cipherUnsupported) },
        .says("…KeyEncryptionError", "public_key.py", .key(.passphraseWrong, nil, "", .guess)),
        .library("asyncssh.process.TimeoutError", "process.py") { _, _ in .commandTimedOut(.likely) },
        .library("…ChannelOpenError: {text}", "misc.py") { found, _ in
            let text = found["text"] ?? ""
            // channel.py raises the same exception for a request in an open channel.
            if text.hasPrefix("PTY request failed") { return .request(.pty, .guess) }
            if text.hasPrefix("Session request failed") { return .request(.exec, .guess, or: ["the subsystem is missing"]) }
            if text.hasPrefix("SSH connection closed") { return .lost(.closed, .guess) }
            if ["not permitted", "forwarding denied", "forbidden", "disabled"].contains(where: { text.mentions($0) }) {
                return .known(.channelProhibited, .guess)
            }
            return .channelRefused(text.contains("prohibited") ? 1 : 2, text, .guess)
        },
    ]

    private static func lost(_ reason: String, _ facts: TranscriptFacts) -> TranscriptReading {
        let end: SSHStreamEnd = reason.contains("reset") ? .reset : .closed
        // During connecting, the exception comes from connect(). Without a log, nothing else shows the stage.
        let stage = facts.stage ?? (facts.python.ran("_connect", "connect") ? .banner : .session)
        if stage == .session { return .lost(end, .guess) }
        let otherwise = stage == .banner ? SharedAlternatives.closedEarly + ["it was closed in key exchange or login"] : []
        return .ended(.telling, end, at: stage, .guess, alternatives: otherwise + ["the account is refused"])
    }
}
