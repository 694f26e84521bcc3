/// The reasons that clients of any kind give for a failure, in the usual English forms. All of them are guesses.
enum CommonReasons {
    private typealias Meaning = @Sendable (String) -> TranscriptReading

    /// The words of a reason, in small letters. An ellipsis stands for any text between two words. The first row that matches counts:
    /// a part of the protocol says more than a network error, and both say more than a failed login.
    private static let rows: [(reasons: [[String]], meaning: Meaning)] =
        (connections + keys + logins + network + files).map { reasons, meaning in (reasons.map(parts), meaning) }

    /// The reasons of all rows, one after the other: the row of each, and its words.
    private static let reasons = rows.enumerated().flatMap { row, entry in entry.reasons.map { (row: row, words: $0) } }
    /// The first words of each reason.
    private static let openings = WordSet(reasons.map { $0.words[0] })

    private static let connections: [([String], Meaning)] = [
        (
            [
                "port connection via ssh was refused", "open failure: connection refused", "open failure (connect failed",
                "open failed: connect failed", "rejected: connect failed", "channel … connection refused",
                "channel … no route to host",
            ], { _ in .known(.channelJumpTargetUnreachable, .guess) }
        ),
        (
            [
                "cannot run ssh", "'ssh' in path", "\"ssh\": executable file not found", "execute 'ssh'", "spawn ssh enoent",
                "ssh: command not found",
            ],
            { _ in .missingProgram("ssh") }
        ),
        (
            [
                "hostkey signature", "host key signature", "server signature", "exchange signature verification", "verify: false",
            ],
            { _ in .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "") }
        ),
        (
            ["temporary failure in name", "temporary error", "lookup … i/o timeout"],
            { _ in .unresolved("temporary failure", .guess) }
        ),
        (["initialise sftp", "initialize sftp", "eof during negotiation"], { _ in .request(.subsystem, .guess) }),
        (["strict kex", "strict key exchange", "sequence number"], { _ in .protocolBroken(at: .keyExchange) }),
        (
            [
                "does not contain ssh protocol identification", "overflow reading version", "invalid ssh identification",
                "invalid ssh banner", "invalid protocol version",
            ], { _ in .known(.bannerNotSSH, .guess) }
        ),
        (
            [
                "timed out … banner", "timeout … banner", "banner … timed out", "banner … timeout", "read timed out",
                "read operation has timed out",
            ],
            { _ in .timedOut(.banner, .guess) }
        ),
        (
            ["protocol banner", "ssh banner", "getting banner", "identification string", "identification exchange"],
            { _ in .cut() }
        ),
        (
            ["hmac error", "mac error", "corrupted mac", "corrupt mac", "invalid mac"],
            { _ in .call(.telling, "INVALID_MAC", at: .session, .guess, "MAC error") }
        ), (["pseudo-terminal", "allocate pty", "allocate a pty"], { _ in .request(.pty, .guess) }),
        (
            [
                "forwarding request denied", "port forwarding failed", "forwarding denied", "administratively prohibited",
                "administratively_prohibited",
            ], { _ in .known(.channelProhibited, .guess) }
        ),
        (
            [
                "no matching", "no common", "algorithm negotiation", "negotiation failed", "unable to negotiate",
                "failed to negotiate",
                "key exchange fail", "could not settle on", "could not agree", "couldn't agree",
                "reach a settlement", "exchange encryption keys", "nocommonalgo", "incompatible ssh",
            ], { .noCommon(kind($0), "algorithm of some kind", .guess) }
        ),
    ]

    private static let keys: [([String], Meaning)] = [
        (
            [
                "host key has changed", "host key changed", "host key mismatch", "host key does not match",
                "hostkey has been changed",
                "host identification has changed", "key mismatch", "host key … does not match", "fingerprint … does not match",
                "hostkeymismatch", "fingerprint mismatch",
            ], { _ in .known(.hostKeyChanged, .guess, or: ["the host key is not known"]) }
        ),
        (
            [
                "host key verification", "host key is not", "unknown host key", "host key unknown", "hostkey", "host key not",
                "host key could not", "verify host key", "verify the host key", "verify server key", "host key rejected",
                "key is unknown", "server key did not validate", "host key was not found", "not found in known_hosts",
                "ssh host key",
                "could not verify … host key", "host_key_not_verifiable", "trusted server host key",
            ], { _ in .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]) }
        ),
        (
            ["no auth sock", "agent pipe", "connecting agent", "ssh_auth_sock", "signature from ssh-agent"],
            { _ in .known(.agentUnavailable, .guess) }
        ), (["agent has no keys", "agent contains no"], { _ in .known(.agentEmpty, .guess) }),
        (
            [
                "passphrase", "falsches passwort", "encrypted private key", "key is encrypted", "decrypt private key",
                "decrypt the private key",
            ], { _ in .key(.passphraseRequired, nil, "", .guess, alternatives: ["the passphrase is wrong"]) }
        ),
        (
            [
                "parse private key", "parsing private key", "parse privatekey", "invalid private key", "invalid privatekey",
                "load private key", "not a valid private key", "private key is invalid", "unrecognized private key",
                "unsupported private key", "read private key", "no start line", "private key der", "broken pem",
                "invalid key format", "not an encrypted key", "unsupported key format", "decode private key", "load key",
                "parse key", "valid rsa private key",
                "public key file", "public key data",
            ], { _ in .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"]) }
        ),
    ]

    private static let logins: [([String], Meaning)] = [
        (
            ["authentication canceled", "authentication cancelled", "auth cancel"],
            { _ in .known(.authInteractionRequired, .guess) }
        ),
        (["attempted methods [none],", "no authentication methods available"], { _ in .noCredentials(.guess) }),
        (
            ["no suitable authentication method", "no supported authentication method"],
            { _ in .methodNotOffered([], .guess) }
        ),
        (
            [
                "ssh_fx_permission_denied", "sftp: \"permission denied", "sftpexception: permission denied",
                "sftp server: permission denied",
                "openfile: permission denied",
            ],
            { _ in .known(.sftpPermissionDenied, .guess) }
        ),
        (
            ["authentication … timed out", "authentication timeout", "login timed out", "login timeout"],
            { _ in .timedOut(.authentication, .guess) }
        ),
        (
            [
                "login failed: eof", "login failed: connection reset", "login failed: connection closed",
                "authentication failed: eof", "authentication failed: connection reset",
                "authentication failed: connection closed",
            ], { _ in .cut(at: .authentication) }
        ),
        (
            [
                "authentication fail", "auth fail", "publickey auth", "public key auth", "authentication failure",
                "permission denied", "access denied", "login failed", "login incorrect", "login denied", "unable to login",
                "unable to log in", "failed to login", "failed to log in", "could not login", "cannot login", "can not login",
                "cannot log in", "can't log in", "logon failure", "invalid credentials", "bad credentials",
                "failed to authenticate", "authentication error", "unable to authenticate", "authentication rejected",
                "could not authenticate", "error authenticating", "failed authenticating", "not authenticated",
                "wrong password", "incorrect password", "no more keys to try", "authentication methods failed",
                "available authentication methods", "authentication methods available", "publickey)", "认证失败", "認證失敗", "验证失败",
                "鉴权失败", "密码错误", "認証に失敗",
                "인증 실패", "authentifizierung", "authentification", "autenticación", "autenticação", "autenticazione",
                "аутентификац",
            ], { .refused(method($0), .guess, alternatives: SharedAlternatives.login) }
        ), (["too many authentication", "too many login attempts"], { _ in .attemptsExhausted(.guess) }),
    ]

    private static let network: [([String], Meaning)] = [
        (
            ["connection refused", "econnrefused", "actively refused", "refused the connection", "refused connection"],
            { _ in .unconnected("connection refused", .guess) }
        ),
        (
            [
                "no such host", "name … not known", "host … not known", "name resolution", "could not resolve", "unknown host",
                "unknownhost", "enotfound",
                "nodename nor", "host not found",
            ], { _ in .unresolved("not known", .guess) }
        ),
        (
            ["no route to host", "ehostunreach", "host is unreachable", "host unreachable"],
            { _ in .unconnected("no route to host", .guess) }
        ), (["network is unreachable", "enetunreach"], { _ in .unconnected("network is unreachable", .guess) }),
        (["keepalive … time", "keep-alive … time", "keepalive timeout"], { _ in .silent().guessed }),
        (
            ["handshak … timed out", "handshak … timeout", "timed out … handshak", "timeout … handshak"],
            { _ in .timedOut(.keyExchange, .guess, alternatives: ["it did not identify itself", "it did not answer at all"]) }
        ),
        (
            ["ssh command timed out", "command timeout", "command execution timed out", "session operation has timed out"],
            { _ in .commandTimedOut(.guess) }
        ),
        (
            [
                "timed out", "timeout", "time out", "超时", "逾時", "タイムアウト", "etimedout", "deadline exceeded",
                "did not properly respond",
            ],
            { _ in
                .timedOut(.connect, .guess, alternatives: ["it accepted the connection and sent nothing", "the login was slow"])
            }
        ), (["broken pipe", "epipe"], { _ in .lost(.reset, .guess) }),
        (["connection reset", "econnreset", "reset by peer", "forcibly closed"], { _ in .cut(.reset) }),
        (
            [
                "channel was closed", "channel is closed", "channel is down", "channel is broken", "session is down",
                "client not connected", "broken transport",
            ], { _ in .lost(.closed, .guess) }
        ),
        (
            [
                "connection closed", "closed by remote", "connection lost", "unexpected eof", " eof", "disconnected",
                "session close", "closed connection", "closed the connection", "unexpected shutdown", "connection aborted",
                "connection was closed", "connection has been closed", "closed by the remote", "connection is closed", " lost",
                "stream closed", "socket closed", "socket is closed", "eof while reading", "unexpectedly closed",
                "hung up unexpectedly", "connection is down",
            ], { _ in .cut() }
        ), (["aborted by the"], { _ in .cut(at: .keyExchange) }),
    ]

    private static let files: [([String], Meaning)] = [
        (
            ["no such file", "does not exist", "file not found"],
            { _ in .known(.sftpNoSuchFile, .guess, or: ["it is a file here", "it is a program that is missing here"]) }
        ), (["command not found"], { _ in .known(.commandNotFound, .guess) }),
        (
            ["subsystem", "send sftp request", "establishing sftp session"],
            { _ in .request(.subsystem, .guess) }
        ),
        (
            ["open channel", "open a channel", "channel open", "channel is not open"],
            { _ in .known(.channelProhibited, .guess, or: ["too many sessions", "the connection was lost"]) }
        ), (["exit status", "exit code", "exited with", "non-zero exit"], { _ in .known(.commandExitNonzero, .guess) }),
        (
            ["insufficient free space", "no space left", "disk full", "quota"],
            { _ in .known(.sftpDiskFull, .guess, or: ["it is the disk here"]) }
        ),
        (
            [
                "protocol error", "protocol violation", "ssh_msg_", "unexpected packet", "packet length", "corrupt",
                "invalid packet", "packet too", "packet len ", "unexpected message", "bad packet",
            ], { _ in .protocolBroken(at: .keyExchange) }
        ),
        (
            ["ssh agent", "ssh-agent", "authentication agent", "auth agent", "key agent", "use agent", "use the agent"],
            { _ in .known(.agentUnavailable, .guess) }
        ),
    ]

    /// The reading of a client's reason; nil if it is not known.
    static func reading(of text: String) -> TranscriptReading? {
        let lower = text.lowercased()
        if ["no such file", "not found", "does not exist"].contains(where: { lower.mentions($0) }) {
            if lower.mentions("known_hosts"), !lower.mentions("not found in known_hosts") {
                return .known(.hostKeyKnownHostsUnreadable, .guess)
            }
            let keys = ["key file", "private key", "ssh key", "identity file", "id_rsa", "id_ed25519", ".pem", "/.ssh/"]
            if keys.contains(where: { lower.mentions($0) }) { return .key(.notFound, nil, "", .guess) }
        }
        let found = openings.indices(in: lower).filter { follow(reasons[$0].words, in: lower) }
        if let row = found.map({ reasons[$0].row }).min() { return rows[row].meaning(lower) }
        if let number = ForeignText.systemError(text) { return .unconnected(number, .guess) }
        return ForeignText.resolverFailure(text) == nil ? nil : .unresolved(text, .guess)
    }

    /// The words between the ellipses of a reason.
    private static func parts(_ reason: String) -> [String] {
        var parts: [String] = []
        var rest = reason[...]
        while let gap = rest.firstPlace(of: " … ") {
            parts.append(String(rest[..<gap.lowerBound]))
            rest = rest[gap.upperBound...]
        }
        return parts + [String(rest)]
    }

    /// Whether these words follow one another in the text.
    private static func follow(_ words: [String], in lower: String) -> Bool {
        var rest = lower[...]
        for part in words {
            guard let place = rest.firstPlace(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }

    /// The kind of the algorithms that a text is about: its name, or the names of algorithms.
    private static func kind(_ lower: String) -> SSHError.Code {
        let kinds: [([String], SSHError.Code)] = [
            (["host key", "hostkey", "host_key"], .kexNoCommonHostKeyAlgorithm), (["compression"], .kexNoCommonCompression),
            (["kex", "exchange"], .kexNoCommonKex),
            (["hmac", "mac algo", "server mac", "client mac", "->s mac", "->c mac"], .kexNoCommonMAC),
            (["cipher", "encryption algo", "encryption_", "[aes", "[chacha", "[3des", "-cbc"], .kexNoCommonCipher),
            (["[ssh-", "[rsa-", "[ecdsa-"], .kexNoCommonHostKeyAlgorithm),
        ]
        // A text about one kind may be a step of the exchange of keys.
        let found = kinds.filter { words, _ in words.contains { lower.mentions($0) } }.map(\.1)
        return found.first { $0 != .kexNoCommonKex } ?? .kexNoCommonKex
    }

    /// The method of a login that was refused.
    private static func method(_ lower: String) -> String {
        lower.mentions("password") && !lower.mentions("key") ? "password" : "publickey"
    }
}

extension TranscriptReading {
    /// The same reading as a guess.
    var guessed: Self {
        var reading = self
        reading.confidence = .guess
        return reading
    }
}
