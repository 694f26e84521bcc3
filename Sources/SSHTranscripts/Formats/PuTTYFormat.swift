/// PuTTY and the programs that are based on it: plink, pscp, psftp, WinSCP, FileZilla. Sources: PuTTY, ssh/userauth2-client.c,
/// ssh/transport2.c, ssh/common.c, network.h, windows/console.c; WinSCP, resource/TextsWin1.rc; FileZilla, src/putty.
enum PuTTYFormat {
    static let all = [
        TranscriptFormat("winscp", winSCP), TranscriptFormat("filezilla", fileZilla),
        TranscriptFormat("putty", trust + login + keys + exchange + sessions + network),
    ]

    private static let trust: [TranscriptRow] = [
        .says("…host key is not cached", "console.c", .hostKeyUnknown(.likely)),
        .says("…Host key not in manually configured list", "ssh/transport2.c", .hostKeyUnknown(.guess).ranked(.plain)),
        .says("…host key does not match the one ", "console.c; 0.77 and later without `server's`", .known(.hostKeyChanged)),
        .says(
            "…Cannot confirm a host key in batch mode", "console.c",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]).ranked(.plain)),
        .says(
            "…Connection abandoned", "console.c: the question was answered with no",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]).ranked(.ending)),
        .says("…WARNING - POTENTIAL SECURITY BREACH!", "console.c", .known(.hostKeyChanged)),
        .says(
            "…User aborted at host key verification", "ssh/transport2.c",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says("…Host key did not appear in manually configured list", "ssh/transport2.c", .hostKeyUnknown(.likely)),
    ]

    private static let login: [TranscriptRow] = [
        TranscriptRow("…Server refused our key", "userauth2-client.c") { _, facts in
            facts.methodRefused = "publickey"
            return .refused("publickey", .likely)
        },
        TranscriptRow("Access denied{rest}", "userauth2-client.c: a password") { found, facts in
            guard (found["rest"] ?? "").trimming(". ").isEmpty else { return facts.decline() }
            (facts.passwordRefused, facts.isAskedAgain) = (true, true)
            return nil
        },
        .library("…No supported authentication methods available (server sent: {methods})", "userauth2-client.c") {
            found, facts in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" ") }
            if facts.methodRefused == "publickey" { return .refused("publickey", .likely) }
            if facts.passwordRefused { return .refused("password", .likely) }
            let held = methods.contains("publickey") ? "password" : "publickey"
            // It has no credential left for a method that the server accepts. Earlier lines may show which credentials it had.
            var reading = TranscriptReading.methodNotOffered(methods, held: held, methods.contains("password") ? .guess : .likely)
            reading.alternatives = ["the key that was offered was refused"]
            return reading.ranked(.plain)
        },
        .library("{before}No supported authentication methods available", "userauth2-client.c; 0.60 and before") { found, facts in
            let before = found["before"] ?? ""
            guard before.isEmpty || before.hasSuffix("FATAL ERROR: ") || before.hasSuffix("Disconnected: ") else {
                return facts.decline()
            }
            return TranscriptReading.methodNotOffered([], held: "publickey", .guess).ranked(.plain)
        },
        .says("…Server refused public-key signature despite accepting key", "userauth2-client.c", .refused("publickey", .likely)),
        .says("…Configured password was not accepted", "userauth2-client.c", .refused("password", .likely)),
        .library("{before}Disconnected: Unable to authenticate", "userauth2-client.c") { _, facts in
            .refused(facts.passwordRefused ? "password" : "publickey", facts.passwordRefused ? .likely : .guess)
        },
        .library("FATAL ERROR: Unable to authenticate", "userauth2-client.c") { _, facts in
            .refused(facts.passwordRefused ? "password" : "publickey", facts.passwordRefused ? .likely : .guess)
        },
        .says(
            "…Cannot answer interactive prompts in batch mode", "console.c",
            .known(.authInteractionRequired, or: ["the host key is not known"])),
        TranscriptRow("…sent disconnect message", "ssh/common.c: the server's words follow") { _, _ in
            .known(.kexDisconnected, .guess, .consequence, or: ["it came after the login"])
        },
    ]

    private static let keys: [TranscriptRow] = [
        .library("…Unable to use key file \"{path}\" ({reason})", "userauth2-client.c") { found, _ in key(found) },
        .library("…Unable to load key file \"{path}\" ({reason})", "userauth2-client.c") { found, _ in key(found) },
        .library("…Unable to load key \"{path}\" ({reason})", "userauth2-client.c") { found, _ in key(found) },
        .library("…Unable to load private key file \"{path}\" ({reason})", "userauth2-client.c before 0.62") { found, _ in
            key(found)
        },
        .library("…Unable to use this key file ({reason})", "userauth2-client.c") { found, _ in key(found) },
        .library("…ouldn't load private key ({reason})", "pageant, puttygen") { found, _ in key(found) },
        .library("…ouldn't load this key ({reason})", "pageant") { found, _ in key(found) },
        TranscriptRow("Wrong passphrase{rest}", "userauth2-client.c") { found, facts in
            (found["rest"] ?? "").trimming(". ").isEmpty ? .key(.passphraseWrong) : facts.decline()
        },
    ]

    private static func key(_ found: [String: String]) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        let kind: SSHKeyProblem.Reason =
            if reason.mentions("unable to open") || reason.mentions("does not exist") {
                .notFound
            } else if reason.mentions("passphrase") {
                .passphraseWrong
            } else if reason.mentions("OpenSSH") || reason.mentions("SSH-1") || reason.mentions("ssh.com")
                || reason.mentions("format too new")
            {
                .formatUnsupported
            } else { .formatInvalid }
        return .key(kind, found["path"], reason)
    }

    private static let exchange: [TranscriptRow] = [
        .library("…ouldn't agree a {kind} ({space}vailable: ", "ssh/transport2.c") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
        .library("…ouldn't agree an {kind} ({space}vailable: ", "ssh/transport2.c") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
    ]

    private static let sessions: [TranscriptRow] = [
        .says("…Server refused to start a shell/command", "ssh/mainchan.c", .request(.shell, .likely)),
        .says("…Server refused to allocate pty", "ssh/mainchan.c", TranscriptReading.request(.pty, .likely).ranked(.plain)),
        .library("…Server refused to open main session channel: {reason}", "ssh/mainchan.c") { found, _ in channel(found) },
        .library("…Server refused to open channel: {reason}", "ssh.c before 0.71") { found, _ in channel(found) },
        .library("…Forwarded connection refused by {who}: {reason}", "ssh/portfwd.c") { found, _ in channel(found) },
        .says("…Incoming packet was garbled on decryption", "ssh/bpp2.c", .call(.telling, "PROTO", at: .session, .guess, "")),
        .says("…Incorrect MAC received on packet", "ssh/bpp2.c", .call(.telling, "INVALID_MAC", at: .session, .likely, "")),
        .says("…Incorrect CRC received on packet", "ssh/bpp2.c", .call(.telling, "INVALID_MAC", at: .session, .likely, "")),
        .says(
            "…Server protocol violation: ", "ssh/common.c: ssh_proto_error",
            .call(.telling, "PROTO", at: .keyExchange, .guess, "")),
        .says("FATAL ERROR: Protocol error: packet ", "ssh/common.c", .call(.telling, "PROTO", at: .keyExchange, .guess, "")),
        .says("FATAL ERROR: Connection refused", "pscp.c, psftp.c", failedRefused()),
        .library("{program}: unknown option \"{option}\"", "plink, pscp, psftp") { found, facts in
            ["plink", "pscp", "psftp", "putty"].contains(found["program"] ?? "") ? .known(.localUsage) : facts.decline()
        },
        .library("pscp: remote filespec {path}: not a regular file", "pscp.c") { _, _ in .known(.sftpIsADirectory) },
        .library("…Directory {path}: {reason}", "psftp.c, fzsftp") { found, facts in
            switch found["reason"] ?? "" {
            case "permission denied": return .known(.sftpPermissionDenied)
            case "no such file or directory": return .known(.sftpNoSuchFile)
            default: return facts.decline()
            }
        },
        .says("…Remote side closed network connection", "ssh/ssh.c", dropped(.closed)),
        .says("…nexpected end-of-file from server", "pscp.c", TranscriptReading.lost(.closed, .guess).ranked(.wrapper)),
        .says(
            "…nexpected end-of-file from SFTP server", "psftp; FileZilla",
            TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper)),
        .says("…nable to initialise SFTP", "psftp.c", TranscriptReading.known(.channelSubsystemMissing, .guess, .wrapper)),
        .says(
            "…Host key signature verification failed", "ssh/kex2-client.c",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .says(
            "…host key did not match the signature supplied", "ssh/kex2-client.c before 0.77",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .says(
            "…Signature from server's host key is invalid", "ssh/kex2-client.c",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .library("…Remote process exit code {status}", "plink -v") { found, _ in nil },
        .says(
            "…Remote side does not speak SSH", "ssh/verstring.c",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely)),
        .says("…SSH protocol version 1 required by our configuration", "ssh/ssh.c", .known(.bannerUnsupportedVersion, .guess)),
        .library("pscp: {path}: no such file or directory", "pscp.c, psftp") { _, _ in .known(.sftpNoSuchFile) },
        .library("pscp: unable to open {path}: {reason}", "pscp.c") { found, _ in
            (found["reason"] ?? "").lowercased().mentions("denied")
                ? .known(.sftpPermissionDenied, .guess, or: ["it is a file here"])
                : .known(.sftpNoSuchFile, .guess, or: ["it is a file here"])
        },
        .library("{path}: open for {how}: {reason}", "pscp.c, psftp.c, fzsftp") { found, facts in
            switch found["reason"] ?? "" {
            case let reason where reason.hasPrefix("permission denied"): return .known(.sftpPermissionDenied)
            case let reason where reason.hasPrefix("no such file"): return .known(.sftpNoSuchFile)
            default: return facts.decline()
            }
        },
    ]

    private static func failedRefused() -> TranscriptReading {
        .unconnected(ReasonWords.systemError("connection refused"), .likely)
    }

    private static func channel(_ found: [String: String]) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        return reason.mentions("rohibited") ? .known(.channelProhibited) : .channelRefused(2, reason, .guess)
    }

    private static let network: [TranscriptRow] = [
        .library("…Network error: {reason}", "network.h, WinSCP's NET_TRANSL") { found, facts in
            failed(found["reason"] ?? "", &facts)
        },
        .says("…unexpectedly closed network connection", "ssh/ssh.c", dropped(.closed)),
        .library("…Unable to open connection: {reason}", "network.c") { found, _ in .unresolved(found["reason"] ?? "", .likely) },
        .says("…Unable to open connection:", "network.c: the reason is in the next line", .notReached(.guess, .plain)),
        .says("Host does not exist", "network.c", .unresolved("not known", .likely)),
        .says("…ssh_init: Host does not exist", "pscp.c, psftp.c", .unresolved("not known", .likely)),
        .says("…gethostbyname: unknown error", "windows/network.c", .unresolved("not known", .guess)),
    ]

    private static func dropped(_ end: SSHStreamEnd) -> TranscriptReading {
        .ended(
            .telling, end, at: .banner, .guess,
            alternatives: SharedAlternatives.closedEarly + ["it was closed during the login", "it was lost while a command ran"])
    }

    private static let quoted = TranscriptTemplate("Connection to \"{host}\" {what}")

    private static func failed(_ reason: String, _ facts: inout TranscriptFacts) -> TranscriptReading? {
        if let found = quoted.match(reason) { facts.host = found["host"] ?? "" }
        if reason.mentions("Software caused connection abort") { return .lost(.reset, .likely) }
        if reason.hasPrefix("Connection reset") { return dropped(.reset) }
        if reason.hasSuffix("refused.") && reason.hasPrefix("Connection to ") {
            return .unconnected(ReasonWords.systemError("connection refused"), .likely)
        }
        let known = [
            "Connection refused", "Connection timed out", "No route to host", "Network is ", "Host is ", "Connection to \"",
            "Permission denied",
        ]
        guard known.contains(where: { reason.hasPrefix($0) }) else { return facts.decline() }
        return .unconnected(ReasonWords.systemError(reason), .likely)
    }

    private static let winSCP: [TranscriptRow] = [
        TranscriptRow("Searching for host...", "TextsCore1.rc: STATUS_LOOKUPHOST") { _, facts in
            facts.dialog = .winSCP
            return nil
        },
        .library("Host \"{host}\" does not exist.", "NET_TRANSL_HOST_NOT_EXIST2") { _, _ in .unresolved("not known", .likely) },
        .says("…host key was not found in the cache", "TextsCore1.rc", .hostKeyUnknown(.likely)),
        .library("…WinSCP.SessionRemoteException: Authentication failed.{rest}", "the assembly's exception") { found, _ in
            .refused("password", (found["rest"] ?? "").mentions("Access denied") ? .likely : .guess)
        },
        .says("…Lost SSH connection", "TextsCore1.rc: LOST_CONNECTION", .lost(.closed)),
        .says("…host key was not verified!", "TextsCore1.rc", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .says("…Host key wasn't verified!", "TextsCore1.rc", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .says("…Host key does not match configured key", "TextsCore1.rc", .known(.hostKeyChanged)),
        .says(
            "…Cannot initialize SFTP protocol", "TextsCore1.rc: SFTP_INITIALIZE_ERROR",
            TranscriptReading.request(.subsystem, .guess, or: ["a startup file prints text", "the connection was lost"]).ranked(
                .plain)),
        .says("…Received too large (", "TextsCore1.rc: SFTP_PACKET_TOO_BIG", .known(.sftpProtocolError)),
        .says("…caused by message printed from startup script", "TextsCore1.rc", .known(.sftpProtocolError)),
        .says("…Error skipping startup message", "TextsCore1.rc: SKIP_STARTUP_MESSAGE_ERROR", .known(.sftpProtocolError, .guess)),
        .says(
            "…Connection has been unexpectedly closed", "TextsCore1.rc: CONNECTION_FAILED",
            TranscriptReading.lost(.closed, .guess).ranked(.ending)),
        .says(
            "…Host is not communicating for more than", "TextsCore1.rc: TIMEOUT_STILL_WAITING",
            .timedOut(.connect, .guess, alternatives: ["the server stopped answering"]).ranked(.plain)),
        .says(
            "…rejected SFTP connection, but it listens for FTP", "TextsCore1.rc",
            .unconnected(ReasonWords.systemError("connection refused"), .guess)),
        .says("Error code: 3", "TextsCore1.rc: SFTP_STATUS_PERMISSION_DENIED", .known(.sftpPermissionDenied)),
        .says("Error code: 2", "TextsCore1.rc: SFTP_STATUS_NO_SUCH_FILE", .known(.sftpNoSuchFile)),
        .says("Error code: 4", "TextsCore1.rc: SFTP_STATUS_FAILURE", .known(.sftpWriteFailed, .guess)),
        .says("…contains key in OpenSSH format", "TextsWin1.rc: UNUSABLE_KEY", .key(.formatUnsupported)),
        .library("…Private key file '{path}' does not exist", "TextsWin1.rc") { found, _ in .key(.notFound, found["path"]) },
        .says(
            "…error occurred while setting the permissions and/or timestamp", "TextsCore1.rc: PRESERVE_TIME_PERM_ERROR",
            .known(.sftpPermissionDenied, .guess)),
        .library("Authentication failed.", "TextsCore1.rc: AUTHENTICATION_FAILED") { _, facts in
            guard facts.dialog == .winSCP || facts.passwordRefused || facts.methodRefused == "publickey" else {
                return facts.decline()
            }
            return refused(facts)
        },
    ]

    private static func refused(_ facts: TranscriptFacts) -> TranscriptReading {
        if facts.methodRefused == "publickey", !facts.passwordRefused { return .refused("publickey", .likely) }
        return .refused("password", facts.passwordRefused ? .likely : .guess)
    }

    /// Whether FileZilla uses the ports of FTP (IANA's list of ports).
    private static func speaksFTP(_ facts: TranscriptFacts) -> Bool { facts.port == 21 || facts.port == 990 }

    private static let fileZilla: [TranscriptRow] = [
        TranscriptRow("Command:{x}Pass: ", "src/engine/sftp") { _, facts in
            facts.passwordRefused = true
            return nil
        },
        .library("Error:{x}Authentication failed.", "src/putty") { _, facts in
            .refused("password", facts.passwordRefused ? .likely : .guess)
        },
        .noting("Status:{x}Connecting to {address}...", "src/engine") { found, facts in
            let parts = (found["address"] ?? "").split(separator: ":")
            facts.port = parts.last.flatMap { Int($0) }
        },
        TranscriptRow("Error:{x}Could not connect to server", "src/engine", ends: true) { _, facts in
            speaksFTP(facts) ? facts.decline() : .notReached()
        },
        TranscriptRow("Error:{x}Connection timed out after {n} seconds of inactivity", "src/engine") { _, facts in
            speaksFTP(facts) ? facts.decline() : .timedOut(.connect, .guess, alternatives: ["the server stopped answering"])
        },
        TranscriptRow("Error:{x}Cannot establish FTP connection to an SFTP server", "src/engine/ftp", ends: true) { _, _ in
            .known(.localUsage, .likely)
        },
        TranscriptRow("Error:{x}Connection closed by server with exitcode {n}", "src/engine/sftp", ends: true) { _, _ in
            TranscriptReading.lost(.closed, .guess).ranked(.ending)
        },
    ]
}
