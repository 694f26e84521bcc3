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

    private static func row(
        _ text: String, _ source: String,
        _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading?
    ) -> TranscriptRow { TranscriptRow(text, source, read) }

    /// The login succeeded after all. That of another account says nothing of the one that failed.
    private static func accepted(_ words: String) -> TranscriptRow {
        row("\(words){name} from ", "auth.c: auth_log") { found, facts in
            guard facts.user.isEmpty || facts.user.trimming(" ") == found["name"] else { return facts.decline() }
            facts.hasRecovered = true
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

    private static let advice: RemedyText = "Many of these from one address are an attempt to guess passwords."

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

    @Sendable private static func denied(_: [String: String], _: inout TranscriptFacts) -> TranscriptReading? {
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

    private static func noCommon(_ reason: String) -> TranscriptReading {
        reading(
            TranscriptReading.algorithmCode(String(reason.dropFirst(12))), rank: .telling,
            "shares no algorithm of a kind with the client (\(reason.oneLine(60)))")
    }

    /// A setting or a directory with which sshd does not start.
    private static func unstartable(_ text: String) -> TranscriptRow {
        row(text, "sshd.c: main") { found, facts in
            // Another program may say the same of any other directory.
            if let path = found["path"], !path.hasSuffix("sshd"), !path.hasSuffix("empty") { return facts.decline() }
            return reading(.localConfigInvalid, rank: .telling, "did not start: its own settings are not valid")
        }
    }

    private static func noSSH() -> TranscriptReading {
        reading(.bannerNotSSH, rank: .telling, "did not get an SSH identification")
    }

    private static func unsigned() -> TranscriptReading {
        reading(.localConfigInvalid, rank: .telling, confidence: .guess, "could not sign with its host key")
    }

    /// The process for the login or for the session did not start, or was ended.
    private static func unstarted(_ isEarly: Bool) -> TranscriptReading {
        reading(
            isEarly ? .kexClosed : .sessionConnectionLost, rank: .telling, confidence: .guess,
            "lost its own process for the connection")
    }

    private static func dropped() -> TranscriptReading {
        reading(
            .authConnectionDropped, rank: .consequence, confidence: .guess, "lost the connection during the login",
            or: ["the client gave up: its key was refused"])
    }

    private static func busy() -> TranscriptReading {
        reading(.bannerServerBusy, rank: .telling, "dropped a connection: MaxStartups others were not logged in yet")
    }

    /// Messages about the server's settings and PAM.
    private static let settings: [TranscriptRow] = [
        row("pam_unix(sshd:auth): authentication failure;{x}", "Linux-PAM pam_unix") { found, facts in
            let words = (found["x"] ?? "").split(separator: " ")
            for word in words where word.hasPrefix("rhost=") { facts.host = String(word.dropFirst(6)) }
            for word in words where word.hasPrefix("user=") { facts.user = String(word.dropFirst(5)) }
            return reading(.authPasswordRejected, rank: .ending, "refused the password", hint: advice)
        },
        row("pam_sss(sshd:auth): received for user {user}: {n} ({reason})", "sssd") { found, _ in
            let reason = (found["reason"] ?? "").lowercased()
            if reason.mentions("expired") {
                return reading(.authPasswordExpired, rank: .telling, "found the password expired")
            }
            return reading(.authPasswordRejected, rank: .ending, confidence: .guess, "refused the password")
        },
        row("pam_unix(sshd:account): account {user} has expired", "Linux-PAM pam_unix", denied),
        row("pam_unix(sshd:account): expired password for user {user} (", "Linux-PAM pam_unix") { _, _ in
            reading(.authPasswordExpired, rank: .telling, "found the password expired")
        },
        row("pam_access(sshd:account): access denied for user `{user}' from `{host}'", "Linux-PAM pam_access", denied),
        row("User {user} password has expired", "auth-shadow.c, session.c") { _, _ in
            reading(.authPasswordExpired, rank: .telling, "found the password expired")
        },
        row("Account {user} has expired", "auth-shadow.c", denied),
        row("error: Certificate invalid: {reason}", "auth2-pubkey.c, sshkey.c") { found, _ in
            reading(.authKeyRejected, rank: .telling, "refused the certificate (\((found["reason"] ?? "").oneLine()))")
        },
        row("error: key {key} Certificate invalid: {reason}", "auth2-pubkeyfile.c; 9–10") { found, _ in
            reading(.authKeyRejected, rank: .telling, "refused the certificate (\((found["reason"] ?? "").oneLine()))")
        },
        row("Could not open user '{user}' authorized keys '{path}': {reason}", "auth2-pubkey.c; 9–10") { _, _ in
            reading(.authKeyRejected, rank: .telling, confidence: .guess, "could not read the authorized keys")
        },
        row("Could not open authorized keys '{path}': {reason}", "auth.c; 6.6–8") { _, _ in
            reading(.authKeyRejected, rank: .telling, confidence: .guess, "could not read the authorized keys")
        },
        row("error: AuthorizedKeysCommand {x} failed, status {n}", "auth2-pubkey.c, misc.c") { _, _ in
            reading(.authKeyRejected, rank: .telling, confidence: .guess, "got no keys from AuthorizedKeysCommand")
        },
        row("pam_sss(sshd:account): Access denied for user {user}: ", "sssd", denied),
        row("Timeout, client not responding from user {user} {host} port {port}", "serverloop.c; 7.9–10") { _, _ in
            reading(.sessionKeepaliveTimedOut, rank: .telling, "got no answer to its keepalives")
        },
        row("Disconnecting {who} {user} {host} port {port}: Too many authentication failures", "packet.c; 7.5–10") { _, _ in
            reading(.authTooManyAttempts, rank: .telling, "ended the login after MaxAuthTries attempts")
        },
        row("Disconnecting: Too many authentication failures{x}[preauth]", "packet.c; 6.6–7.4") { _, _ in
            reading(.authTooManyAttempts, rank: .telling, "ended the login after MaxAuthTries attempts")
        },
        row("Connection {ended} by authenticating user {account}", "packet.c; 7.5–10") { found, facts in
            let words = (found["account"] ?? "").split(separator: " ").map(String.init)
            facts.user = words.first ?? ""
            if words.count > 3 { (facts.host, facts.port) = (words[1], Int(words[3])) }
            return dropped()
        },
        row("Disconnected from authenticating user {account}", "packet.c; 7.5–10") { _, _ in dropped() },
        row("Disconnected from invalid user {account}", "packet.c; 7.5–10") { _, _ in dropped() },
        row("fatal: Read from socket failed: {reason} [preauth]", "packet.c; 6.6–7.3") { _, _ in dropped() },
        row("Authentication tried for {user} with correct key but not from a permitted host", "auth2-pubkeyfile.c; 6.6–10") {
            _, _ in
            reading(.authKeyRejected, rank: .telling, "refused the key, which authorized_keys does not allow from this host,")
        },
        row("Authentication tried for {user} with valid certificate but not from a permitted", "auth2-pubkeyfile.c; 7.6–10") {
            _, _ in
            reading(.authKeyRejected, rank: .telling, "refused the certificate, which is not for this host,")
        },
        row("refused connect from {host} (", "libwrap: hosts.deny") { _, _ in
            reading(.bannerClosed, rank: .telling, "refused the address by hosts.deny")
        },
        row("subsystem request for {name} by user {user} failed, subsystem not found", "session.c") { _, _ in
            reading(.channelSubsystemMissing, rank: .telling, "does not have the subsystem")
        },
        row("subsystem request for {name} failed, subsystem not found", "session.c; 6.6–7") { _, _ in
            reading(.channelSubsystemMissing, rank: .telling, "does not have the subsystem")
        },
        row("error: no more sessions", "session.c: MaxSessions") { _, _ in
            reading(.channelSessionLimit, rank: .telling, "allows no further session")
        },
        row("error: connect_to {host} port {port}: failed", "channels.c; 7–10") { _, _ in
            reading(.channelJumpTargetUnreachable, rank: .telling, "could not connect to a forwarding's target")
        },
        row("error: connect_to {host}: unknown host", "channels.c; 6.6–10") { _, _ in
            reading(.channelJumpTargetUnreachable, rank: .telling, "could not resolve a forwarding's target")
        },
        row("Received request to connect to host {host} port {port}, but the request was denied", "channels.c; 6.6–10") { _, _ in
            reading(.channelProhibited, rank: .telling, "does not allow a forwarding's target")
        },
        row("refused local port forward: originator {x}", "serverloop.c; 6.6–10") { _, _ in
            reading(.channelProhibited, rank: .telling, "does not allow forwarding")
        },
        row("fatal: bad ownership or modes for chroot directory {x}", "session.c: safely_chroot") { _, _ in
            reading(.authAccountDenied, rank: .telling, "could not confine the account to its directory")
        },
        row("{before}fork of unprivileged child failed", "sshd.c of Win32-OpenSSH") { found, _ in
            unstarted(found["before"]?.mentions("preauth") == true)
        },
        row("fatal: privsep_preauth: preauth child terminated by signal {n}", "sshd.c; 6.6–9.7") { _, _ in unstarted(true) },
        row("fatal: privsep_preauth: preauth child exited with status {n}", "sshd.c; 6.6–9.7") { _, _ in unstarted(true) },
        row("fatal: chroot path {x}", "session.c: safely_chroot") { _, _ in
            reading(.authAccountDenied, rank: .telling, "could not confine the account to its directory")
        },
        row("fatal: Unable to chdir to chroot path {x}", "session.c: safely_chroot") { _, _ in
            reading(.authAccountDenied, rank: .telling, "could not confine the account to its directory")
        },
        row("error: channel_setup_fwd_listener_tcpip: cannot listen to port: {port}", "channels.c; 7–10") { _, facts in
            facts.port = nil
            return reading(.channelProhibited, confidence: .guess, "could not listen on the port of a forwarding")
        },
        row("fatal: Cannot bind any address.", "sshd.c") { _, _ in
            reading(.connectLocalResources, confidence: .guess, "could not listen on its port")
        },
        row("Cannot bind any address.", "sshd.c") { _, _ in
            reading(.connectLocalResources, confidence: .guess, "could not listen on its port")
        },
        unstartable("Privilege separation user {user} does not exist"),
        unstartable("{path} must be owned by root and not group or world-writable."),
        unstartable("AuthenticationMethods cannot be satisfied by enabled authentication methods"),
        row("ssh_dispatch_run_fatal: Connection from {x}: message authentication code incorrect", "dispatch.c") { _, _ in
            reading(.sessionProtocolError, rank: .telling, confidence: .guess, "got a damaged packet")
        },
        row("ssh_dispatch_run_fatal: Connection from {peer}: {reason}", "dispatch.c; 7.4–10") { found, facts in
            let reason = (found["reason"] ?? "").lowercased()
            if reason.hasPrefix("no matching ") { return noCommon(reason) }
            if reason.mentions("broken pipe") || reason.mentions("reset") || reason.mentions("timed out") { return dropped() }
            // The client has gone.
            if reason.mentions("connection closed") { return facts.decline() }
            return reading(.kexProtocolError, rank: .telling, confidence: .guess, "got a packet that it could not read")
        },
        row("fatal: sshd_hostkey_sign: {reason}", "sshd.c: an agent holds the host keys") { _, _ in unsigned() },
        row("fatal: mm_answer_sign: {reason}", "monitor.c") { _, _ in unsigned() },
        row("fatal: no hostkeys available -- exiting", "sshd.c; 9.8–10") { _, _ in
            reading(.localConfigInvalid, rank: .telling, "has no host key and did not start")
        },
        row("sshd: no hostkeys available -- exiting", "sshd.c") { _, _ in
            reading(.localConfigInvalid, rank: .telling, "has no host key and did not start")
        },
        row("Missing privilege separation directory: {path}", "sshd.c") { _, _ in
            reading(.localConfigInvalid, rank: .telling, "lacks its directory and did not start")
        },
        row("error: Bind to port {port} on {address} failed: {reason}", "sshd.c") { _, _ in
            reading(.connectLocalResources, rank: .telling, confidence: .guess, "could not listen on its port")
        },
    ]

    private static let endings: [TranscriptRow] = [
        row(
            "Received disconnect from {host} port {port}:14: No supported authentication methods available [preauth]",
            "the client's own message"
        ) { _, _ in
            reading(
                .authMethodNotOffered, rank: .ending, confidence: .guess, "accepted none of the client's credentials",
                or: ["a key was refused"])
        },
        row(
            "Received disconnect from {host}: 14: No supported authentication methods available [preauth]",
            "the client's own message; 6.6–7.3"
        ) { _, _ in
            reading(
                .authMethodNotOffered, rank: .ending, confidence: .guess, "accepted none of the client's credentials",
                or: ["a key was refused"])
        },
        row("error: Received disconnect from {host} port {port}:3: com.jcraft.jsch.JSchException: Auth {x}", "JSch's own message")
        { _, _ in
            reading(
                .authKeyRejected, confidence: .guess, "accepted none of the client's credentials",
                or: ["the password was refused"])
        },
        row("Received disconnect from {peer}: com.jcraft.jsch.JSchException: Auth {x}", "JSch's own message; 6.6–7.3") { _, _ in
            reading(
                .authKeyRejected, confidence: .guess, "accepted none of the client's credentials",
                or: ["the password was refused"])
        },
        row(
            "error: Received disconnect from {host} port {port}:14: No supported authentication methods available",
            "the client's own message"
        ) { _, _ in
            reading(
                .authMethodNotOffered, rank: .ending, confidence: .guess, "accepted none of the client's credentials",
                or: ["a key was refused"])
        },
        row("error: Received disconnect from {host} port {port}:{reason}: {text}", "packet.c: the client's own message") {
            found, _ in
            // RFC 4253 section 11.1: 9 is SSH_DISCONNECT_HOST_KEY_NOT_VERIFIABLE.
            found["reason"] == "9" ? .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]) : nil
        },
        // RFC 4253 section 11.1: 11 is SSH_DISCONNECT_BY_APPLICATION, which clients send when they are done.
        row("Received disconnect from {peer}11: {text} [preauth]", "packet.c; 6.6–10") { _, _ in nil },
        row("Received disconnect from {peer}11: disconnected by user", "packet.c; 6.6–10") { _, _ in nil },
        row("fatal: Unable to negotiate with {host} port {port}: {x}", "kex.c; 7.4–10") { _, facts in facts.decline() },
    ]
}
