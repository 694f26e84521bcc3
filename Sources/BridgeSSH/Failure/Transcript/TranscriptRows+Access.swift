/// OpenSSH's messages on logging in, and on the session after that.
enum TranscriptAccess {
    static let rows: [TranscriptRow] = progress + login + disconnects + sessions + endings

    /// What `ssh -v` tells on the way.
    private static let progress: [TranscriptRow] = [
        TranscriptRow("debug1: Connecting to {host} [{address}] port {port}.", "sshconnect.c; 6.6–10") { _, facts in
            facts.stage = .connect
            return nil
        },
        TranscriptRow("debug1: Authenticating to {host}:{port} as '{user}'", "sshconnect.c; 7.2–10"),
        TranscriptRow("debug1: SSH2_MSG_KEXINIT sent", "kex.c; 6.6–10") { _, facts in
            facts.stage = .keyExchange
            return nil
        },
        TranscriptRow("debug1: SSH2_MSG_SERVICE_ACCEPT received", "sshconnect2.c; 6.6–10") { _, facts in
            facts.stage = .authentication
            return nil
        },
        TranscriptRow("debug1: Offering public key: {key}", "sshconnect2.c; 7.9–10") { _, facts in
            facts.keysOffered = true
            return nil
        },
        TranscriptRow("Authenticated to {host} ", "sshconnect2.c; 8.4–10, -v") { _, facts in
            facts.stage = .session
            return nil
        },
        TranscriptRow("Warning: Permanently added {name} to the list of known hosts.", "sshconnect.c; 6.6–10") { _, facts in
            facts.stage = .authentication
            return nil
        },
    ]

    private static let login: [TranscriptRow] = [
        TranscriptRow("Permission denied, please try again.", "sshconnect2.c; 6.6–10") { _, facts in
            facts.passwordRefused = true
            facts.stage = .authentication
            return nil
        },
        TranscriptRow("…Permission denied ({methods}).", "sshconnect2.c; 6.6–10", ends: true) { found, facts in
            denied((found["methods"] ?? "").split(separator: ",").map(String.init), facts)
        },
        TranscriptRow("Too many authentication failures", "sshconnect2.c, packet.c; 6.6–10", ends: true) { _, _ in tooMany() },
        TranscriptRow("…Too many authentication failures", "auth.c: the server's words; 6.6–10", ends: true) { _, _ in tooMany()
        },
        TranscriptRow("Your account has expired; please contact your system administrator{x}", "Linux-PAM pam_unix") { _, _ in
            .direct(.telling, .authAccountDenied, .likely) {
                Words("The account at \($0.endpoint) has expired.", hint: "Ask the server's administrator.")
            }
        },
        TranscriptRow("…Your password has expired", "session.c, Linux-PAM; 6.6–10") { _, _ in expired() },
        TranscriptRow("Password change required but no TTY available.", "session.c; 6.6–10", ends: true) { _, _ in expired() },
    ]

    private static func tooMany() -> TranscriptReading {
        TranscriptReading(.telling, .streamEnded, at: .authentication) {
            $0.stream = .closed
            $0.disconnect = DisconnectMessage(reason: 2, description: "Too many authentication failures")
        }
    }

    private static func expired() -> TranscriptReading {
        TranscriptReading(.telling, .credentialsExhausted, at: .authentication, .likely) {
            var login = AuthenticationEvidence()
            login.passwordChangeRequested = true
            $0.authentication = login
        }
    }

    /// The list holds what the server would still take; what was offered, ssh does not say without -v.
    private static func denied(_ methods: [String], _ facts: TranscriptFacts) -> TranscriptReading {
        let refused: String? =
            if facts.passwordRefused {
                methods.contains("password") || !methods.contains("keyboard-interactive") ? "password" : "keyboard-interactive"
            } else if methods.contains("publickey") { "publickey" } else { nil }
        guard let refused else {
            return TranscriptReading(
                .plain, .credentialsExhausted, at: .authentication, .guess,
                alternatives: ["a key was accepted and another factor is missing", "nobody was there to type a password"]
            ) {
                var login = AuthenticationEvidence()
                login.methodsOffered = methods
                login.methodsHeld = ["publickey"]
                $0.authentication = login
            }
        }
        let sure = refused != "publickey" || facts.keysOffered || methods == ["publickey"]
        return TranscriptReading(
            .plain, .credentialsExhausted, at: .authentication, sure ? .likely : .guess,
            alternatives: refused == "publickey" && !facts.keysOffered ? ["there was no key to offer (ssh -v shows it)"] : []
        ) {
            var login = AuthenticationEvidence()
            login.methodsOffered = methods
            login.methodsRemaining = methods
            login.methodsHeld = [refused]
            login.attempts = [AuthenticationAttempt(method: refused, credential: "that was offered", outcome: .refused)]
            $0.authentication = login
        }
    }

    private static let disconnects: [TranscriptRow] = [
        TranscriptRow("Received disconnect from {host} port {port}:{reason}: {text}", "packet.c; 7.4–10") {
            disconnected($0, $1)
        },
        TranscriptRow("Received disconnect from {host}: {reason}: {text}", "packet.c; 6.6–7.3", ends: true) {
            disconnected($0, $1)
        },
        TranscriptRow("Disconnected from {host} port {port}", "packet.c; 7.4–10", ends: true),
    ]

    private static func disconnected(_ found: [String: String], _ facts: TranscriptFacts) -> TranscriptReading {
        let message = DisconnectMessage(reason: found["reason"].flatMap { UInt32($0) } ?? 2, description: found["text"] ?? "")
        if DisconnectTexts.countsAttempts(message) { return tooMany() }
        // Without -v no line tells how far it had come; most servers disconnect before the login, or long after it.
        return TranscriptReading(
            .telling, .streamEnded, at: facts.stage ?? .keyExchange, facts.stage == nil ? .guess : .likely,
            alternatives: facts.stage == nil ? ["it came after the login"] : []
        ) {
            $0.stream = .closed
            $0.disconnect = message
        }
    }

    private static func refused(_ request: Evidence.ChannelRequest) -> TranscriptReading {
        TranscriptReading(.telling, .requestRefused(request), at: .channel)
    }

    private static let sessions: [TranscriptRow] = [
        TranscriptRow("exec request failed on channel {n}", "clientloop.c; 6.6–10", ends: true) { _, _ in refused(.exec) },
        TranscriptRow("shell request failed on channel {n}", "clientloop.c; 6.6–10", ends: true) { _, _ in refused(.shell) },
        TranscriptRow("subsystem request failed on channel {n}", "clientloop.c; 6.6–10", ends: true) { _, _ in refused(.subsystem)
        },
        TranscriptRow("PTY allocation request failed on channel {n}", "clientloop.c; 6.6–10") { _, _ in
            TranscriptReading(.plain, .requestRefused(.pty), at: .channel, .likely)
        },
        TranscriptRow("Timeout, server {host} not responding.", "clientloop.c; 6.6–10", ends: true) { _, _ in
            TranscriptReading(.telling, .keepaliveUnanswered(count: 3), at: .session)
        },
        TranscriptRow("mux_client_request_session: session request failed: {text}", "mux.c; 6.6–10") { _, _ in limit() },
        TranscriptRow("mux_client_request_session: Session open refused by peer", "mux.c; 6.6–10") { _, _ in limit() },
    ]

    private static func limit() -> TranscriptReading {
        TranscriptReading(.telling, .channelRefused(reason: 2, description: "open failed"), at: .channel, .likely)
    }

    private static func lost(_ end: StreamEnd) -> TranscriptReading {
        TranscriptReading(.telling, .streamEnded, at: .session, .likely) {
            $0.stream = end
            var command = CommandEvidence(command: "")
            command.progress = .sent
            $0.command = command
        }
    }

    private static let endings: [TranscriptRow] = [
        TranscriptRow("client_loop: send disconnect: {reason}", "clientloop.c; 8.0–10", ends: true) { _, _ in lost(.reset) },
        TranscriptRow("packet_write_wait: Connection to {host} port {port}: {reason}", "packet.c; 7.4–7.9", ends: true) { _, _ in
            lost(.reset)
        },
        TranscriptRow("Write failed: {reason}", "packet.c; 6.6–7.3", ends: true) { _, _ in lost(.reset) },
        TranscriptRow("Connection to {host} closed by remote host.", "clientloop.c; 6.6–10", ends: true) { _, _ in lost(.closed)
        },
        TranscriptRow("Read from remote host {host}: {reason}", "clientloop.c; 6.6–10", ends: true) { _, _ in lost(.reset) },
        TranscriptRow("ssh_dispatch_run_fatal: Connection to {host} port {port}: {reason}", "dispatch.c; 7.4–10", ends: true) {
            fatal($0, $1)
        },
        TranscriptRow("Corrupted MAC on input.", "packet.c; 6.6–10") { _, facts in
            .call(.telling, "INVALID_MAC", at: facts.stage ?? .session, .likely, "Corrupted MAC on input")
        },
        TranscriptRow("Bad packet length {n}", "packet.c; 6.6–10") { _, facts in
            .call(.telling, "PROTO", at: facts.stage ?? .keyExchange, .likely, "Bad packet length")
        },
        TranscriptRow("Connection closed by {host} port {port}", "packet.c; 7.4–10", ends: true) { _, facts in
            dropped(.closed, facts)
        },
        TranscriptRow("Connection reset by {host} port {port}", "packet.c; 7.4–10", ends: true) { _, facts in
            dropped(.reset, facts)
        },
        TranscriptRow("Connection closed by {host}", "packet.c; 6.6–7.3", ends: true) { _, facts in dropped(.closed, facts) },
    ]

    private static func fatal(_ found: [String: String], _ facts: TranscriptFacts) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        let stage = facts.stage ?? .keyExchange
        if reason.contains("signature") { return .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, reason) }
        if reason.contains("timed out") {
            return TranscriptReading(.telling, .deadlinePassed(Deadline(kind: .connect, seconds: 0)), at: stage, .likely)
        }
        if reason.contains("Broken pipe") || reason.contains("reset") { return .ended(.telling, .reset, at: stage, .guess) }
        return .call(.telling, "PROTO", at: stage, facts.stage == nil ? .guess : .likely, reason)
    }

    /// The same words for a close in key exchange and in the login.
    private static func dropped(_ end: StreamEnd, _ facts: TranscriptFacts) -> TranscriptReading {
        guard let stage = facts.stage else {
            return .ended(
                .consequence, end, at: .authentication, .guess,
                alternatives: [
                    "it was closed during key exchange", "the account is refused without a word (expired, an access rule)",
                ])
        }
        return .ended(.consequence, end, at: stage, .likely)
    }
}
