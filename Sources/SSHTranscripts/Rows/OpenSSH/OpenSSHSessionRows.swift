/// OpenSSH's messages about the end of a connection, and about sessions.
enum OpenSSHSessionRows {
    static let rows: [TranscriptRow] = disconnects + sessions + endings

    private static let disconnects: [TranscriptRow] = [
        TranscriptRow("Received disconnect from {host} port {port}:{reason}: {text}", "packet.c; 7.4–10") {
            disconnected($0, $1)
        },
        TranscriptRow("Received disconnect from {host} port {port}:{reason}:", "packet.c, without the server's words; 7.4–10") {
            disconnected($0, $1)
        },
        TranscriptRow("…lease login as the user \"{name}\" rather than the user", "cloud-init: the command of root's key") {
            _, _ in
            .known(.authAccountDenied)
        },
        TranscriptRow("…Is borg working on the server?", "borg: remote.py, where ssh has ended", ends: true) { _, facts in
            facts.passwordRefused ? .refused("password", .guess) : .lostByWrapper()
        },
        TranscriptRow("Received disconnect from {host}: {reason}: {text}", "packet.c; 6.6–7.3", ends: true) {
            disconnected($0, $1)
        },
        TranscriptRow("Disconnected from {host} port {port}", "packet.c; 7.4–10", ends: true),
    ]

    /// The server's SSH_MSG_DISCONNECT, as ssh and the libraries print it.
    static func disconnected(_ found: [String: String], _ facts: TranscriptFacts) -> TranscriptReading {
        let message = SSHDisconnectMessage(reason: found["reason"].flatMap { UInt32($0) } ?? 2, description: found["text"] ?? "")
        // Several servers give reason 14 for a method that they do not accept (RFC 4253 section 11.1). The text decides.
        if message.reason == 14, !message.description.lowercased().contains("too many") {
            return facts.passwordRefused
                ? .refused("password", .likely) : .methodNotOffered([], .guess)
        }
        if DisconnectTexts.countsAttempts(message) { return .tooManyAttempts() }
        if message.description.hasPrefix("Permission denied (") {
            return .refused(
                facts.passwordRefused ? "password" : "publickey", .guess, alternatives: SharedAlternatives.login)
        }
        // A protocol message comes after the identification.
        let early: [SSHStage] = [.resolve, .connect, .banner]
        // Reason 11 is that of a server which ends by itself (RFC 4253 section 11.1), most often with a session.
        let ofSession = ["erminated", "idle", "idling", "stalled"].contains { message.description.mentions($0) }
        let usual: SSHStage = ofSession ? .session : .keyExchange
        let stage = facts.stage.map { early.contains($0) ? .keyExchange : $0 } ?? usual
        // Without -v no line shows the stage. Most servers disconnect before the login, or long after it.
        return TranscriptReading(
            .telling, .streamEnded, at: stage, facts.stage == nil ? .guess : .likely,
            alternatives: facts.stage == nil ? ["it came after the login"] : []
        ) {
            $0.stream = .closed
            $0.disconnect = message
        }
    }

    /// RFC 4253 section 11.1, as libraries spell it: `HOST_NOT_ALLOWED_TO_CONNECT`, `HostNotAllowedToConnect`.
    private static let reasonNames = [
        "hostnotallowedtoconnect", "protocolerror", "keyexchangefailed", "reserved", "macerror", "compressionerror",
        "servicenotavailable", "protocolversionnotsupported", "hostkeynotverifiable", "connectionlost", "byapplication",
        "toomanyconnections", "authcancelledbyuser", "nomoreauthmethodsavailable", "illegalusername",
    ]

    /// The server's SSH_MSG_DISCONNECT with the name of its reason.
    static func disconnected(named name: String, _ text: String, _ facts: TranscriptFacts) -> TranscriptReading {
        let plain = name.lowercased().filter(\.isLetter).replacing("authentication", with: "auth")
        let number = (reasonNames.firstIndex(of: plain) ?? 1) + 1
        return disconnected(["reason": String(number), "text": text], facts)
    }

    private static func refused(_ request: SSHEvidence.ChannelRequest) -> TranscriptReading {
        TranscriptReading(.telling, .requestRefused(request), at: .channel)
    }

    private static let sessions: [TranscriptRow] = [
        TranscriptRow("exec request failed on channel {n}", "clientloop.c; 6.6–10", ends: true) { _, _ in refused(.exec) },
        TranscriptRow("exec request failed, {text}", "a bastion, in the same words") { _, _ in refused(.exec) },
        // A command may write that too.
        TranscriptRow("SSH command execution is not supported.", "HPE ProCurve, in place of the output") { _, _ in
            .commandEnded(saying: "SSH command execution is not supported.")
        },
        TranscriptRow("shell request failed on channel {n}", "clientloop.c; 6.6–10", ends: true) { _, _ in refused(.shell) },
        TranscriptRow("Request for subsystem '{name}' failed on channel {n}", "clientloop.c; before 6.6", ends: true) { _, _ in
            refused(.subsystem)
        },
        TranscriptRow("subsystem request failed on channel {n}", "clientloop.c; 6.6–10", ends: true) { _, _ in refused(.subsystem)
        },
        TranscriptRow("PTY allocation request failed on channel {n}", "clientloop.c; 6.6–10") { _, facts in
            facts.isWithoutTerminal = true
            return TranscriptReading(.plain, .requestRefused(.pty), at: .channel, .likely)
        },
        // Alone it is the answer to `ssh -T`, which checks whether the key is known. That is not a failure.
        TranscriptRow("…does not provide shell access", "GitHub, Gitea") { _, facts in
            facts.isWithoutTerminal
                ? .known(.commandLoginShellDenied, .guess, or: ["only the login was to be tested"]) : facts.decline()
        },
        .recovers("Welcome to GitLab, @", "GitLab, which gives no shell either"),
        .recovers("hello {user}, the gitolite version here is", "gitolite 1 and 2, likewise"),
        .recovers("hello {user}, this is {host} running gitolite", "gitolite 3, likewise"),
        TranscriptRow("This account is currently not available.", "nologin(8) of shadow and util-linux", ends: true) { _, facts in
            facts.trace.isPresent ? nil : .known(.commandLoginShellDenied)
        },
        TranscriptRow("This account is restricted by rssh.", "rssh: util.c: fail", ends: true) { _, _ in
            .known(.commandLoginShellDenied)
        },
        TranscriptRow("lshell: forbidden {what}", "lshell: lshell/checkconfig.py", ends: true) { _, _ in
            .known(.commandRejected, .guess)
        },
        // The broken pipe after it is the end of the same silence.
        TranscriptRow("Timeout, server {host} not responding.", "clientloop.c; 6.6–10", ends: true) { _, _ in
            .silent()
        },
        TranscriptRow("Timeout, server not responding.", "clientloop.c; before 6.6", ends: true) { _, _ in .silent() },
        TranscriptRow("mux_client_request_session: session request failed: {text}", "mux.c; 6.6–10") { _, _ in limit() },
        TranscriptRow("mux_client_request_session: read from master failed: {reason}", "mux.c; 6.6–10") { _, _ in
            .lost(.reset)
        },
        TranscriptRow("mux_client_request_session: send fds failed", "mux.c: the master is gone; 5.4–10") { _, _ in .lost(.reset)
        },
        TranscriptRow("…Failed to connect to new control master", "ssh.c: ControlPersist, after the login; 5.6–10", ends: true) {
            _, _ in .known(.connectFailed, .guess, .wrapper, or: ["its socket cannot be used here", "the connection was lost"])
        },
        TranscriptRow("mux_client_request_session: Session open refused by peer", "mux.c; 6.6–10") { _, _ in limit() },
        // ssh -O, and an ssh that may use no other connection. Any other ssh connects by itself.
        .says("Control socket connect({path}): ", "mux.c; 6.6–10", noMaster()),
        .says("muxclient: master hello exchange failed", "mux.c; 6.6–10", noMaster()),
        .says("mux_client_hello_exchange: ", "mux.c; 6.6–10", noMaster()),
        .says("Master refused session request: ", "mux.c; 6.6–10", limit()),
        .says("Master refused stdio forwarding request: ", "mux.c; 6.6–10", .known(.channelJumpTargetUnreachable, .guess)),
        .says("Stdio forwarding request failed: ", "mux.c; 6.6–10", .known(.channelJumpTargetUnreachable, .guess)),
        .says("Master refused forwarding request: ", "mux.c; 6.6–10", forwardingRefused()),
        .says("mux_client_forward: forwarding request failed: ", "mux.c; 6.6–10", forwardingRefused()),
        .says("Tunnel forwarding failed", "ssh.c: the server's answer; 6.6–10", .known(.channelProhibited)),
        .says(
            "Tunnel device open failed.", "clientloop.c; 6.6–10",
            .known(.connectLocalResources, .guess, or: ["this user may not make the device"])),
        // ssh may go on, and the port may be one of several. sshd writes `error: ` before it.
        TranscriptRow("{function}: cannot listen to port: {n}", "channels.c; 6.6–10") { found, facts in
            ["channel_setup_fwd_listener", "channel_setup_fwd_listener_tcpip"].contains(found["function"])
                ? notListening().ranked(.ending) : facts.decline()
        },
        TranscriptRow("Error: remote port forwarding failed for listen p{x}", "ssh.c: ExitOnForwardFailure; 6.6–10", ends: true) {
            _, _ in .channelRefused(1, "remote port forwarding failed", .likely)
        },
        // ssh goes on without it, and nothing else of the run need fail.
        TranscriptRow("Warning: remote port forwarding failed for listen port {number}", "ssh.c; 6.6–10") { found, facts in
            found["number"].flatMap { Int($0) } == nil
                ? facts.decline() : TranscriptReading.channelRefused(1, "remote port forwarding failed", .guess).ranked(.plain)
        },
        TranscriptRow("Could not request remote forwarding.", "ssh.c: ExitOnForwardFailure; 6.6–10", ends: true) { _, _ in
            TranscriptReading.channelRefused(1, "remote forwarding", .likely).ranked(.plain)
        },
        TranscriptRow("Could not request tunnel forwarding.", "ssh.c: ExitOnForwardFailure; 6.6–10", ends: true) { _, _ in
            .known(.connectLocalResources, .guess, .plain, or: ["the server allows no tunnel"])
        },
        TranscriptRow("Could not request local forwarding.", "ssh.c: ExitOnForwardFailure; 6.6–10", ends: true) { _, _ in
            notListening()
        },
    ]

    private static func notListening() -> TranscriptReading {
        .direct(.telling, .connectLocalResources, .likely) { _ in
            VerdictText(
                "ssh could not listen on the port that it was to forward.",
                hint: "Another program, or an earlier ssh, listens on it: give -L another one, or end that program.")
        }
    }

    private static func noMaster() -> TranscriptReading {
        .known(.connectFailed, .guess, .wrapper, or: ["no ssh keeps a connection at the control socket"])
    }

    private static func forwardingRefused() -> TranscriptReading {
        .known(.channelProhibited, .guess, or: ["the port is in use"])
    }

    private static func limit() -> TranscriptReading {
        TranscriptReading(.telling, .channelRefused(reason: 2, description: "open failed"), at: .channel, .likely)
    }

    private static let endings: [TranscriptRow] = [
        TranscriptRow("client_loop: send disconnect: {reason}", "clientloop.c; 8.0–10", ends: true) { _, _ in .lost(.reset) },
        TranscriptRow(
            "client_loop: ssh_packet_write_poll: Connection to {host} port {port}: {reason}", "clientloop.c; 8.4–10", ends: true
        ) {
            _, _ in .lost(.reset)
        },
        TranscriptRow("ssh_packet_write_poll: Connection to {host} port {port}: {reason}", "packet.c; 8.0–10", ends: true) {
            _, _ in .lost(.reset)
        },
        TranscriptRow("server_alive_check: send packet: {reason}", "clientloop.c; 8.5–10", ends: true) { _, _ in .lost(.reset) },
        TranscriptRow("{before}Read from socket failed: {reason}", "packet.c; 6.6–7.3", ends: true) { found, facts in
            // sshd's own line names the child.
            guard found["before"]?.isEmpty == true, found["reason"]?.mentions("[preauth]") == false else {
                return facts.decline()
            }
            // Most often the answer to the client's algorithms does not come.
            if facts.stage == nil, !facts.passwordAsked, !facts.passwordRefused, !facts.trace.isPresent {
                return .cut(.reset, at: .keyExchange, .ending)
            }
            return dropped(.reset, facts).ranked(.ending)
        },
        TranscriptRow("packet_write_wait connection to ", "packet.c, without its marks and capitals", ends: true) { _, _ in
            .lost(.reset, .guess)
        },
        TranscriptRow("packet_write_poll: Connection to {host} port {port}: {reason}", "packet.c; 7.4–8.3", ends: true) {
            _, _ in .lost(.reset)
        },
        TranscriptRow("packet_write_wait: Connection to {host} port {port}: {reason}", "packet.c; 7.4–7.9", ends: true) { _, _ in
            .lost(.reset)
        },
        TranscriptRow("packet_write_wait: Connection to {host}: {reason}", "packet.c: sshpkt_fatal; 7.1–7.3", ends: true) {
            found, facts in (found["host"] ?? " ").contains(" ") ? facts.decline() : .lost(.reset)
        },
        TranscriptRow("Write failed: {reason}", "packet.c; 6.6–7.3", ends: true) { _, _ in .lost(.reset) },
        TranscriptRow("…Connection to {host} closed by remote host.", "clientloop.c; 6.6–10", ends: true) { found, facts in
            (found["host"] ?? " ").contains(" ") ? facts.decline() : .lost(.closed)
        },
        // The broken pipe after it is the end of the same connection.
        TranscriptRow("Read from remote host {host}: {reason}", "clientloop.c; 6.6–10") { _, _ in .lost(.reset) },
        TranscriptRow("ssh_dispatch_run_fatal: Connection to {host} port {port}: {reason}", "dispatch.c; 7.4–10", ends: true) {
            fatal($0, $1)
        },
        TranscriptRow("ssh_dispatch_run_fatal: Connection to {host}: {reason}", "dispatch.c; 7.1–7.3", ends: true) {
            found, facts in (found["host"] ?? " ").contains(" ") ? facts.decline() : fatal(found, facts)
        },
        TranscriptRow("Corrupted MAC on input.", "packet.c; 6.6–10") { _, facts in
            wrongCode("Corrupted MAC on input", facts)
        },
        TranscriptRow("Bad packet length {n}", "packet.c; 6.6–10") { _, facts in
            .call(.telling, "PROTO", at: facts.stage ?? .keyExchange, .likely, "Bad packet length")
        },
        TranscriptRow("Disconnecting: {reason}", "packet.c: packet_disconnect; 6.6–7.4") { disconnecting($0, &$1) },
        TranscriptRow("Disconnecting {host} port {port}: {reason}", "packet.c: packet_disconnect; 7.5–10") { found, facts in
            // sshd's own line has the user before the host.
            (found["host"] ?? " ").contains(" ") ? facts.decline() : disconnecting(found, &facts)
        },
        TranscriptRow("…input_userauth_error: bad message during authentication", "sshconnect2.c; 6.6–10", ends: true) {
            _, _ in .protocolBroken(at: .keyExchange)
        },
        TranscriptRow("padding error: need {n} block {n} mod {n}", "packet.c; 6.6–10") { _, facts in
            .protocolBroken(at: facts.stage ?? .keyExchange)
        },
        TranscriptRow("Connection closed by {host} port {port}", "packet.c; 7.4–10", ends: true) { _, facts in
            dropped(.closed, facts)
        },
        TranscriptRow("Connection reset by {host} port {port}", "packet.c; 7.4–10", ends: true) { _, facts in
            dropped(.reset, facts)
        },
        glued("Connection reset by {host} port {port}", .reset), glued("Connection closed by {host} port {port}", .closed),
        TranscriptRow("Connection closed by {host}", "packet.c; 6.6–7.3", ends: true) { found, facts in
            isPeer(found["host"], facts) ? dropped(.closed, facts) : facts.decline()
        },
        TranscriptRow("Connection reset by {host}", "packet.c; 6.6–7.3", ends: true) { found, facts in
            isPeer(found["host"], facts) ? dropped(.reset, facts) : facts.decline()
        },
    ]

    /// ssh ends the connection, and says why.
    private static func disconnecting(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        let reason = found["reason"] ?? ""
        if reason.hasPrefix("Too many authentication failures") { return .tooManyAttempts(.likely) }
        // The server speaks of a channel that was closed, or never opened.
        if reason.mentions("nonexistent channel") { return .call(.telling, "PROTO", at: .session, .likely, reason) }
        let broken = ["Protocol error", "Packet corrupt", "Bad packet length", "protocol error", "RekeyLimit exceeded"]
        guard broken.contains(where: { reason.hasPrefix($0) }) else { return facts.decline() }
        return .call(.telling, "PROTO", at: facts.stage ?? .keyExchange, .guess, reason)
    }

    /// The message behind the words of a script, which wrote no line break: `Copying filesConnection reset by …`.
    private static func glued(_ message: String, _ end: SSHStreamEnd) -> TranscriptRow {
        TranscriptRow("{before}\(message)", "packet.c; 7.4–10, behind a script's words", ends: true) { found, facts in
            let isGlued = found["before"]?.last?.isLowercase == true && found["port"].flatMap { Int($0) } != nil
            return isGlued ? dropped(end, facts) : facts.decline()
        }
    }

    /// Whether this is the address that ssh prints, or a replacement by a person or a CI system: `192.0.2.x`, `***`, `<ip>`, a
    /// name. Others write `reset by peer` and `closed by server`, or their sentence continues.
    private static func isPeer(_ words: String?, _ facts: TranscriptFacts) -> Bool {
        let peer = (words ?? "").trimming(" ").prefix { $0 != "%" }
        guard let first = peer.first, let last = peer.last, !peer.contains(" ") else { return false }
        if first == "<" && last == ">" || peer.allSatisfy({ $0 == "*" }) { return true }
        if peer.contains(":") { return peer.allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" } }
        let isName = peer.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || ".-_*".contains($0) }
        // ssh has asked for a password there: `Connection reset by web1`.
        if isName, facts.passwordAsked, !["peer", "server", "remote", "host", "client"].contains(peer) { return true }
        return isName && peer.contains(".") && first != "." && last != "."
    }

    /// A message authentication code is checked only after keys are in use.
    private static func wrongCode(_ words: String, _ facts: TranscriptFacts) -> TranscriptReading {
        var reading = TranscriptReading.call(.telling, "INVALID_MAC", at: facts.stage ?? .session, .likely, words)
        // Debug messages show whether ssh had sent a command.
        if facts.trace.isPresent, facts.trace.command == nil { reading.evidence.command = nil }
        return reading
    }

    private static func fatal(_ found: [String: String], _ facts: TranscriptFacts) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        let stage = facts.stage ?? .keyExchange
        if reason.contains("authentication code") {
            return wrongCode(reason, facts)
        }
        if reason.contains("signature") { return .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, reason) }
        if reason.contains("timed out") {
            return TranscriptReading(.telling, .deadlinePassed(SSHDeadline(kind: .connect, seconds: 0)), at: stage, .likely)
        }
        if reason.contains("Broken pipe") || reason.contains("reset") { return .ended(.telling, .reset, at: stage, .guess) }
        return .call(.telling, "PROTO", at: stage, facts.stage == nil ? .guess : .likely, reason)
    }

    /// ssh has the same message for a close during key exchange and during the login.
    private static func dropped(_ end: SSHStreamEnd, _ facts: TranscriptFacts) -> TranscriptReading {
        // pam_nologin(8) and pam_unix(8) give the reason in a banner, and then the server closes the connection.
        if let words = facts.accountDenied, facts.stage != .keyExchange, facts.stage != .banner { return .accountDenied(words) }
        if facts.passwordRefused, !facts.trace.isPresent {
            // The server closes after some wrong passwords.
            return TranscriptReading.refused(
                "password", facts.passwordAsked ? .likely : .guess, alternatives: ["too many attempts"]
            ).ranked(.consequence)
        }
        guard let stage = facts.stage else {
            return .ended(
                .consequence, end, at: .authentication, .guess,
                alternatives: [
                    "it was closed during key exchange", "the account is refused without a message (expired, an access rule)",
                ])
        }
        if stage == .session { return .lost(end) }
        // A partial message of key exchange is not reported.
        let isEarly = stage == .keyExchange && !facts.keyExchangeBegun
        var reading = TranscriptReading.ended(
            .consequence, end, at: stage, facts.isProved ? .exact : .guess,
            alternatives: stage == .authentication
                ? ["the account is refused"] : isEarly ? ["it was closed before key exchange began"] : [])
        reading.isUnproved = isEarly
        guard facts.trace.isPresent else { return reading }
        let login = facts.trace.login
        reading.evidence.authentication = login.evidence(remaining: nil)
        if stage == .authentication, login.hasWords {
            reading.isUnproved = true
            reading.confidence = .likely
            reading.verdict = { (.authAccountDenied, deniedWithReason($0)) }
        }
        return reading
    }

    /// PAM's account modules give the reason in a banner. ssh shows it, and logs only that one came.
    private static func deniedWithReason(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "\(evidence.endpoint) answered the credentials\(evidence.user.isEmpty ? "" : " of \(evidence.user.oneLine(80))") with "
                + "a message, and closed the connection: it refuses the account.",
            hint: "Read the server's message: ssh has shown it. Ask the server's administrator.",
            alternatives: ["the account has expired", "logins are closed for maintenance", "an access rule forbids this user"])
    }
}
