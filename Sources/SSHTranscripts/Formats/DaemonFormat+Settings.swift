extension DaemonFormat {
    /// Messages about the server's settings and PAM.
    static let settings: [TranscriptRow] = [
        row("pam_unix(sshd:auth): authentication failure;{x}", "Linux-PAM pam_unix", passwordRefused),
        row("…sshd(pam_unix)[{id}]: authentication failure;{x}", "Linux-PAM pam_unix before 0.99", passwordRefused),
        row("pam_sss(sshd:auth): received for user {user}: {n} ({reason})", "sssd") { found, _ in
            let reason = (found["reason"] ?? "").lowercased()
            if reason.mentions("expired") {
                return reading(.authPasswordExpired, rank: .telling, "found the password expired")
            }
            return reading(.authPasswordRejected, rank: .ending, confidence: .guess, "refused the password")
        },
        row("pam_unix(sshd:account): account {user} has expired", "Linux-PAM pam_unix", denied),
        row("pam_unix(sshd:account): expired password for user {user} (", "Linux-PAM pam_unix", expired),
        row("pam_access(sshd:account): access denied for user `{user}' from `{host}'", "Linux-PAM pam_access", denied),
        row("User {user} password has expired", "auth-shadow.c, session.c", expired),
        row("Account {user} has expired", "auth-shadow.c", denied),
        row("error: Certificate invalid: {reason}", "auth2-pubkey.c, sshkey.c", certificateRefused),
        row("error: key {key} Certificate invalid: {reason}", "auth2-pubkeyfile.c; 9–10", certificateRefused),
        row("Could not open user '{user}' authorized keys '{path}': {reason}", "auth2-pubkey.c; 9–10", keysUnreadable),
        row("Could not open authorized keys '{path}': {reason}", "auth.c; 6.6–8", keysUnreadable),
        withoutKeys("error: AuthorizedKeysCommand {x} failed, status {n}"),
        withoutKeys("error: AuthorizedKeysCommandUser \"{name}\" not found"),
        withoutKeys("error: Unsafe AuthorizedKeysCommand \"{command}\": "),
        withoutKeys("error: AuthorizedKeysCommand {command} exited on signal {n}"),
        row("error: Refusing certificate ID {id} signed by {authority}: {reason}", "auth2-pubkey.c; 8.2–10", certificateRefused),
        row("error: WARNING: revoked key for {user} attempted authentication", "auth.c; 6.6–10") { _, _ in
            reading(.authKeyRejected, rank: .telling, "refused the key, which is revoked,")
        },
        row("Authentication refused for {user}: bad owner or modes for {path}", "auth.c: auth_rhosts, secure_filename") { _, _ in
            reading(.authKeyRejected, rank: .telling, "did not use the keys", hint: "Let only the account write there.")
        },
        row("pam_sss(sshd:account): Access denied for user {user}: ", "sssd", denied),
        row("Timeout, client not responding from user {user} {host} port {port}", "serverloop.c; 7.9–10") { _, _ in
            reading(.sessionKeepaliveTimedOut, rank: .telling, "got no answer to its keepalives")
        },
        row(
            "Disconnecting {who} user {user} {host} port {port}: Too many authentication failures", "packet.c; 7.5–10",
            tooManyAttempts
        ),
        row("Disconnecting: Too many authentication failures{x}[preauth]", "packet.c; 6.6–7.4", tooManyAttempts),
        row("Disconnecting {who} user {user} {host} port {port}: Change of username or service not allowed", "auth2.c; 7.5–10") {
            _, _ in nameChanged()
        },
        row("Disconnecting: Change of username or service not allowed{x}[preauth]", "auth2.c; 6.6–7.4") { _, _ in nameChanged() },
        row("Connection {ended} by authenticating user {account}", "packet.c; 7.5–10") { found, facts in
            let words = (found["account"] ?? "").split(separator: " ").map(String.init)
            // A list of messages has an ellipsis in the name's place.
            if words.first == "..." { return facts.decline() }
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
        row("subsystem request for {name} by user {user} failed, subsystem not found", "session.c", subsystemMissing),
        row("subsystem request for {name} failed, subsystem not found", "session.c; 6.6–7", subsystemMissing),
        row("error: subsystem: cannot stat {path}: ", "session.c: the subsystem's program", subsystemMissing),
        row("error: openpty: {reason}", "sshpty.c", withoutTerminal),
        row("error: session_pty_req: session {n} alloc failed", "session.c", withoutTerminal),
        row("error: Read error from remote host {peer} port {port}: {reason}", "serverloop.c; 6.6–10", lost),
        row("Read error from remote host {peer} port {port}: {reason}", "serverloop.c; 6.6–10", lost),
        row("session process {n} for {peer} killed by signal", "sshd.c; 9.8–10") { _, _ in unstarted(false) },
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
        row("fatal: bad ownership or modes for chroot directory {x}", "session.c: safely_chroot", unconfined),
        // At a terminal sshd -e writes no level.
        row("bad ownership or modes for chroot directory {x}", "session.c: safely_chroot", unconfined),
        row("{before}fork of unprivileged child failed", "sshd.c of Win32-OpenSSH") { found, _ in
            unstarted(found["before"]?.mentions("preauth") == true)
        },
        row("fatal: privsep_preauth: preauth child terminated by signal {n}", "sshd.c; 6.6–9.7") { _, _ in unstarted(true) },
        row("fatal: privsep_preauth: preauth child exited with status {n}", "sshd.c; 6.6–9.7") { _, _ in unstarted(true) },
        row("fatal: chroot path {x}", "session.c: safely_chroot", unconfined),
        row("fatal: chroot(\"{path}\"): ", "session.c: safely_chroot", unconfined),
        row("fatal: Unable to chdir to chroot path {x}", "session.c: safely_chroot", unconfined),
        row("error: channel_setup_fwd_listener_tcpip: cannot listen to port: {port}", "channels.c; 7–10") { _, facts in
            facts.port = nil
            return reading(.channelProhibited, confidence: .guess, "could not listen on the port of a forwarding")
        },
        row("fatal: Cannot bind any address.", "sshd.c", notListening),
        row("Cannot bind any address.", "sshd.c", notListening),
        unstartable("Privilege separation user {user} does not exist"),
        unstartable("{path} must be owned by root and not group or world-writable."),
        unstartable("AuthorizedKeysCommand set without AuthorizedKeysCommandUser"),
        unstartable("AuthorizedPrincipalsCommand set without AuthorizedPrincipalsCommandUser"),
        unstartable("sshd requires execution with an absolute path"),
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
        row("error: kex protocol error: type {n} seq {n}", "dispatch.c; kex.c: kex_protocol_error") { _, _ in
            reading(.kexProtocolError, rank: .telling, confidence: .guess, "got a packet that has no place in key exchange")
        },
        row("fatal: sshd_hostkey_sign: {reason}", "sshd.c: an agent holds the host keys") { _, _ in unsigned() },
        row("fatal: mm_answer_sign: {reason}", "monitor.c") { _, _ in unsigned() },
        row("fatal: mm_answer_moduli: bad parameters: {n}", "monitor.c") { _, _ in
            reading(.kexProtocolError, rank: .telling, confidence: .guess, "was asked for a group of impossible sizes")
        },
        row(
            "debug3: Bad permissions. Try removing permissions for user: {user} on file {path}authorized_keys",
            "Win32-OpenSSH: w32-sshfileperm.c"
        ) { _, _ in
            reading(.authKeyRejected, rank: .telling, "did not read the file of accepted keys, which others may change")
        },
        row("…SSH-LSA authorization failed. (err = ", "auth2-pubkey.c of Win32-OpenSSH before 7") { _, _ in
            reading(
                .authAccountDenied, rank: .telling, confidence: .guess, "could not log the account on to Windows",
                or: ["the key is not an authorized one"])
        },
        row("fatal: no hostkeys available -- exiting", "sshd.c; 9.8–10", withoutHostKey),
        row("sshd: no hostkeys available -- exiting", "sshd.c", withoutHostKey),
        row("Missing privilege separation directory: {path}", "sshd.c") { _, _ in
            reading(.localConfigInvalid, rank: .telling, "lacks its directory and did not start")
        },
        row("error: Bind to port {port} on {address} failed: {reason}", "sshd.c") { _, _ in
            reading(.connectLocalResources, rank: .telling, confidence: .guess, "could not listen on its port")
        },
    ]

    /// Readings of several messages.
    private typealias Reader = @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading?

    private static let passwordRefused: Reader = { found, facts in
        let words = (found["x"] ?? "").split(separator: " ")
        for word in words where word.hasPrefix("rhost=") { facts.host = String(word.dropFirst(6)) }
        for word in words where word.hasPrefix("user=") { facts.user = String(word.dropFirst(5)) }
        return reading(.authPasswordRejected, rank: .ending, "refused the password", hint: advice)
    }
    private static let expired: Reader = { _, _ in
        reading(.authPasswordExpired, rank: .telling, "found the password expired")
    }
    private static let certificateRefused: Reader = { found, _ in
        reading(.authKeyRejected, rank: .telling, "refused the certificate (\((found["reason"] ?? "").oneLine()))")
    }
    private static let keysUnreadable: Reader = { _, _ in
        reading(.authKeyRejected, rank: .telling, confidence: .guess, "could not read the authorized keys")
    }
    private static let withoutTerminal: Reader = { _, _ in
        reading(.channelPTYDenied, rank: .telling, "could not make a terminal")
    }
    private static let lost: Reader = { _, _ in reading(.sessionConnectionLost, rank: .telling, "lost the connection") }
    private static let tooManyAttempts: Reader = { _, _ in
        reading(.authTooManyAttempts, rank: .telling, "ended the login after MaxAuthTries attempts")
    }
    private static let subsystemMissing: Reader = { _, _ in
        reading(.channelSubsystemMissing, rank: .telling, "does not have the subsystem")
    }
    private static let unconfined: Reader = { _, _ in
        reading(.authAccountDenied, rank: .telling, "could not confine the account to its directory")
    }
    private static let notListening: Reader = { _, _ in
        reading(.connectLocalResources, confidence: .guess, "could not listen on its port")
    }
    private static let withoutHostKey: Reader = { _, _ in
        reading(.localConfigInvalid, rank: .plain, "has no host key and did not start")
    }

    private static func unsigned() -> TranscriptReading {
        reading(.localConfigInvalid, rank: .telling, confidence: .guess, "could not sign with its host key")
    }

    private static func withoutKeys(_ text: String) -> TranscriptRow {
        row(text, "auth2-pubkey.c, misc.c; 6.6–10") { _, _ in
            reading(.authKeyRejected, rank: .telling, confidence: .guess, "got no keys from AuthorizedKeysCommand")
        }
    }

    /// A setting or a directory with which sshd does not start.
    private static func unstartable(_ text: String) -> TranscriptRow {
        row(text, "sshd.c: main") { found, facts in
            // Another program may say the same of any other directory.
            if let path = found["path"], !path.hasSuffix("sshd"), !path.hasSuffix("empty") { return facts.decline() }
            return reading(.localConfigInvalid, rank: .telling, "did not start: its own settings are not valid")
        }
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

    private static func nameChanged() -> TranscriptReading {
        reading(
            .authConnectionDropped, rank: .telling, "ended the login, which asked for two accounts,",
            hint: DaemonFormat.advice)
    }

    private static func noCommon(_ reason: String) -> TranscriptReading {
        reading(
            TranscriptReading.algorithmCode(String(reason.dropFirst(12))), rank: .telling,
            "shares no algorithm of a kind with the client (\(reason.oneLine(60)))")
    }
}
