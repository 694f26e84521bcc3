/// paramiko's exceptions and log. Sources: paramiko 2–5, the named files.
enum ParamikoRows {
    static let rows: [TranscriptRow] = progress + reaching + trusting + keys + keyFiles + loggingIn + sessions + protocolErrors

    private static let progress: [TranscriptRow] = [
        .library("…Connected (version {v}, client {name})", "transport.py, INFO") { _, facts in
            facts.stage = .keyExchange
            return nil
        },
        .library("…Authentication ({method}) failed.", "auth_handler.py, INFO") { found, facts in
            facts.stage = .authentication
            let method = found["method"] ?? ""
            facts.methodRefused = method
            // The program may try another method, and its own message tells more.
            return .refused(method, .guess, alternatives: SharedAlternatives.login).ranked(.wrapper).sayingLittle
        },
        .library("…Authentication ({method}) successful!", "auth_handler.py, INFO") { _, facts in
            facts.stage = .session
            facts.hasRecovered = true
            return nil
        },
        .library("…Authentication continues...", "auth_handler.py, INFO") { _, facts in
            facts.partialSuccess = true
            return nil
        },
        .library("…Auth banner: b{text}", "auth_handler.py, INFO") { found, facts in
            facts.stage = .authentication
            facts.banner += (found["text"] ?? "").trimming("'\"").replacing("\\n", with: " ")
            facts.banner = facts.banner.cut(toBytes: 4096)
            return nil
        },
        .library("…Disconnect (code {reason}): {text}", "transport.py, INFO") { found, facts in
            OpenSSHSessionRows.disconnected(found, facts)
        },
        .library("…Disconnect (code {reason})", "transport.py, INFO") { found, facts in
            OpenSSHSessionRows.disconnected(found, facts)
        },
    ]

    private static let reaching: [TranscriptRow] = [
        .library("…Unable to connect to port {port} on {host}", "ssh_exception.py: NoValidConnectionsError") { found, facts in
            // `on 192.0.2.1, 192.0.2.2 or 192.0.2.3`; of a single address `on  or 192.0.2.1`.
            let addresses = (found["host"] ?? "").split(separator: " ").filter { $0 != "or" }
            facts.host = addresses.first.map { String($0).trimming("'\",)") } ?? ""
            // Raised only where every address gave ECONNREFUSED or EHOSTUNREACH (client.py).
            return .unconnected(
                "connection refused", .guess, alternatives: ["there is no route to the host"])
        },
        .library("…reading SSH protocol banner{x}", "transport.py: _check_banner") { found, facts in
            facts.identificationUnread = true
            let said = found["x"] ?? ""
            if said.contains("timed out") || facts.python.came(from: "TimeoutError", "timeout") {
                return .timedOut(.banner, .guess, alternatives: ["it does not speak SSH"])
            }
            let end: SSHStreamEnd = said.contains("reset") || facts.python.came(from: "ConnectionResetError") ? .reset : .closed
            return .ended(
                .telling, end, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly + ["it sent nothing in time"])
        },
        .says(
            "…AuthenticationException: Unable to connect to SSH agent", "agent.py",
            .agent(.unavailable, "it could not be connected to")),
        .says(
            "…Incompatible ssh peer (can't match requested host key type)", "transport.py",
            .noCommon(.kexNoCommonHostKeyAlgorithm, "host key algorithm")),
        .says("…SFTPError: Incompatible sftp protocol", "sftp.py", .known(.sftpVersionUnsupported)),
        .says("…paramiko.ssh_exception.ConfigParseError: ", "config.py", .known(.localConfigInvalid)),
        .says("…socket.error: Socket is closed", "channel.py, Python 2", .lost(.closed, .guess)),
        .says("…SSHException: Unable to connect to SSH agent", "agent.py", .agent(.unavailable, "it could not be connected to")),
        .library("…SSHException: Unable to connect to {host}: {reason}", "transport.py: __init__") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .says("…SSHException: EOF in transport thread", "transport.py", .cut(.closed, at: .keyExchange)),
        .says(
            "…SSHException: Mismatched MAC", "packet.py",
            .call(.telling, "INVALID_MAC", at: .session, .guess, "Mismatched MAC")),
        .says("…SSHException: Invalid packet blocking", "packet.py", .protocolBroken(at: .keyExchange)),
        .library("…encountered {type} key, expected {other} key", "pkey.py") { _, _ in
            .key(.formatInvalid, nil, "", .guess, alternatives: ["its type is not the one that the program reads"])
        },
        .says(
            "…No existing session' error: try increasing 'conn_timeout'", "netmiko: base_connection.py",
            .timedOut(.keyExchange, .guess, alternatives: ["the server closed the connection during the login"])),
        .library("…No existing session", "transport.py") { _, facts in noSession(facts) },
        .library("…Negotiation failed.", "transport.py: start_client") { _, facts in
            // A closed connection leaves an exception. Only a disconnect message ends the transport without one.
            .direct(.plain, .kexDisconnected, .guess, alternatives: ["the connection was closed during key exchange"]) {
                VerdictText(
                    "\($0.endpoint) ended the connection during key exchange.", hint: "paramiko's log at INFO has its reason.")
            }
        },
        .library("…Incompatible version ({version} instead of 2.0)", "transport.py: _check_banner") { found, _ in
            TranscriptReading(.telling, .identificationUnreadable, at: .banner) {
                $0.identification = "SSH-\(found["version"] ?? "1.5")-"
            }
        },
        .library("…Incompatible ssh {x}(no acceptable {kind})", "transport.py: _parse_kex_init") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
        .library("…Signature verification ({type}) failed.", "transport.py: _verify_key") { _, _ in
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")
        },
        .library("…Key-exchange timed out waiting for key negotiation", "transport.py") { _, _ in .timedOut(.keyExchange, .likely)
        },
        .library("…ProxyCommand({command}) returned nonzero exit status: {x}", "ssh_exception.py: ProxyCommandFailure") {
            found, _ in
            TranscriptReading(
                .telling, .proxyFailed(command: found["command"] ?? "", exitStatus: nil, standardError: found["x"] ?? ""),
                at: .connect, .likely)
        },
    ]

    /// paramiko has the same message for a transport that never exchanged keys, and for one that the server has ended since.
    private static func noSession(_ facts: TranscriptFacts) -> TranscriptReading {
        if facts.identificationUnread {
            return .timedOut(.banner, .guess, alternatives: SharedAlternatives.closedEarly)
        }
        if facts.python.ran("get_remote_server_key") {
            return .timedOut(facts.stage == .keyExchange ? .keyExchange : .banner, .guess)
        }
        // Measured: an agent with more keys than the server takes.
        return .direct(
            .telling, .authTooManyAttempts, .guess,
            alternatives: ["the server closed the connection during the login", "key exchange did not end in time"]
        ) {
            VerdictText(
                "The connection to \($0.server) had ended before paramiko could log in, or go on with the login: most often after "
                    + "too many attempts.",
                hint: """
                    paramiko's log at INFO has the reason. If an agent holds many keys: allow_agent=False, look_for_keys=False.
                    """)
        }
    }

    private static let trusting: [TranscriptRow] = [
        .library("…Server {host} not found in known_hosts", "client.py: RejectPolicy") { _, facts in
            facts.host = facts.host.trimming("'\"")
            return .hostKeyUnknown(.likely)
        },
        .library("…Host key for server {host} does not match", "ssh_exception.py: BadHostKeyException") { _, facts in
            facts.host = facts.host.trimming("'\"")
            return .hostKeyChanged()
        },
        .library("…InvalidHostKey: ({line}", "hostkeys.py: a line that cannot be read, a marker's too") { found, _ in
            .direct(.telling, .hostKeyKnownHostsUnreadable, .likely) { _ in
                VerdictText(
                    "known_hosts has a line that paramiko cannot read: \((found["line"] ?? "").oneLine(80))",
                    hint: "paramiko knows no markers (@revoked, @cert-authority): give it a file without them.")
            }
        },
        .library("…BadHostKeyException: {x}", "ssh_exception.py") { _, _ in .hostKeyChanged() },
    ]

    private static let keys: [TranscriptRow] = [
        .library("…Private key file is encrypted", "pkey.py") { _, _ in .key(.passphraseRequired) },
        .library("…PasswordRequiredException: {x}", "pkey.py") { _, _ in .key(.passphraseRequired) },
        .library("…Bad decrypt. Incorrect password?", "pkey.py") { _, _ in .key(.passphraseWrong) },
        .library("…OpenSSH private key file checkints do not match", "pkey.py") { _, _ in .key(.passphraseWrong) },
        .says("…SSHException: Invalid public key", "ecdsakey.py", .key(.formatInvalid, nil, "", .guess)),
        .library("…SSHException: Invalid key", "ed25519key.py: what decrypts to nonsense") { _, _ in
            .key(.passphraseWrong, confidence: .guess, otherwise: "the file is damaged")
        },
        .library("…: Invalid key{rest}", "ed25519key.py, printed by the program") { found, facts in
            (found["rest"] ?? "").trimming("'\").,} ").isEmpty
                ? .key(.passphraseWrong, confidence: .guess, otherwise: "the file is damaged") : facts.decline()
        },
        .says("…Partial authentication; allowed types: ", "ssh_exception.py: PartialAuthentication", .moreFactors([], .likely)),
        .says("…key cannot be used for signing", "pkey.py", .key(.isPublicKey, nil, "", .guess)),
        .says(
            "…Could not deserialize key data", "cryptography, of a key",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"])),
        .library("…not a valid {kind} private key file", "pkey.py") { _, _ in
            .key(.formatInvalid, confidence: .guess, otherwise: "it is a key of another type")
        },
        .library("…q must be exactly 160, 224, or 256 bits long", "dsskey.py, paramiko 2–3: every type is tried") { _, _ in
            .key(.typeUnsupported, confidence: .guess, otherwise: "the passphrase is wrong")
        },
    ]

    /// Messages of pkey.py about a key file.
    private static let keyFiles: [TranscriptRow] =
        damaged + ciphers + [
            .says(
                "…Bad password or corrupt private key file", "pkey.py",
                .key(.passphraseWrong, nil, "", .guess, alternatives: ["the file is damaged"])),
            .says("…private keyfile has multiple keys", "pkey.py", .key(.formatUnsupported)),
            .says("…SSHException: Can't handle curve of type", "ecdsakey.py", .key(.typeUnsupported)),
        ]

    private static let damaged: [TranscriptRow] = [
        "no lines in ", "base64 decoding error", "Unknown private key structure", "Can't parse DEK-info in private key file",
        "unexpected OpenSSH key header encountered", "Key object may not be empty",
    ].map { (words: String) -> TranscriptRow in
        .says("…SSHException: \(words)", "pkey.py", .key(.formatInvalid, nil, "", .guess))
    }

    private static let ciphers: [TranscriptRow] = [
        "Unknown private key cipher", "unknown cipher `", "unknown cipher or kdf used in private key file",
    ].map { (words: String) -> TranscriptRow in .says("…SSHException: \(words)", "pkey.py", .key(.cipherUnsupported)) }

    /// Messages of transport.py and the key exchange's files about a packet.
    private static let protocolErrors: [TranscriptRow] =
        packets + answers + [
            .library("…SSHException: {name} asked to handle packet type {n}", "kex_*.py") { _, _ in
                .protocolBroken(at: .keyExchange)
            },
            .says("…paramiko.ssh_exception.MessageOrderError", "transport.py", .protocolBroken(at: .keyExchange)),
            .says("…Remote transport is ignoring rekey requests", "packet.py", .protocolBroken(at: .session)),
            .says(
                "…SSHException: Indecipherable protocol version", "transport.py",
                TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess)),
            .says(
                "…SSHException: Invalid SSH banner", "transport.py",
                TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess)),
            .says("…SSHException: Bad host key from server", "transport.py: connect", .known(.hostKeyChanged, .guess)),
            .says("…SSHException: TCP forwarding request denied", "transport.py", .known(.channelProhibited)),
            .says("…OSError: size mismatch in put!", "sftp_client.py", .known(.sftpWriteFailed, .guess)),
            .says("…OSError: size mismatch in get!", "sftp_client.py", .known(.sftpReadFailed, .guess)),
        ]

    private static let packets: [TranscriptRow] = [
        "peer's curve25519 public value has wrong order", "Server kex \"f\" is out of range", "Server-generated gex p ",
        "Invalid C_INIT length ", "Invalid S_REPLY length ", "Sequence number rolled over during initial kex",
        "Illegal info request from server",
    ].map { (words: String) -> TranscriptRow in
        .says("…SSHException: \(words)", "transport.py, kex_*.py", .protocolBroken(at: .keyExchange))
    }

    private static let answers: [TranscriptRow] = ["handle", "name response", "attributes", "data", "status"].map {
        (name: String) -> TranscriptRow in
        .says("…SFTPError: Expected \(name)", "sftp_client.py", .known(.sftpProtocolError, .guess))
    }

    private static let loggingIn: [TranscriptRow] = [
        .library("…Authentication failed: transport shut down or saw EOF", "auth_handler.py") { _, facts in dropped(facts) },
        .library("…Authentication timeout.", "auth_handler.py") { _, _ in .timedOut(.authentication, .likely) },
        .library("…Bad authentication type; allowed types: {types}", "auth_handler.py") { found, facts in
            methodRefused(found, facts)
        },
        .library("…Authentication type ({method}) not permitted.", "auth_handler.py, DEBUG") { found, facts in
            facts.stage = .authentication
            return .methodNotOffered([], refused: found["method"], .guess)
        },
        .library("Bad authentication type{rest}", "ssh_exception.py, printed by the program") { found, facts in
            (found["rest"] ?? "").trimming(".: ").isEmpty
                ? .methodNotOffered([], .guess) : facts.decline()
        },
        .library("…('Bad authentication type', {x}(allowed_types={types})", "ssh_exception.py, paramiko 1 and 2") {
            found, facts in
            methodRefused(found, facts)
        },
        .says("…('Bad authentication type', ", "ssh_exception.py, cut", .methodNotOffered([], .guess)),
        .library("…No authentication methods available", "client.py") { _, _ in .noCredentials(.likely) },
        .says("…Unable to agree on a pubkey algorithm for signing a 'ssh-rsa' key", "auth_handler.py", .sha1()),
        .library("{before}Authentication failed.{rest}", "auth_handler.py") { found, facts in
            // Other programs say the same about other protocols, and continue.
            let rest = (found["rest"] ?? "").trimming("'\")],; ")
            guard rest.isEmpty || rest.hasPrefix("Trying again") || rest.hasPrefix(":"), (found["before"] ?? "").utf8.count < 200
            else {
                return facts.decline()
            }
            if facts.passwordRefused { return .refused("password", .likely) }
            if facts.python.ran("auth_password") { return .refused("password", .likely) }
            if facts.python.ran("auth_publickey") { return .refused("publickey", .likely) }
            if let method = facts.methodRefused { return .refused(method, .likely) }
            return .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
    ]

    private static func methodRefused(_ found: [String: String], _ facts: TranscriptFacts) -> TranscriptReading {
        let types = (found["types"] ?? "").split(separator: ",").map { String($0).trimming(" []'\"") }
        // client.py continues with questions only if a key was accepted and the server wants more.
        if facts.partialSuccess || facts.python.ran("auth_interactive_dumb") { return .moreFactors(types, .likely) }
        return .methodNotOffered(types, facts.python.library.isEmpty ? .guess : .likely)
    }

    private static func dropped(_ facts: TranscriptFacts) -> TranscriptReading {
        if !facts.banner.isEmpty, AccountTexts.speaks(AccountTexts.denied + AccountTexts.closed, in: [facts.banner]) {
            return .accountDenied(facts.banner)
        }
        return .ended(
            .telling, .closed, at: .authentication, .guess,
            alternatives: ["the account is refused (expired, an access rule)", "too many attempts"])
    }

    private static let sessions: [TranscriptRow] = [
        .library("…failed: ChannelException({reason}, {text})", "sshtunnel.py, which only forwards") { found, _ in
            found["reason"] == "1" ? .known(.channelProhibited, .guess) : .known(.channelJumpTargetUnreachable, .guess)
        },
        .library("…ChannelException({reason}, {text})", "ssh_exception.py") { found, _ in refused(found) },
        .library("…ChannelException: ({reason}, {text})", "ssh_exception.py, paramiko 2") { found, _ in refused(found) },
        .library("…Secsh channel {n} open FAILED: {text}: {reason}", "transport.py") { found, _ in
            let reasons: [String: UInt32] = [
                "Administratively prohibited": 1, "Connect failed": 2, "Unknown channel type": 3, "Resource shortage": 4,
            ]
            return .channelRefused(found["reason"].flatMap { reasons[$0] }, found["text"] ?? "", .guess)
        },
        .library("…Socket exception: {reason} ({number})", "transport.py") { _, facts in
            guard let stage = facts.stage, stage != .session else { return .lost(.reset) }
            return .ended(.telling, .reset, at: stage, .likely)
        },
        .library("…Server connection dropped:{x}", "sftp.py") { _, _ in .lost(.closed) },
        .says("…OSError: Socket is closed", "channel.py", .lost(.closed, .guess)),
        .library("…paramiko.ssh_exception.SSHException: Channel closed", "channel.py") { _, facts in
            TranscriptReading.unanswered(facts)
        },
        .library("…paramiko.SSHException: Channel closed", "channel.py before 1.12") { _, facts in
            TranscriptReading.unanswered(facts)
        },
        .library("…sftp.put {words}[Errno 13] Permission denied", "sshpt: its report") { _, _ in
            .known(.sftpPermissionDenied, .guess)
        },
        .says("…SSHException: Timeout opening channel", "transport.py", .timedOut(.channel, .likely)),
        .says(
            "…SSHException: EOF during negotiation", "sftp.py",
            .known(.channelSubsystemMissing, .guess, or: ["a startup file prints text"])),
        .says("…SSHException: Garbage packet received", "sftp.py", .known(.sftpProtocolError)),
        .says("…SFTPError: Garbage packet received", "sftp.py", .known(.sftpProtocolError)),
        .says(
            "…SSHException: Channel request failed", "channel.py",
            .request(.exec, .guess, or: ["a terminal or a subsystem was refused"])),
        .says("…paramiko.sftp.SFTPError", "sftp.py", TranscriptReading.known(.sftpConnectionLost, .guess, .plain)),
        .says("…SSHException: Unknown server", "client.py; 1", .hostKeyUnknown(.likely)),
        .library("…SSH session not active", "transport.py, client.py") { _, _ in .lost(.closed, .guess) },
    ]

    /// The number alone. The server's text is in the log.
    private static func refused(_ found: [String: String]) -> TranscriptReading {
        let reason = found["reason"].flatMap { UInt32($0) }
        return .channelRefused(reason, reason == 2 ? "open failed" : found["text"]?.trimming("'\")") ?? "", .guess)
    }
}

extension TranscriptReading {
    fileprivate static func key(_ reason: SSHKeyProblem.Reason, confidence: SSHError.Confidence, otherwise: String) -> Self {
        .key(reason, nil, "", confidence, alternatives: [otherwise])
    }

    /// A channel that ended in place of the answer to a request.
    fileprivate static func unanswered(_ facts: TranscriptFacts) -> TranscriptReading {
        if facts.python.ran("get_pty") { return .request(.pty, .guess, or: ["the connection was lost"]) }
        return facts.python.ran("exec_command")
            ? .request(.exec, .guess, or: ["the connection was lost"]) : .lost(.closed, .guess)
    }
}
