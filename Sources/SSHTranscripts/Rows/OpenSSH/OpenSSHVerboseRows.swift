/// The debug messages of `ssh -v`. The numbers are OpenSSH's releases.
enum OpenSSHVerboseRows {
    static let rows: [TranscriptRow] = starting + connecting + exchanging + loggingIn + running

    private static func step(_ text: String, _ source: String, _ step: VerboseTrace.Step, at stage: SSHStage) -> TranscriptRow {
        TranscriptRow(text, source) { _, facts in
            facts.trace.reach(step)
            if !facts.trace.isNested { facts.stage = stage }
            return nil
        }
    }

    /// A row that notes what a message shows of the login.
    private static func login(
        _ text: String, _ source: String, _ note: @escaping @Sendable (inout LoginTrace, [String: String]) -> Void
    ) -> TranscriptRow {
        TranscriptRow(text, source) { found, facts in
            note(&facts.trace.login, found)
            return nil
        }
    }

    private static let starting: [TranscriptRow] = [
        TranscriptRow("OpenSSH_{version}, {library}", "ssh.c: -v and -V; 6.6–9") { found, facts in greeted(found, &facts) },
        TranscriptRow("debug1: OpenSSH_{version}, {library}", "ssh.c; 10") { found, facts in greeted(found, &facts) },
        TranscriptRow("debug1: Executing proxy command: {command}", "sshconnect.c; 6.6–10") { found, facts in
            facts.trace.carry()
            let command = found["command"] ?? ""
            facts.proxyCommand = command.hasPrefix("exec ") ? String(command.dropFirst(5)) : command
            return nil
        },
        TranscriptRow("debug1: mux_client_request_session: master session id: {id}", "mux.c; 6.6–10") { _, facts in
            facts.trace.useMaster()
            return nil
        },
        TranscriptRow("debug2: Received exit status from master {status}", "mux.c; 6.6–10") { found, facts in
            if let status = found["status"].flatMap({ Int($0) }) { facts.trace.ended(status) }
            return nil
        },
        TranscriptRow("debug2: Control master terminated unexpectedly", "mux.c; 6.6–10", ends: true) { _, _ in
            var reading = TranscriptReading.lost(.closed, .guess)
            reading.verdict = { _ in (.sessionConnectionLost, withoutStatus) }
            return reading
        },
    ]

    /// ssh logs the same whether the master has ended or the command has, if no status came.
    private static let withoutStatus = VerdictText(
        "ssh's master connection (ControlMaster) reported no exit status. The command may have run, and may still run.",
        hint: "Before running it again, check on the server whether it still runs or has already done its work.",
        alternatives: [
            "a signal ended the command", "the server or the network ended the connection",
            "the master was ended on this machine",
        ])

    /// `OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.19`, `OpenSSH_for_Windows_9.5p1, LibreSSL 3.8.2`, `…, without OpenSSL`.
    private static func greeted(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        guard ["SSL", "without"].contains(where: { found["library"]?.contains($0) == true }) else { return nil }
        facts.trace.greet()
        facts.noteVersion(found["version"] ?? "", of: "openssh")
        return nil
    }

    private static let connecting: [TranscriptRow] = [
        TranscriptRow("debug1: Connecting to {host} [{address}] port {port}.", "sshconnect.c; 6.6–10") { _, facts in
            facts.trace.reach(.started)
            if !facts.trace.isNested { facts.stage = .connect }
            return nil
        },
        TranscriptRow("debug1: connect to address {address} port {port}: {reason}", "sshconnect.c; 6.6–10") { found, facts in
            facts.trace.reach(.started)
            facts.noteAddress(found["address"] ?? "", SystemErrorTexts.systemError(found["reason"] ?? ""))
            return nil
        },
        step("debug1: Connection established.", "sshconnect.c; 6.6–10", .connected, at: .banner),
        TranscriptRow("debug1: identity file {path} type {type}", "ssh.c; 6.6–10") { found, facts in
            facts.trace.reach(.started)
            if found["type"] != "-1", found["path"]?.hasSuffix("-cert") == false { facts.trace.login.hold() }
            return nil
        },
        TranscriptRow("debug1: Will attempt key: {key}", "sshconnect2.c; 7.9–10") { found, facts in
            if found["key"]?.contains("SHA256:") == true { facts.trace.login.hold() }
            return nil
        },
        login("debug1: Skipping {type} key {path} - ", "sshconnect2.c: not among PubkeyAcceptedAlgorithms; 7.0–10") {
            $0.skip(type: $1["type"] ?? "", path: $1["path"] ?? "")
        },
        TranscriptRow("debug1: Authenticating to {host}:{port} as '{user}'", "sshconnect.c; 7.2–10"),
        TranscriptRow("debug1: Local version string SSH-2.0-OpenSSH_{version}", "kex.c; 6.6–10") { found, facts in
            facts.noteVersion(found["version"] ?? "", of: "openssh")
            return nil
        },
    ]

    private static let exchanging: [TranscriptRow] = [
        step("debug1: SSH2_MSG_KEXINIT sent", "kex.c; 6.6–10", .exchanging, at: .keyExchange),
        TranscriptRow("debug1: expecting SSH2_MSG_KEX", "kexgen.c; 6.6–10") { _, facts in
            facts.trace.reach(.exchanging)
            if !facts.trace.isNested { (facts.stage, facts.keyExchangeBegun) = (.keyExchange, true) }
            return nil
        },
        TranscriptRow("debug1: SSH2_MSG_KEXINIT received", "kex.c; 6.6–10") { _, facts in
            facts.keyExchangeBegun = true
            return nil
        },
        // The login begins when the server has accepted the request for the service.
        step("debug1: SSH2_MSG_NEWKEYS received", "kex.c; 6.6–10", .keyed, at: .keyExchange),
    ]

    private static let loggingIn: [TranscriptRow] = [
        step("debug1: SSH2_MSG_SERVICE_ACCEPT received", "sshconnect2.c; 6.6–10", .authenticating, at: .authentication),
        TranscriptRow("debug1: Authentications that can continue: {methods}", "sshconnect2.c; 6.6–10") { found, facts in
            facts.trace.reach(.authenticating)
            facts.trace.login.refuse((found["methods"] ?? "").split(separator: ",").map(String.init))
            return nil
        },
        login("debug1: Next authentication method: {method}", "sshconnect2.c; 6.6–10") { $0.begin($1["method"] ?? "") },
        login("debug1: Offering public key: {key}", "sshconnect2.c; 7.9–10") { $0.offer($1["key"] ?? "") },
        login("debug1: Offering {type} public key: {key}", "sshconnect2.c; 6.6–7.8") { $0.offer($1["key"] ?? "") },
        login("debug1: Trying private key: {path}", "sshconnect2.c; 6.6–10") { $0.search($1["path"] ?? "") },
        // Before 6.8 this line alone shows that there is such a key.
        login("debug1: read PEM private key done: ", "key.c; 4.0–6.7") { login, _ in login.findKey() },
        login("debug3: sign_and_send_pubkey", "sshconnect2.c; 4.0–10") { login, _ in login.findKey() },
        login("debug1: Server accepts key: {key}", "sshconnect2.c; 6.6–10") { login, _ in login.accept() },
        login("debug1: read_passphrase: requested to askpass", "readpass.c; 8.4–10") { login, _ in login.ask() },
        login("debug1: read_passphrase: can't open {tty}", "readpass.c; 6.6–10") { login, _ in login.askInVain() },
        login("debug2: bad passphrase given, try again...", "sshconnect2.c; 6.6–10") { login, _ in login.ask() },
        login(
            "debug1: get_agent_identities: ssh_get_authentication_socket: {reason}", "sshconnect2.c; 8.4–10: one that was named"
        ) { $0.missAgent(.unavailable, $1["reason"] ?? "") },
        login("debug1: get_agent_identities: ssh_fetch_identitylist: agent contains no identities", "sshconnect2.c; 8.4–10") {
            login, _ in
            login.missAgent(.empty, "The agent holds no keys, or it is locked.")
        },
        login("debug1: get_agent_identities: ssh_fetch_identitylist: {reason}", "sshconnect2.c; 8.4–10") {
            $0.missAgent(.unavailable, $1["reason"] ?? "")
        },
        login("debug1: pubkey_prepare: ssh_get_authentication_socket: {reason}", "sshconnect2.c; 7.4–8.3") {
            $0.missAgent(.unavailable, $1["reason"] ?? "")
        },
        login("debug3: input_userauth_banner", "sshconnect2.c; 6.6–10") { login, _ in login.hear() },
        TranscriptRow("debug1: No more authentication methods to try.", "sshconnect2.c; 6.6–10") { _, facts in
            facts.trace.login.end()
            let login = facts.trace.login
            // The next line is ssh's last. It may be missing.
            return login.attempts.isEmpty ? nil : .denied(login.methodsOffered ?? [], after: login)
        },
        step("Authenticated to {host} ", "sshconnect2.c; 8.4–10", .authenticated, at: .session),
        step("debug1: Authentication succeeded ({method}).", "sshconnect2.c; 6.6–8.3", .authenticated, at: .session),
    ]

    private static let running: [TranscriptRow] = [
        TranscriptRow("debug1: channel_connect_stdio_fwd: {target}", "channels.c: ssh -W; 6.6–10") { _, facts in
            facts.trace.forward()
            return nil
        },
        TranscriptRow("debug1: channel_connect_stdio_fwd {target}", "channels.c: ssh -W; 6.6–7.9") { _, facts in
            facts.trace.forward()
            return nil
        },
        TranscriptRow("debug1: Entering interactive session.", "clientloop.c; 6.6–10") { _, facts in
            facts.trace.reach(.session)
            return nil
        },
        TranscriptRow("debug1: Sending command: {command}", "clientloop.c; 6.6–10") { found, facts in
            facts.trace.send(found["command"] ?? "")
            return nil
        },
        TranscriptRow("debug1: Sending subsystem: {name}", "clientloop.c; 6.6–10") { found, facts in
            facts.trace.send(found["name"] ?? "", isSubsystem: true)
            return nil
        },
        TranscriptRow("debug1: client_input_channel_req: channel {n} rtype exit-signal {x}", "clientloop.c; 6.6–10") { _, facts in
            facts.trace.signalled()
            return nil
        },
        TranscriptRow("debug2: {request} request accepted on channel {n}", "clientloop.c: client_status_confirm; 6.6–10") {
            found, facts in
            if ["exec", "subsystem"].contains(found["request"]) { facts.trace.accept() }
            if found["request"] == "PTY allocation" { facts.trace.requestTerminal() }
            return nil
        },
        TranscriptRow("debug2: channel 0: read failed", "nchan.c: chan_read_failed; 6.6–10") { _, facts in
            facts.trace.endInput()
            return nil
        },
        TranscriptRow("debug2: channel {n}: rcvd close", "nchan.c; 6.6–10") { _, facts in
            facts.trace.closeByServer()
            return nil
        },
        TranscriptRow("debug2: channel 0: write failed", "nchan.c: chan_write_failed; 6.6–10") { _, facts in
            facts.trace.closeOutput()
            return nil
        },
        TranscriptRow("debug1: Exit status {status}", "ssh.c; 6.6–10") { found, facts in
            if let status = found["status"].flatMap({ Int($0) }) { facts.trace.ended(status) }
            return nil
        },
        TranscriptRow("Killed by signal {n}.", "clientloop.c; 6.6–10", ends: true) { found, facts in
            guard let number = found["n"].flatMap({ Int($0) }) else { return nil }
            // scp ends its ssh after these words.
            if facts.otherLines.last(8).contains("lost connection") {
                return .known(.sessionConnectionLost, .guess, .plain, or: ["the program on the server ended"])
            }
            facts.trace.killed(by: number)
            return nil
        },
    ]
}
