/// Messages on this side's own settings, and those of other SSH libraries.
enum TranscriptLocal {
    static let rows: [TranscriptRow] = settings + ansible + paramiko + asyncssh + libssh2

    private static let settings: [TranscriptRow] = [
        TranscriptRow("command-line line {n}: {problem}", "readconf.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(.telling, .usage(field: "-o", problem: found["problem"] ?? ""), at: .local)
        },
        TranscriptRow("command-line: line {n}: {problem}", "readconf.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(.telling, .usage(field: "-o", problem: found["problem"] ?? ""), at: .local)
        },
        TranscriptRow("Bad owner or permissions on {file}", "readconf.c; 6.6–10", ends: true) { found, _ in
            configuration(found["file"] ?? "", nil, "its owner or permissions are not safe")
        },
        TranscriptRow("{file}: line {n}: Bad configuration option: {option}", "readconf.c; 6.6–10") { found, _ in
            configuration(
                found["file"] ?? "", found["n"].flatMap { Int($0) }, "there is no option \(found["option"] ?? "")")
        },
        TranscriptRow("Can't open user config file {file}: {reason}", "ssh.c; 6.6–10", ends: true) { found, _ in
            configuration(found["file"] ?? "", nil, found["reason"] ?? "")
        },
        TranscriptRow("/{file} line {n}: {problem}", "readconf.c: bad values; 6.6–10") { found, _ in
            guard let file = found["file"], file.contains("ssh"), let line = found["n"].flatMap({ Int($0) }) else { return nil }
            return configuration("/" + file, line, found["problem"] ?? "")
        },
        TranscriptRow("jumphost loop via {host}", "ssh.c; 8.9–10", ends: true) { found, _ in
            configuration("", nil, "the jump hosts lead in a circle")
        },
        TranscriptRow("usage: ssh {x}", "ssh.c; 6.6–10", ends: true) { _, _ in
            TranscriptReading(.plain, .usage(field: "", problem: "ssh was called wrongly"), at: .local, .likely)
        },
        TranscriptRow("Bad port '{port}'", "ssh.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(.telling, .usage(field: "-p", problem: "\(found["port"] ?? "") is no port"), at: .local)
        },
    ]

    private static func configuration(_ file: String, _ line: Int?, _ problem: String) -> TranscriptReading {
        TranscriptReading(.telling, .configurationInvalid(file: file, line: line, problem: problem), at: .local)
    }

    private static func login(_ method: String, _ confidence: SSHError.Confidence, _ alternatives: [String] = [])
        -> TranscriptReading
    {
        TranscriptReading(.plain, .credentialsExhausted, at: .authentication, confidence, alternatives: alternatives) {
            var login = AuthenticationEvidence()
            login.methodsHeld = [method]
            login.attempts = [AuthenticationAttempt(method: method, credential: "that was offered", outcome: .refused)]
            $0.authentication = login
        }
    }

    private static func connect(_ end: StreamEnd, _ stage: Stage) -> TranscriptReading {
        .ended(.telling, end, at: stage, .likely)
    }

    private static let ansible: [TranscriptRow] = [
        TranscriptRow("…Invalid/incorrect password: Permission denied{x}", "ansible: plugins/connection/ssh.py", ends: true) {
            _, _ in
            login("password", .likely)
        }
    ]

    private static let paramiko: [TranscriptRow] = [
        TranscriptRow("…AuthenticationException: Authentication failed{x}", "paramiko: auth_handler.py", ends: true) { _, _ in
            login("publickey", .guess, ["the password was refused"])
        },
        TranscriptRow("…BadAuthenticationType: {x}", "paramiko: ssh_exception.py", ends: true) { _, _ in
            .direct(.telling, .authMethodNotOffered) {
                Words("\($0.endpoint) does not take the login method that was tried.", hint: "Use a method that it offers.")
            }
        },
        TranscriptRow("…SSHException: No authentication methods available", "paramiko: client.py", ends: true) { _, _ in
            .direct(.telling, .authNoCredentials) {
                Words("There was nothing to log in to \($0.endpoint) with.", hint: "Give a key, an agent or a password.")
            }
        },
        TranscriptRow("…PasswordRequiredException: {x}", "paramiko: pkey.py", ends: true) { _, _ in
            TranscriptReading(.telling, .keyUnusable(KeyProblem(reason: .passphraseRequired, path: "", detail: "")), at: .key)
        },
        TranscriptRow("…Server '{host}' not found in known_hosts", "paramiko: client.py RejectPolicy", ends: true) { _, _ in
            TranscriptReading(.telling, .hostKeyRejected, at: .hostKey)
        },
        TranscriptRow("…BadHostKeyException: {x}", "paramiko: ssh_exception.py", ends: true) { _, _ in
            .direct(.telling, .hostKeyChanged) {
                Words(
                    "The host key of \($0.endpoint) is not the known one.",
                    hint: "Somebody may be answering in its place: ask its administrator for the fingerprint.")
            }
        },
        TranscriptRow("…Error reading SSH protocol banner", "paramiko: transport.py", ends: true) { _, _ in
            .ended(.telling, .closed, at: .banner, .guess, alternatives: ["it said nothing in time", "it does not speak SSH"])
        },
        TranscriptRow("…IncompatiblePeer: Incompatible ssh peer (no acceptable {x}", "paramiko: transport.py", ends: true) {
            found, _ in
            let kind = found["x"] ?? ""
            let code: SSHError.Code =
                if kind.contains("host key") {
                    .kexNoCommonHostKeyAlgorithm
                } else if kind.contains("cipher") {
                    .kexNoCommonCipher
                } else if kind.contains("mac") {
                    .kexNoCommonMAC
                } else if kind.contains("compression") { .kexNoCommonCompression } else { .kexNoCommonKex }
            return .direct(.telling, code) {
                Words("\($0.endpoint) and the client share no algorithm of a kind: \(kind.oneLine()).")
            }
        },
        TranscriptRow("…NoValidConnectionsError: [Errno None] Unable to connect to port {port} on {host}", "paramiko", ends: true)
        { _, _ in
            .direct(.telling, .connectFailed, .likely, alternatives: ["every address refused the connection"]) {
                Words("\($0.endpoint) could not be connected to.", hint: "Check the host, the port and the network.")
            }
        },
    ]

    private static let asyncssh: [TranscriptRow] = [
        TranscriptRow(
            "…asyncssh.misc.PermissionDenied: Permission denied for user {user} on host {host}", "asyncssh: connection.py",
            ends: true
        ) {
            _, _ in login("publickey", .guess, ["the password was refused", "there was nothing to offer"])
        },
        TranscriptRow("…asyncssh.misc.HostKeyNotVerifiable: {x}", "asyncssh: misc.py", ends: true) { _, _ in
            TranscriptReading(.telling, .hostKeyRejected, at: .hostKey, .likely, alternatives: ["the host key has changed"])
        },
        TranscriptRow("…asyncssh.misc.ConnectionLost: {x}", "asyncssh: misc.py", ends: true) { found, facts in
            if found["x"]?.contains("keepalive") == true {
                return TranscriptReading(.telling, .keepaliveUnanswered(count: 3), at: .session)
            }
            return .ended(.telling, .closed, at: facts.stage ?? .session, .guess)
        },
        TranscriptRow("…Login timeout expired", "asyncssh: connection.py", ends: true) { _, _ in
            TranscriptReading(.telling, .deadlinePassed(Deadline(kind: .connect, seconds: 0)), at: .authentication, .likely)
        },
    ]

    private static let libssh2: [TranscriptRow] = [
        ("Failed getting banner", "BANNER_RECV", Stage.banner),
        ("Unable to exchange encryption keys", "KEY_EXCHANGE_FAILURE", .keyExchange),
        ("Username/PublicKey combination invalid", "PUBLICKEY_UNVERIFIED", .authentication),
        ("Authentication failed (username/password)", "AUTHENTICATION_FAILED", .authentication),
        ("Unable to complete request for channel-process-startup", "CHANNEL_REQUEST_DENIED", .channel),
        ("Channel open failure", "CHANNEL_FAILURE", .channel),
        ("Transport read", "SOCKET_RECV", .session),
        ("socket disconnect", "SOCKET_DISCONNECT", .session),
    ].map { text, name, stage in
        TranscriptRow("…\(text)", "libssh2 1.4–1.11", ends: true) { _, _ in .call(.telling, name, at: stage, .guess, text) }
    }
}
