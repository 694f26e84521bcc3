/// PuTTY's family, and what is built on it: plink, pscp, psftp, WinSCP, FileZilla. Sources: PuTTY, ssh/userauth2-client.c, ssh/transport2.c,
/// ssh/common.c, network.h, windows/console.c; WinSCP, resource/TextsWin1.rc; FileZilla, src/putty.
enum PuTTYFormat {
    static let all = [
        TranscriptFormat("winscp", winSCP), TranscriptFormat("filezilla", fileZilla),
        TranscriptFormat("putty", trust + login + keys + exchange + network),
    ]

    private static let trust: [TranscriptRow] = [
        .says("…host key is not cached", "console.c", .hostKeyUnknown(.likely)),
        .says("…Host key not in manually configured list", "ssh/transport2.c", .hostKeyUnknown(.guess).ranked(.plain)),
        .says("…server's host key does not match the one ", "console.c", .known(.hostKeyChanged)),
        .says("…WARNING - POTENTIAL SECURITY BREACH!", "console.c", .known(.hostKeyChanged)),
        .says("…Host key did not appear in manually configured list", "ssh/transport2.c", .hostKeyUnknown(.likely)),
    ]

    private static let login: [TranscriptRow] = [
        TranscriptRow("…Server refused our key", "userauth2-client.c") { _, facts in
            facts.methodRefused = "publickey"
            return .refused("publickey", .likely)
        },
        TranscriptRow("Access denied{rest}", "userauth2-client.c: a password") { found, facts in
            guard (found["rest"] ?? "").trimming(". ").isEmpty else { return facts.decline() }
            facts.passwordRefused = true
            return nil
        },
        .library("…No supported authentication methods available (server sent: {methods})", "userauth2-client.c") {
            found, facts in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" ") }
            if facts.methodRefused == "publickey" { return .refused("publickey", .likely) }
            if facts.passwordRefused { return .refused("password", .likely) }
            let held = methods.contains("publickey") ? "password" : "publickey"
            return TranscriptReading.methodNotOffered(methods, held: held, .guess).ranked(.plain)
        },
        .library("{before}No supported authentication methods available", "userauth2-client.c; 0.60 and before") { found, facts in
            let before = found["before"] ?? ""
            guard before.isEmpty || before.hasSuffix("FATAL ERROR: ") || before.hasSuffix("Disconnected: ") else {
                return facts.decline()
            }
            return TranscriptReading.methodNotOffered([], held: "publickey", .guess).ranked(.plain)
        },
        .says("…Configured password was not accepted", "userauth2-client.c", .refused("password", .likely)),
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
    ]

    private static func key(_ found: [String: String]) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        let kind: SSHKeyProblem.Reason =
            if reason.mentions("unable to open") {
                .notFound
            } else if reason.mentions("passphrase") {
                .passphraseWrong
            } else if reason.mentions("OpenSSH") || reason.mentions("SSH-1") || reason.mentions("ssh.com") {
                .formatUnsupported
            } else { .formatInvalid }
        return .key(kind, found["path"], reason)
    }

    private static let exchange: [TranscriptRow] = [
        .library("…Couldn't agree a {kind} (available: ", "ssh/transport2.c") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
        .library("…Couldn't agree an {kind} (available: ", "ssh/transport2.c") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
    ]

    private static let network: [TranscriptRow] = [
        .library("…Network error: {reason}", "network.h, WinSCP's NET_TRANSL") { found, facts in
            failed(found["reason"] ?? "", &facts)
        },
        .says("…unexpectedly closed network connection", "ssh/ssh.c", dropped(.closed)),
        .library("…Unable to open connection: {reason}", "network.c") { found, _ in .unresolved(found["reason"] ?? "", .likely) },
        .says("Host does not exist", "network.c", .unresolved("not known", .likely)),
        .says("…ssh_init: Host does not exist", "pscp.c, psftp.c", .unresolved("not known", .likely)),
        .says("…gethostbyname: unknown error", "windows/network.c", .unresolved("not known", .guess)),
    ]

    private static func dropped(_ end: SSHStreamEnd) -> TranscriptReading {
        var reading = TranscriptReading.lost(end, .guess)
        reading.alternatives = ["it was closed before the login, or during it"]
        return reading
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
        .says("…Host key wasn't verified!", "TextsCore1.rc", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .says("…Host key does not match configured key", "TextsCore1.rc", .known(.hostKeyChanged)),
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

    private static let fileZilla: [TranscriptRow] = [
        TranscriptRow("Command:{x}Pass: ", "src/engine/sftp") { _, facts in
            facts.passwordRefused = true
            return nil
        },
        .library("Error:{x}Authentication failed.", "src/putty") { _, facts in
            .refused("password", facts.passwordRefused ? .likely : .guess)
        },
        TranscriptRow("Error:{x}Could not connect to server", "src/engine", ends: true) { _, _ in
            .notReached(.guess, .consequence)
        },
    ]
}
