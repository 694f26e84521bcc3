/// The messages of libssh2 and libssh, which programs in many languages print: PHP, Cargo, libgit2, ssh2-rs, curl.
enum LibSSHRows {
    static let rows: [TranscriptRow] = [
        // Every login begins with the method that asks for the others.
        TranscriptRow("ssh_packet_userauth_failure: Access denied for 'none'", "libssh: auth.c, in its log"),
        .library("…Timeout connecting to {host}", "libssh: client.c, socket.c") { _, facts in
            facts.host = facts.host.trimming("')")
            return .timedOut(.connect, .guess, alternatives: ["it accepted the connection and sent nothing"])
        },
        .library("…no match for method {kind}: server [{offer}], client [{ours}]", "libssh: kex.c") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind.hasSuffix(" algo") ? "\(kind)rithm" : kind)
        },
        .library("…Received SSH_MSG_DISCONNECT: {reason}:{text}", "libssh: packet_cb.c") { found, facts in
            var found = found
            found["text"] = found["text"]?.trimming("')")
            return OpenSSHSessionRows.disconnected(found, facts)
        },
        .library("…Channel opening failure: channel {n} error ({reason}) {text}", "libssh: channels.c") { found, _ in
            .channelRefused(found["reason"].flatMap { UInt32($0) }, (found["text"] ?? "").trimming("')"), .guess)
        },
        .library("…ssh_connect_host_nonblocking: {reason}", "libssh: connect.c, in its log") { found, facts in
            guard let number = SystemErrorTexts.systemError(found["reason"] ?? "") else { return facts.decline() }
            return .unconnected(number, .likely)
        },
        .library("{before}Socket error: {reason}", "libssh: socket.c") { found, facts in
            let end: SSHStreamEnd = found["reason"]?.contains("reset") == true ? .reset : .closed
            // The error of a channel, which a program prints behind the function's name.
            if found["before"]?.mentions("ssh_channel_") == true { return .lost(end, .guess) }
            // netopeer2 names the stage.
            if found["before"]?.mentions("key exchange error") == true { return .cut(end, at: .keyExchange) }
            if ["refused", "timed out", "No route", "unreachable"].contains(where: { found["reason"]?.mentions($0) == true }) {
                return .unconnected(found["reason"] ?? "", .likely)
            }
            // No connection ended: the socket could not be made or connected.
            if ["No such file", "Unknown error", "not permitted", "Permission denied", "not supported", "Invalid argument"]
                .contains(where: { found["reason"]?.mentions($0) == true })
            {
                return .unconnected(found["reason"] ?? "", .guess)
            }
            let functions = facts.python.functions.joined(separator: " ")
            if functions.contains("userauth") { return .ended(.telling, end, at: .authentication, .guess) }
            // A session exists, and a request on it failed.
            let isRequest = found["before"]?.mentions(" request failed: ") == true
            if functions.contains("hannel") || isRequest { return .lost(end, .guess) }
            return .ended(.telling, end, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
        },
        .library("…Access denied for '{method}'. Authentication that can continue: {methods}", "libssh: auth.c") { found, _ in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" )'\"") }
            switch found["method"] ?? "" {
            case "none": return TranscriptReading.noCredentials(.guess).ranked(.plain)
            case "gssapi-with-mic": return .methodNotOffered(methods, .guess)
            case let method:
                return methods.contains(method) || methods.isEmpty
                    ? .refused(method, .likely) : .methodNotOffered(methods, refused: method, .guess)
            }
        },
        .library("…Access denied for '{method}'. Authentication", "libssh: auth.c") { found, _ in
            .refused(found["method"] ?? "publickey", .guess)
        },
        .says(
            "…Access denied. Authentication that can continue: ", "libssh before 0.8: auth.c",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .library("…Parsing private key {path}: error:", "libssh before 0.6: pki_crypto.c, with OpenSSL's words") { found, _ in
            .key(.passphraseWrong, found["path"], "", .guess, alternatives: ["the file is no private key"])
        },
        .says("…Public key of {path} refused by server", "libssh: auth.c", .refused("publickey", .likely)),
        .says("…Public key for {path} refused by server", "libssh: auth.c", .refused("publickey", .likely)),
        .says("…ccepted public key but refused the signature", "libssh: auth.c", .refused("publickey", .likely)),
        .says("…ccepted the public key but refused the signature", "libssh: auth.c", .refused("publickey", .likely)),
        .says("…Tried every public key, none matched", "libssh: auth.c", .refused("publickey", .likely)),
        .says("…is not allowed to be used by PUBLICKEY_ACCEPTED_TYPES", "libssh: auth.c", .sha1()),
        .says("…key type of size {n} is not allowed by RSA_MIN_SIZE", "libssh: auth.c", .key(.typeUnsupported, nil, "", .guess)),
        .says("…Agent reports failure in signing the key", "libssh: agent.c", .agent(.refused, "it did not sign")),
        .says("…Session has no active agent", "libssh: agent.c", .agent(.unavailable, "it could not be connected to")),
        .says(
            "…No version of SSH protocol usable (banner: ", "libssh: client.c",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely)),
        .says("…ssh_auth_service request denied", "libssh: client.c", .cut(at: .authentication)),
        .says("…no crypto algorithm function found for ", "libssh: wrapper.c", .noCommon(.kexNoCommonCipher, "cipher", .guess)),
        .says("…no hmac algorithm function found for ", "libssh: wrapper.c", .noCommon(.kexNoCommonMAC, "MAC", .guess)),
        .says(
            "…private key unpack error (correct password?)", "libssh: pki_container_openssh.c",
            .key(.passphraseWrong, nil, "", .guess)),
        .says("…Writing packet: error on socket (or connection closed): ", "libssh: socket.c", .lost(.closed, .guess)),
        .says("…Remote channel is closed", "libssh: channels.c", .lost(.closed, .guess)),
        .library("…Channel request {kind} failed", "libssh: channels.c") { found, facts in
            let kinds: [String: SSHEvidence.ChannelRequest] = [
                "exec": .exec, "shell": .shell, "pty-req": .pty, "subsystem": .subsystem,
            ]
            return kinds[found["kind"] ?? ""].map { .request($0, .likely) } ?? facts.decline()
        },
        .library("…ssh connect failed: {reason}", "ansible-pylibssh") { found, facts in
            let reason = found["reason"] ?? ""
            if reason.mentions("esolve") || reason.mentions("not known") { return .unresolved(reason, .likely) }
            guard ["refused", "timed out", "imeout", "unreachable", "No route"].contains(where: { reason.mentions($0) }) else {
                return facts.decline()
            }
            return reason.mentions("imeout")
                ? .timedOut(.connect, .guess) : .unconnected(reason, .likely)
        },
        .library("…ailed to resolve hostname {host} (", "libssh: connect.c") { _, _ in .unresolved("not known", .likely) },
        .library("…SCP failure: Failed executing command: {command}", "ropensci/ssh: libssh, scp.c") { _, _ in
            .request(.exec, .guess)
        },
        .says(
            "…Authentication with ssh server failed", "ropensci/ssh: session.c",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…Protocol mismatch: ", "libssh: client.c",
            TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess)),
        .says(
            "…The host key for this server was not found but an other type of key exists", "libssh's example",
            .known(.hostKeyOtherTypeKnown)),
        .says("…Host key for server changed", "libssh's example", .hostKeyChanged()),
        .library("…unable to open shell. Please see", "ansible: network_cli") { _, facts in
            // Its log may tell more.
            facts.methodRefused.map { .refused($0, .guess, alternatives: SharedAlternatives.login) } ?? .notReached()
        },
        .says(
            "…command timeout triggered, timeout value is {n} secs", "ansible.netcommon: connection", .commandTimedOut(.likely)),
        .library("…timeout value {n} seconds reached while trying to send command", "ansible.netcommon: network_cli") { _, _ in
            .commandTimedOut(.likely)
        },
        .library("ssh.exceptions.KeyImportError", "ssh-python") { _, _ in
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase, or another one"])
        },
    ]

    static let php: [TranscriptRow] = [
        .library("…ssh2_connect(): Unable to connect to {host} on port {port}", "pecl-ssh2") { found, facts in
            let port = found["port"] ?? ""
            facts.port = Int(port.prefix { $0.isNumber })
            if let reading = CommonReasons.reading(of: port) { return reading }
            return .direct(
                .telling, .connectFailed, .guess, alternatives: ["it is refused", "no answer", "the name is unknown"]
            ) {
                VerdictText("\($0.endpoint) could not be connected to.", hint: "Check the host, the port and the network.")
            }
        },
        .says("…when starting up SSH session", "libssh2 in a browser's extension", TranscriptReading.cut(at: .banner, .plain)),
        .says("…Unable to request a channel from remote host", "pecl-ssh2", .known(.channelProhibited, .guess)),
        .says("…Unable to init SFTP Session", "libssh2 in a browser's extension", .request(.subsystem, .guess)),
        .says("…Unable to startup SFTP subsystem", "pecl-ssh2", .request(.subsystem, .likely)),
        .says("…Unable to request command execution on remote host", "pecl-ssh2", .request(.exec, .likely)),
        .says("…ssh2_scp_send(): ", "pecl-ssh2", .known(.sftpWriteFailed, .guess, .plain, or: ["there is no such directory"])),
        .says("…ssh2_scp_recv(): ", "pecl-ssh2", .known(.sftpNoSuchFile, .guess, .plain, or: ["no permission"])),
        .library("…Authentication failed for {user} using password", "pecl-ssh2") { _, _ in .refused("password", .likely) },
        .library("…Authentication failed for {user} using public key{text}", "pecl-ssh2") { found, facts in
            facts.user = String(facts.user.prefix { $0 != " " })
            // libssh2's words are in the next line.
            facts.isCutShort = found["text"] == ":"
            return reading(ofLibSSH2: found["text"] ?? "") ?? rejected()
        },
    ]

    private static func rejected() -> TranscriptReading {
        .refused("publickey", .guess, alternatives: ["an RSA key, which libssh2 before 1.11 can only use with SHA-1"])
    }

    /// Source: libssh2 1.4–1.11: session.c, kex.c, userauth.c, agent.c, channel.c, transport.c.
    private static let texts: [(String, @Sendable () -> TranscriptReading)] = [
        ("Username/PublicKey combination invalid", { rejected() }),
        ("Authentication failed (username/password)", { .refused("password", .likely) }),
        ("Authentication failed (keyboard-interactive)", { .refused("keyboard-interactive", .likely) }),
        (
            "Failed getting banner",
            { .ended(.telling, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly) }
        ),
        (
            "Invalid signature for supplied public key",
            { .moreFactors([], .guess, alternatives: ["the public key file belongs to another key", "the key is refused"]) }
        ),
        (
            "Callback returned error",
            { .key(.passphraseWrong, nil, "", .guess, alternatives: ["the agent refused to sign"]) }
        ),
        ("Error parsing PEM", { .key(.formatInvalid, nil, "", .guess, alternatives: ["it is of a newer format"]) }),
        ("Unable to open private key file", { .key(.notFound, nil, "", .guess, alternatives: ["it may not be read"]) }),
        ("Unable to open public key file", { .key(.notFound, nil, "", .guess, alternatives: ["it may not be read"]) }),
        (
            "Unable to allocate memory for public key data",
            { .key(.formatInvalid, nil, "", .guess, alternatives: ["it is empty, or may not be read"]) }
        ),
        ("Wrong passphrase for private key", { .key(.passphraseWrong) }),
        ("Private key unpack failed (correct password?)", { .key(.passphraseWrong, nil, "", .guess) }),
        (
            "Wrong passphrase or invalid/unrecognized private key file format",
            { .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase, or another one"]) }
        ),
        ("Unsupported private key file format", { .key(.formatUnsupported, nil, "", .guess) }),
        ("no auth sock variable", { .agent(.unavailable, "SSH_AUTH_SOCK is not set") }),
        ("failed connecting with agent", { .agent(.unavailable, "it could not be connected to") }),
        ("agent list id failed", { .agent(.unavailable, "it did not list its keys") }),
        ("authentication methods: Failed getting response", { dropped() }),
        ("Waiting for USERAUTH response", { dropped() }), ("Waiting for publickey USERAUTH response", { dropped() }),
        ("Waiting for password response", { dropped() }), ("Waiting for keyboard USERAUTH response", { dropped() }),
        (
            "Unable to complete request for channel-process-startup",
            { TranscriptReading(.telling, .requestRefused(.exec), at: .channel, .likely) }
        ),
        (
            "Unable to complete request for channel request-pty",
            { TranscriptReading(.telling, .requestRefused(.pty), at: .channel, .likely) }
        ),
        ("Channel open failure (administratively prohibited)", { .channelRefused(1, "", .likely) }),
        ("direct_tcpip_ex: Channel open failure (connect failed)", { .known(.channelJumpTargetUnreachable) }),
        ("Channel open failure", { .channelRefused(2, "open failed", .guess) }),
        (
            "Invalid MAC received",
            { .call(.telling, "INVALID_MAC", at: .session, .likely, "Invalid MAC received").possiblyRunning }
        ),
        ("Timed out waiting on socket", { .timedOut(.banner, .guess) }), ("API timeout expired", { .timedOut(.banner, .guess) }),
        ("ransport read", { .lost(.closed, .guess) }), ("socket disconnect", { .lost(.closed, .guess) }),
        ("Unable to send channel", { .lost(.reset, .guess) }),
    ]

    /// The reading of libssh2's text within the message of a program that uses it.
    static func reading(ofLibSSH2 text: String) -> TranscriptReading? {
        if text.mentions("start SSH session: socket disconnect") { return .cut(at: .keyExchange) }
        if text.mentions("Unable to exchange encryption keys") { return exchange(text) }
        return texts.first { text.mentions($0.0) }?.1()
    }

    private static func exchange(_ before: String) -> TranscriptReading {
        if before.contains("-8") { return .protocolBroken(at: .keyExchange) }
        if before.contains("-1)") { return .ended(.telling, .closed, at: .keyExchange, .guess) }
        return .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)
    }

    static let libssh2: [TranscriptRow] =
        [.says("{before}HandshakeFailed(Error {x}socket disconnect", "libssh2, in ssh2-rs's form", .cut(at: .keyExchange))]
        + texts.map { text, read in TranscriptRow.library("…\(text)", "libssh2") { _, _ in read() } } + [
            .says("Failure establishing SSH session", "libssh2: its examples", .cut(at: .keyExchange, .plain)),
            .library("{before}Unable to exchange encryption keys", "libssh2 kex.c: the same words for five causes") { found, _ in
                exchange(found["before"] ?? "")
            },
        ]

    private static func dropped() -> TranscriptReading {
        .ended(.telling, .closed, at: .authentication, .guess, alternatives: ["too many attempts", "the account is refused"])
    }
}
