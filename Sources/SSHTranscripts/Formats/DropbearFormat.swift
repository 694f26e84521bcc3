/// Dropbear's dbclient, which routers and embedded systems have as `ssh`. Sources: dropbear, cli-main.c, cli-kex.c, cli-auth.c,
/// common-kex.c, netio.c.
enum DropbearFormat {
    static let all = [TranscriptFormat("dropbear", server), TranscriptFormat("dbclient", rows)]

    private static let rows: [TranscriptRow] = [
        .library("…Connection to {account}:{port} exited: {reason}", "cli-main.c: cli_dropbear_exit") { found, facts in
            facts.note(account: found["account"] ?? "")
            return ended(found["reason"] ?? "", facts)
        },
        TranscriptRow("…Connection to {account}:{port} exited:", "cli-main.c, where the reason begins a line of its own") {
            found, facts in
            facts.note(account: found["account"] ?? "")
            return nil
        },
        .noting("…enter recv_msg_channel_", "common-channel.c: its trace") { _, facts in facts.stage = .session },
        .noting("…leave recv_msg_channel_", "common-channel.c: its trace") { _, facts in facts.stage = .session },
        .library("…Failed loading keyfile '{path}'", "cli-runopts.c") { found, _ in
            .key(.formatInvalid, found["path"], "", .guess, alternatives: ["the file is not there", "it has OpenSSH's format"])
        },
        .says("Agent failed signing key", "cli-agentfwd.c", .agent(.refused, "")),
        wrongly("Bad hostname."), wrongly("Remote host needs to be provided."), wrongly("Bad port"),
        .says("…Exited: String too long", "buffer.c: a key of OpenSSH's format", .key(.formatUnsupported, nil, "", .guess)),
        .library("Host '{host}' is not in the trusted hosts file.", "cli-kex.c") { _, _ in .hostKeyUnknown(.likely) },
        .library("…Host key mismatch for {host} !", "cli-kex.c; 2022") { _, _ in .known(.hostKeyChanged) },
        .library("{type} host key mismatch for {host} !", "cli-kex.c: checkhostkey") { _, _ in .known(.hostKeyChanged) },
    ]

    /// The server's messages in a router's log. Sources: svr-auth.c, svr-authpasswd.c, svr-authpubkey.c, svr-session.c.
    private static let server: [TranscriptRow] = [
        TranscriptRow("Bad password attempt for '{user}' from {peer}", "svr-authpasswd.c") { found, facts in
            facts.host = peer(found)
            facts.passwordRefused = true
            return .refused("password", .likely)
        },
        TranscriptRow("Bad PAM password attempt for '{user}' from {peer}", "svr-authpam.c") { found, facts in
            facts.host = peer(found)
            return .refused("password", .likely)
        },
        TranscriptRow("Login attempt for nonexistent user from {peer}", "svr-auth.c") { found, facts in
            facts.host = peer(found)
            return .refused("password", .guess, alternatives: ["a key of a user that does not exist"])
        },
        TranscriptRow("Login attempt with wrong user {user}", "svr-auth.c, not as root") { found, _ in
            .known(.authAccountDenied)
        },
        TranscriptRow("Logins are restricted to the group {group} but user '{user}' is not a member", "svr-auth.c") { _, _ in
            .known(.authAccountDenied)
        },
        TranscriptRow("Pubkey auth bad signature for '{user}' with key {key} from {peer}", "svr-authpubkey.c") { found, facts in
            facts.host = peer(found)
            return .known(.authKeyRejected)
        },
        TranscriptRow("root login rejected", "svr-auth.c") { _, _ in .known(.authAccountDenied) },
        TranscriptRow("User account '{user}' is locked", "svr-auth.c, svr-authpasswd.c") { _, _ in .known(.authAccountDenied) },
        TranscriptRow("Exit ({user}) from <{peer}>: {reason}", "svr-session.c: after the login", ends: true) { found, facts in
            facts.host = peer(found)
            let reason = found["reason"] ?? ""
            if reason.mentions("eepalive") || reason.mentions("dle timeout") { return .silent() }
            return reason.mentions("Error reading") || reason.mentions("Error writing") ? .lost(.reset) : nil
        },
        TranscriptRow("Exit ({user}): Error {place}: {reason}", "svr-session.c; before 2013.56", ends: true) { _, _ in
            .lost(.reset)
        },
        TranscriptRow("Exit ({user}): Child failed", "svr-chansession.c: the shell did not start", ends: true) { _, _ in
            .known(.commandNotExecutable, .guess, or: ["the account's shell is not there"])
        },
        .says("Early exit: No hostkeys available.", "svr-runopts.c", .known(.localConfigInvalid)),
        .says("Early exit: No listening ports available.", "svr-main.c", .known(.connectLocalResources, .guess)),
        .says("Failed listening on '{port}': ", "svr-main.c", .known(.connectLocalResources, .guess, .plain)),
        TranscriptRow("User '{user}' has invalid shell, rejected", "svr-auth.c") { _, _ in .known(.authAccountDenied) },
        TranscriptRow("{path} must be owned by user or root, and not writable by", "svr-authpubkey.c") { _, _ in
            .known(.authKeyRejected, or: ["another key was accepted"])
        },
        TranscriptRow("Pubkey auth attempt with unknown algo for '{user}' from {peer}", "svr-authpubkey.c") { _, _ in
            .known(.authKeyRejected, .guess)
        },
        TranscriptRow("Exit before auth{peer}: {reason}", "svr-session.c", ends: true) { found, facts in
            let words = found["reason"] ?? ""
            if let kind = words.firstPlace(of: "No matching algo ").map({ words[$0.upperBound...] }),
                let (_, code, name) = algorithms.first(where: { kind.hasPrefix($0.0) })
            {
                return .noCommon(code, name, .likely)
            }
            if words.mentions("Max auth tries") { return .attemptsExhausted(.likely) }
            if words.mentions("Timeout before auth") { return .timedOut(.authentication, .likely) }
            if broken.contains(where: { words.mentions($0) }) {
                return .call(.telling, "PROTO", at: .keyExchange, .guess, words.oneLine(80))
            }
            if words.mentions("ident") { return .ended(.telling, .closed, at: .banner, .guess) }
            return .ended(
                .wrapper, .closed, at: .authentication, .guess, alternatives: ["a probe that only looks whether the port is open"]
            )
        },
        .recovers("Password auth succeeded for", "svr-authpasswd.c"), .recovers("Pubkey auth succeeded for", "svr-authpubkey.c"),
        .recovers("PAM password auth succeeded for", "svr-authpam.c"),
    ]

    private static func wrongly(_ words: String) -> TranscriptRow {
        .library("dbclient: Exited: \(words)", "cli-runopts.c") { _, _ in
            TranscriptReading(.telling, .usage(field: "", problem: words.trimming(".")), at: .local, .likely)
        }
    }

    /// Dropbear's messages about invalid packets.
    private static let broken = ["Integrity error", "Bad packet size", "Bad buf_", "String too long", "Error decrypting"]

    private static func peer(_ found: [String: String]) -> String {
        let peer = found["peer"] ?? ""
        return peer.lastIndex(of: ":").map { String(peer[..<$0]) } ?? peer
    }

    private static let algorithms: [(String, SSHError.Code, String)] = [
        ("kex", .kexNoCommonKex, "key exchange method"), ("hostkey", .kexNoCommonHostKeyAlgorithm, "host key algorithm"),
        ("enc", .kexNoCommonCipher, "cipher"), ("mac", .kexNoCommonMAC, "MAC"), ("comp", .kexNoCommonCompression, "compression"),
    ]

    private static func ended(_ reason: String, _ facts: TranscriptFacts) -> TranscriptReading {
        if let kind = reason.firstPlace(of: "No matching algo ").map({ reason[$0.upperBound...] }),
            let (_, code, name) = algorithms.first(where: { kind.hasPrefix($0.0) })
        {
            return .noCommon(code, name)
        }
        if let place = reason.firstPlace(of: "Error resolving") {
            let words = String(reason[place.lowerBound...])
            return .unresolved(words.mentions("known") ? "not known" : words, .likely)
        }
        if reason.hasPrefix("Connect failed") || reason.hasPrefix("Error connecting") {
            return .unconnected(reason, .likely)
        }
        if reason.mentions("No auth methods could be used") {
            return facts.passwordRefused
                ? .refused("password", .likely)
                : .refused(
                    "publickey", .guess, alternatives: ["there was no key to offer, and no terminal to type a password on"])
        }
        if reason.mentions("Bad hostkey signature") { return .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "") }
        if reason.mentions("validate host key") {
            return .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]).ranked(.plain)
        }
        if reason.mentions("Max auth") || reason.mentions("oo many") {
            return facts.passwordRefused ? .refused("password", .likely) : .attemptsExhausted(.likely)
        }
        if reason.mentions("eepalive") || reason.mentions("dle timeout") { return .silent() }
        if reason.mentions("BatchMode") { return .known(.authInteractionRequired, .guess) }
        if reason.mentions("Interrupted") { return .interrupted(by: 2, .likely) }
        if reason.mentions("Disconnect received") {
            return .known(.sessionDisconnected, .guess, .plain, or: ["the server ended it before or during the login"])
        }
        if reason.mentions("Incompatible remote version 'SSH-1") { return .known(.bannerUnsupportedVersion) }
        if reason.mentions("Couldn't open initial channel") { return .known(.channelProhibited, .guess) }
        if reason.mentions("proxy command") {
            return TranscriptReading(
                .telling, .proxyFailed(command: "", exitStatus: nil, standardError: reason.oneLine(80)), at: .connect, .likely)
        }
        if reason.mentions("raw TTY mode") || reason.mentions("termmodes") {
            return .known(.localUsage, .guess, or: ["standard input is no terminal"])
        }
        if reason.mentions("trivial authentication not allowed") { return .known(.localRefusedByConfig, .guess) }
        if broken.contains(where: { reason.mentions($0) }) {
            return .call(.telling, "PROTO", at: .keyExchange, .guess, reason.oneLine(80))
        }
        if reason.mentions("remote version") || reason.mentions("remote ident") {
            return .ended(.telling, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
        }
        if reason.mentions("imeout") { return .timedOut(.connect, .guess) }
        return .ended(
            .plain, .closed, at: .keyExchange, .guess, alternatives: ["it was closed before that, in the login, or after it"])
    }
}
