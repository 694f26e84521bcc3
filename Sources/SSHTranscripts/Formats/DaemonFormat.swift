/// sshd's side, in auth.log and the journal: which client failed, and why. Sources: OpenSSH 7.4–10, auth.c, auth2.c, misc.c,
/// packet.c, sshd.c and sshd-session.c.
enum DaemonFormat {
    static let rows: [TranscriptRow] = login + accounts + early + settings + endings + PAMFormat.rows

    private static let login: [TranscriptRow] = [
        row("Failed {method} for invalid user {user} from {host} port {port} ssh2", "auth.c: auth_log") { found, _ in
            refused(found)
        },
        row("Failed {method} for {user} from {host} port {port} ssh2", "auth.c: auth_log") { found, _ in refused(found) },
        row("error: PAM: Authentication failure for {user} from {host}", "auth-pam.c") { _, facts in
            facts.user = facts.user.replacing("illegal user ", with: "")
            return reading(.authKeyboardInteractiveRejected, "refused the answers", hint: advice)
        },
        row("error: maximum authentication attempts exceeded for {user} from {host} port {port} ssh2", "auth.c") { _, facts in
            facts.user = facts.user.replacing("invalid user ", with: "")
            return reading(.authTooManyAttempts, rank: .telling, "ended the login after MaxAuthTries attempts")
        },
        row("{before}Failed authentication attempt from {host}:{port}", "Gitea: modules/ssh/ssh.go") { found, facts in
            // A web login is logged in the same words.
            guard found["before"]?.lowercased().mentions("ssh") == true else { return facts.decline() }
            return reading(.authKeyRejected, confidence: .guess, "refused the login", or: ["the account is unknown"])
        },
        accepted("Accepted publickey for "), accepted("Accepted password for "),
        accepted("Accepted keyboard-interactive/pam for "),
        accepted("Accepted gssapi-with-mic for "), accepted("Accepted hostbased for "),
    ]

    static func row(
        _ text: String, _ source: String,
        _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading?
    ) -> TranscriptRow { TranscriptRow(text, source, read) }

    /// The login succeeded after all. A message about another account is no evidence for the one that failed.
    private static func accepted(_ words: String) -> TranscriptRow {
        row("\(words){name} from ", "auth.c: auth_log") { found, facts in
            guard facts.user.isEmpty || facts.user.trimming(" ") == found["name"] else { return facts.decline() }
            (facts.hasRecovered, facts.stage) = (true, .session)
            return nil
        }
    }

    private static func refused(_ found: [String: String]) -> TranscriptReading? {
        switch found["method"] {
        case "password"?: reading(.authPasswordRejected, "refused the password", hint: advice)
        case "publickey"?:
            reading(.authKeyRejected, "refused the key", hint: "Compare it with the account's authorized_keys.")
        case let method? where method.hasPrefix("keyboard-interactive"):
            reading(.authKeyboardInteractiveRejected, "refused the answers", hint: advice)
        case "none"?: reading(.authNoCredentials, rank: .plain, confidence: .guess, "got no credential")
        default: nil
        }
    }

    static let advice: RemedyText = "Many of these from one address are an attempt to guess passwords."

    private static let accounts: [TranscriptRow] = [
        row("userauth_pubkey: key type {type} not in PubkeyAccepted", "auth2-pubkey.c; 7.0–10") { found, _ in oldKey(found) },
        row("userauth_pubkey: signature algorithm {type} not in PubkeyAccepted", "auth2-pubkey.c; 8.8–10") { found, _ in
            oldKey(found)
        },
        row("userauth_pubkey: unsupported public key algorithm: {type} [preauth]", "auth2-pubkey.c") { found, _ in
            oldKey(found)
        },
        row("User {user} from {host} not allowed because {reason}", "auth.c: allowed_user") { found, _ in
            reading(.authAccountDenied, rank: .telling, "does not allow the login (\((found["reason"] ?? "").oneLine()))")
        },
        row("User {user} not allowed because {reason}", "auth.c: allowed_user; session.c: do_nologin") { found, _ in
            let reason = (found["reason"] ?? "").oneLine()
            return reason.hasSuffix("nologin exists")
                ? reading(.authLoginsClosed, rank: .telling, "accepts no logins at the moment (\(reason))")
                : reading(.authAccountDenied, rank: .telling, "does not allow the login (\(reason))")
        },
        row("Certificate does not contain an authorized principal", "auth2-pubkey.c; 6.6–10") { _, _ in
            reading(.authKeyRejected, rank: .telling, "refused the certificate, which names no principal of the account,")
        },
        row("Refused by certificate options", "auth-options.c; 7.6–10") { _, _ in
            reading(.authKeyRejected, rank: .telling, "refused the certificate by its options")
        },
        row("Refused by key options", "auth2-pubkey.c; 7.6–10") { _, _ in
            reading(.authKeyRejected, rank: .telling, "refused the key by its options in authorized_keys")
        },
        row("Refusing RSA key because client uses unsafe signature scheme", "auth2-pubkey.c; 6.6–10") { _, _ in
            oldKey(["type": "ssh-rsa"])
        },
        row("public key {key} signature for {user} from {host} port {port} rejected: user", "auth2-pubkey.c; 8.4–10") { _, _ in
            reading(.authKeyRejected, rank: .telling, "refused the signature: the security key was not touched")
        },
        row("Connection from {host}: refusing non-sftp session", "session.c; 6.6–10") { _, _ in
            reading(.commandLoginShellDenied, rank: .telling, "allows only SFTP")
        },
        row("refused streamlocal port forward: originator {x}", "serverloop.c; 6.7–10") { _, _ in
            reading(.channelProhibited, rank: .telling, "does not allow forwarding")
        },
        row("ROOT LOGIN REFUSED FROM {host}", "auth.c: auth_root_allowed") { _, _ in
            reading(.authAccountDenied, rank: .telling, "refused a login as root", hint: "PermitRootLogin forbids it.")
        },
        // sshd ignores the account's key file because others may write to it.
        row("Authentication refused: {reason}", "auth.c: secure_filename") { found, _ in
            reading(
                .authKeyRejected, rank: .telling, "did not use the keys (\((found["reason"] ?? "").oneLine()))",
                hint: "Let only the account write there.")
        },
        row("Authentication key {key} revoked by file ", "auth.c") { _, _ in
            reading(.authKeyRejected, rank: .telling, "refused the key, which is revoked,")
        },
        row("fatal: Access denied for user {user} by PAM account configuration", "auth-pam.c", denied),
        row(
            "Access denied for user {user} by PAM account configuration", "monitor.c", denied),
        row("error: Could not get shadow information for {user}", "auth-passwd.c") { _, _ in nil },
    ]

    /// Messages whose host is the client's address.
    static func reading(
        _ code: SSHError.Code, rank: TranscriptReading.Rank = .plain, confidence: SSHError.Confidence = .likely,
        _ what: String, hint: RemedyText = "", or alternatives: [String] = []
    ) -> TranscriptReading {
        .direct(rank, code, confidence, alternatives: alternatives) {
            let person = $0.user.isEmpty ? "" : " of \($0.user.oneLine(80))"
            let place = $0.host.isEmpty ? "" : ", from \($0.host.oneLine(80))"
            return VerdictText("sshd \(what)\(person)\(place).", hint: hint)
        }
    }

    private static func oldKey(_ found: [String: String]) -> TranscriptReading {
        let type = found["type"] ?? ""
        return reading(
            type == "ssh-rsa" ? .authRSASHA1Rejected : .authKeyRejected, rank: .telling,
            "does not accept signatures of type \(type.oneLine(60))")
    }

    @Sendable static func denied(_: [String: String], _: inout TranscriptFacts) -> TranscriptReading? {
        reading(.authAccountDenied, rank: .telling, "refused the account by PAM's rules")
    }

    private static let early: [TranscriptRow] = [
        row("Did not receive identification string from {host} port {port}", "sshd.c; 7.4–7.9") { _, _ in noGreeting() },
        row("Did not receive identification string from {host}", "sshd.c; 6.6–7.3") { _, _ in noGreeting() },
        row("Bad protocol version identification {line} from {host} port {port}", "sshd.c; 7.4–7.9") { _, _ in noSSH() },
        row("banner exchange: Connection from {host} port {port}: invalid format", "kex.c; 8.4–10") { _, _ in noSSH() },
        row("banner exchange: Connection from {host} port {port}: could not read protocol version", "kex.c; 8.4–10") { _, _ in
            noGreeting()
        },
        row("error: kex_exchange_identification: Connection closed by remote host", "kex.c; 8.0–10") { _, _ in noGreeting() },
        row("error: kex_exchange_identification: client sent invalid protocol identifier ", "kex.c; 8.0–10") { _, _ in noSSH() },
        row("Protocol major versions differ for {peer}: {versions}", "sshd.c; 6.6–7.9") { _, _ in
            reading(.bannerUnsupportedVersion, rank: .telling, "shares no version of the protocol with a client")
        },
        row("error: beginning MaxStartups throttling", "sshd.c; 8.0–10") { _, _ in busy() },
        TranscriptRow("debug1: srclimit_penalise: active penalty for {family} {address}", "srclimit.c; 9.8–10") { _, _ in
            reading(.bannerSourcePenalised, rank: .telling, "refuses connections of an address that has a penalty")
        },
        row("drop connection #{n} from [{host}]:{port} on [{address}]:{p} {reason}", "sshd.c; 8.5–10") { found, facts in
            let reason = (found["reason"] ?? "").lowercased()
            if reason.mentions("maxstartups") { return busy() }
            return reason.mentions("penalty")
                ? reading(.bannerSourcePenalised, rank: .telling, "dropped a connection of an address that has a penalty")
                : facts.decline()
        },
        row("fatal: Timeout before authentication for connection from {host} to {address}, pid", "sshd.c; 9.8–10") { _, _ in
            reading(.authTimedOut, rank: .telling, "waited in vain for the login")
        },
        row("Timeout before authentication for connection from {host} to {address}, pid", "sshd.c; 9.8–10") { _, _ in
            reading(.authTimedOut, rank: .telling, "waited in vain for the login")
        },
        row("fatal: Timeout before authentication for {host} port {port}", "sshd.c; 7.4–9.7") { _, _ in
            reading(.authTimedOut, rank: .telling, "waited in vain for the login")
        },
    ]

    private static func noGreeting() -> TranscriptReading {
        reading(
            .bannerClosed, rank: .telling, confidence: .guess, "got no identification",
            or: ["a probe that only looks whether the port is open"])
    }

    private static func noSSH() -> TranscriptReading {
        reading(.bannerNotSSH, rank: .telling, "did not get an SSH identification")
    }

    private static func busy() -> TranscriptReading {
        reading(.bannerServerBusy, rank: .telling, "dropped a connection: MaxStartups others were not logged in yet")
    }

    private static func noMethods() -> TranscriptReading {
        reading(
            .authMethodNotOffered, rank: .ending, confidence: .guess, "accepted none of the client's credentials",
            or: ["a key was refused"])
    }

    private static func noneAccepted() -> TranscriptReading {
        reading(
            .authKeyRejected, confidence: .guess, "accepted none of the client's credentials", or: ["the password was refused"])
    }

    private static let endings: [TranscriptRow] = [
        row(
            "Received disconnect from {host} port {port}:14: No supported authentication methods available [preauth]",
            "the client's own message"
        ) { _, _ in
            noMethods()
        },
        row(
            "Received disconnect from {host}: 14: No supported authentication methods available [preauth]",
            "the client's own message; 6.6–7.3"
        ) { _, _ in
            noMethods()
        },
        row("error: Received disconnect from {host} port {port}:3: com.jcraft.jsch.JSchException: Auth {x}", "JSch's own message")
        { _, _ in
            noneAccepted()
        },
        row("Received disconnect from {peer}: com.jcraft.jsch.JSchException: Auth {x}", "JSch's own message; 6.6–7.3") { _, _ in
            noneAccepted()
        },
        row(
            "error: Received disconnect from {host} port {port}:14: No supported authentication methods available",
            "the client's own message"
        ) { _, _ in
            noMethods()
        },
        row("error: Received disconnect from {host} port {port}:{reason}: {text}", "packet.c: the client's own message") {
            found, _ in disconnected(found)
        },
        row("error: Received disconnect from {host}: {reason}: {text}", "packet.c; 6.6–7.3: the client's own message") {
            found, _ in disconnected(found)
        },
        // RFC 4253 section 11.1: 11 is SSH_DISCONNECT_BY_APPLICATION, which clients send when they are done.
        row("Received disconnect from {peer}11: {text} [preauth]", "packet.c; 6.6–10") { _, _ in nil },
        row("Received disconnect from {peer}11: disconnected by user", "packet.c; 6.6–10") { _, _ in nil },
        row("fatal: Unable to negotiate with {host} port {port}: {x}", "kex.c; 7.4–10") { _, facts in facts.decline() },
    ]

    /// The reading of a client's disconnect message. RFC 4253 section 11.1: 9 is SSH_DISCONNECT_HOST_KEY_NOT_VERIFIABLE.
    private static func disconnected(_ found: [String: String]) -> TranscriptReading? {
        found["reason"] == "9" ? .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]) : nil
    }
}
