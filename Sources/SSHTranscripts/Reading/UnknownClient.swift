/// Lines of unknown clients. Common English words about SSH and a reason give a guess.
enum UnknownClient {
    /// A line without one of these words is ignored.
    static let words = ["ssh", "sftp", "scp://"] + own

    /// Words that only SSH has, and that need no other.
    private static let own = [
        "public key auth", "publickey auth", "publickey)", "host key verif", "keyboard-interactive",
    ]

    private static let subjects = [
        "ssh connection", "ssh connect", "ssh:", "ssh]", "ssh error", "ssh failed", "ssh failure", "ssh key", "ssh private key",
        "ssh credential", "ssh login", "ssh auth", "ssh password", "ssh public key",
        "ssh handshake",
        "ssh session", "ssh client", "ssh to ", "ssh into", "ssh server", "ssh exception", "ssh command", "via ssh", "over ssh",
        "remote ssh",
        "using ssh", "with ssh", "by ssh", "through ssh", "to ssh", "ssh host", "ssh port", "ssh tunnel", "ssh remote",
        "sshexception",
        "ssherror", "sshclient", "sftp connection", "sftp connect", "sftp:", "sftp login", "sftp server", "sftp session",
        "sftp client",
        "sftp auth", "via sftp", "over sftp", "to sftp", "sftp error", "sftp failed", "sftp host", "sftp =>", "sftp upload",
        "sftp download", "ssh://", "sftp://", "scp://", "ssh-",
    ]
    private static let failures = [
        "fail", "error", "could not", "couldn't", "cannot", "can't", "unable", "refused", "timed out", "timeout", "denied",
        "lost",
        "rejected", "exception", "closed", "reset", "unreachable", "aborted",
    ]
    /// Failures in other languages than English. With one of them, the protocol's name is enough.
    private static let foreign = [
        "失败", "失敗", "错误", "錯誤", "超时", "逾時", "拒绝", "拒否", "无法", "無法", "できません", "エラー", "タイムアウト", "실패", "오류",
        "fehlgeschlagen", "fehler", "konnte nicht", "échec", "échoué", "impossible de ", "erreur", "falló", "fallida", "fallo ",
        "no se pudo",
        "falha", "não foi possível", "fallito", "impossibile", "не удалось", "ошибка", "nie udało", "mislukt",
    ]

    /// A connection, in these languages.
    private static let connections = [
        "连接", "連線", "連接", "接続", "연결", "verbind", "connexion", "connect", "conexi", "conexã", "ligação", "connession", "подключ",
        "соедин",
        "połącz",
    ]

    /// Words of lines that are not about a client's run: the server's unit, its settings, keys, agents, tests and documents.
    private static let others = [
        "systemd", ".service", "sshd", "ssh-agent", "ssh agent", "ssh-keygen", "openssh-server", "fail2ban", "ufw", "iptables",
        "apt", "dpkg", "package",
        "install", "http://", "https://", "test", "debug1", "warning:", "retry", "success", "0 failed", "failed=0", "if ", "docs",
        "see ",
        "tls", "x509", "certificate", "mysql", "postgres", "redis", "ldap", "kerberos", "docker pull", "--", "echo ", "function ",
        "import ", "known issue",
        "failed to connect to the host via ssh", "fixed", "added:", "(#", "disable", "enable", "will ", "should ", "would ",
        "sshlauncher{", "i get ", "we had ", "how to ", "how do ", "what to do", "any ideas", "scan", "health check",
        "may ", "might ",
        // A shell's own error.
        ": line ",
    ]

    private static let reasons: [([String], @Sendable () -> TranscriptReading)] = [
        (["port connection via ssh was refused"], { .known(.channelJumpTargetUnreachable, .guess) }),
        (
            ["hostkey signature", "host key signature", "server signature"],
            { .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "") }
        ), (["temporary failure in name", "temporary error"], { .unresolved("temporary failure", .guess) }),
        (["strict kex", "strict key exchange", "sequence number"], { .protocolBroken(at: .keyExchange) }),
        (
            ["no more keys to try", "server refused (wrong password)"],
            { .refused("publickey", .guess, alternatives: SharedAlternatives.login) }
        ), (["authentication canceled", "authentication cancelled"], { .known(.authInteractionRequired, .guess) }),
        (
            ["hmac error", "mac error", "corrupted mac", "corrupt mac", "invalid mac"],
            { .call(.telling, "INVALID_MAC", at: .session, .guess, "MAC error") }
        ), (["pseudo-terminal", "allocate pty", "allocate a pty"], { .request(.pty, .guess) }),
        (
            ["forwarding request denied", "port forwarding failed", "forwarding denied"],
            { .known(.channelProhibited, .guess) }
        ),
        (
            [
                "host key verification", "host key is not", "unknown host key", "host key unknown", "hostkey", "host key not",
                "host key could not", "verify host key", "verify the host key", "verify server key", "host key rejected",
            ],
            { .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]) }
        ),
        (
            [
                "host key has changed", "host key changed", "host key mismatch", "host key does not match",
                "host identification has changed",
            ],
            { .known(.hostKeyChanged, .guess, or: ["the host key is not known"]) }
        ),
        (
            [
                "authentication fail", "auth fail", "publickey auth", "public key auth", "authentication failure",
                "permission denied", "access denied",
                "login failed", "login incorrect", "login denied", "unable to login", "unable to log in", "failed to login",
                "failed to log in", "could not login", "cannot login", "can not login", "logon failure",
                "invalid credentials", "bad credentials", "failed to authenticate", "authentication error",
                "unable to authenticate",
                "authentication rejected", "could not authenticate", "error authenticating", "failed authenticating",
                "not authenticated", "wrong password", "incorrect password",
                "publickey)", "认证失败", "認證失敗", "验证失败", "鉴权失败", "密码错误", "認証に失敗", "인증 실패", "authentifizierung",
                "authentification", "autenticación", "autenticação", "autenticazione", "аутентификац",
            ],
            { .refused("publickey", .guess, alternatives: SharedAlternatives.login) }
        ),
        (
            [
                "passphrase", "falsches passwort", "encrypted private key", "key is encrypted", "decrypt private key",
                "decrypt the private key",
            ],
            { .key(.passphraseRequired, nil, "", .guess, alternatives: ["the passphrase is wrong"]) }
        ),
        (
            [
                "parse private key", "invalid private key", "invalid privatekey", "load private key", "not a valid private key",
                "private key is invalid", "unrecognized private key", "unsupported private key", "read private key",
                "no start line", "private key der",
                "broken pem", "invalid key format", "decode private key", "load key", "parse key",
            ],
            { .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"]) }
        ),
        (
            ["too many authentication", "too many login attempts"],
            { .tooManyAttempts(.guess) }
        ),
        (
            ["connection refused", "econnrefused", "actively refused", "refused the connection", "refused connection"],
            { .unconnected("connection refused", .guess) }
        ),
        (
            [
                "no such host", "not known", "name resolution", "could not resolve", "unknown host", "unknownhost", "enotfound",
                "nodename nor", "host not found",
            ],
            { .unresolved("not known", .guess) }
        ),
        (
            ["no route to host", "ehostunreach", "host is unreachable", "host unreachable"],
            { .unconnected("no route to host", .guess) }
        ),
        (
            ["network is unreachable", "enetunreach"],
            { .unconnected("network is unreachable", .guess) }
        ),
        (
            [
                "no matching", "no common", "algorithm negotiation", "negotiation failed", "unable to negotiate",
                "key exchange fail",
            ],
            { .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess) }
        ),
        (
            ["timed out", "timeout", "time out", "超时", "逾時", "タイムアウト", "etimedout", "deadline exceeded"],
            { .timedOut(.connect, .guess, alternatives: ["it accepted the connection and sent nothing", "the login was slow"]) }
        ),
        (["broken pipe", "epipe"], { .lost(.reset, .guess) }),
        (["connection reset", "econnreset", "reset by peer", "forcibly closed"], { .cut(.reset) }),
        (
            [
                "connection closed", "closed by remote", "connection lost", "unexpected eof", " eof", "disconnected",
                "session close", "closed connection", "closed the connection", "unexpected shutdown", "connection aborted",
                "connection was closed",
                "connection has been closed", "closed by the remote", "connection is closed", " lost", "stream closed",
                "socket closed", "socket is closed", "eof while reading", "unexpectedly closed", "session is down",
                "hung up unexpectedly", "connection is down", "channel is down", "channel was closed", "channel is closed",
            ], { .cut() }
        ),
        (
            ["no such file", "does not exist", "file not found"],
            { .known(.sftpNoSuchFile, .guess, or: ["it is a file here", "it is a program that is missing here"]) }
        ),
        (["command not found"], { .known(.commandNotFound, .guess) }),
        (["subsystem"], { .request(.subsystem, .guess) }),
        (
            ["open channel", "open a channel", "channel open", "channel is not open"],
            { .known(.channelProhibited, .guess, or: ["too many sessions", "the connection was lost"]) }
        ),
        (["exit status", "exit code", "exited with", "non-zero exit"], { .known(.commandExitNonzero, .guess) }),
        (
            ["insufficient free space", "no space left", "disk full", "quota"],
            { .known(.sftpDiskFull, .guess, or: ["it is the disk here"]) }
        ),
        (
            [
                "protocol error", "protocol violation", "ssh_msg_", "unexpected packet", "packet length", "corrupt",
                "invalid packet", "packet too", "packet len ",
                "unexpected message", "bad packet",
            ],
            { .protocolBroken(at: .keyExchange) }
        ),
        (
            ["ssh agent", "ssh-agent", "authentication agent", "auth agent", "key agent", "use agent", "use the agent"],
            { .known(.agentUnavailable, .guess) }
        ),
    ]

    /// A connection that failed, for a reason that the line does not give.
    private static let unreached = [
        "could not connect", "couldn't connect", "cannot connect", "can't connect", "failed to connect", "unable to connect",
        "connection failed", "connect failed", "could not establish", "failed to establish", "unable to establish",
        "connection could not be", "connection error", "handshake failed", "failed connecting",
        "failed to create sftp session", "failed to create ssh session",
    ]

    /// The reading of a client's reason, in any of the usual English forms.
    static func reading(ofReason text: String) -> TranscriptReading? {
        let lower = text.lowercased()
        if ["no such file", "not found", "does not exist"].contains(where: { lower.mentions($0) }) {
            if lower.mentions("known_hosts") { return .known(.hostKeyKnownHostsUnreadable, .guess) }
            let keys = ["key file", "private key", "ssh key", "identity file", "id_rsa", "id_ed25519", ".pem"]
            if keys.contains(where: { lower.mentions($0) }) { return .key(.notFound, nil, "", .guess) }
        }
        if let known = reasons.first(where: { texts, _ in texts.contains { lower.mentions($0) } }) { return known.1() }
        if let number = ForeignText.systemError(text) { return .unconnected(number, .guess) }
        return ForeignText.resolverFailure(text) == nil ? nil : .unresolved(text, .guess)
    }

    /// Whether a word of the text begins with this one: `test` is no part of `latest`.
    private static func begins(_ word: String, in lower: String) -> Bool {
        var rest = lower[...]
        while let place = rest.firstPlace(of: word) {
            if word.first?.isLetter == false || lower[..<place.lowerBound].last?.isLetter != true { return true }
            rest = rest[place.upperBound...]
        }
        return false
    }

    private static let files = [
        "upload", "download", "transfer", "mkdir", "rename", "directory", "remote file", "remote path", "read file", "write file",
    ]

    /// The reading of a line about a file: SFTP's statuses in the usual English forms.
    private static func fileReading(of lower: String) -> TranscriptReading? {
        guard lower.mentions("sftp"), files.contains(where: { lower.mentions($0) }) else { return nil }
        if lower.mentions("permission denied") { return .known(.sftpPermissionDenied, .guess, or: ["the login was refused"]) }
        if lower.mentions("no space left") || lower.mentions("disk full") { return .known(.sftpDiskFull, .guess) }
        return lower.mentions(": failure") ? .known(.sftpWriteFailed, .guess) : nil
    }

    /// The reading of a line; nil if it is not a client's, or gives no reason.
    static func reading(of line: String, _ marks: LineMarks) -> TranscriptReading? {
        guard marks.contains(.unknownClient), line.utf8.count < 400 else { return nil }
        let lower = TranscriptTemplate.withoutQuotations(line).lowercased()
        let isEnglish = !foreign.contains { lower.mentions($0) }
        guard !isEnglish || (own + subjects).contains(where: { lower.mentions($0) }),
            !isEnglish || failures.contains(where: { lower.mentions($0) }),
            !others.contains(where: { begins($0, in: lower) }), !QuotedMessages.contains(line, marks)
        else { return nil }
        if let reading = fileReading(of: lower) { return reading.ranked(.ending) }
        if let reading = reading(ofReason: lower) {
            // A status is the message of a program that ran ssh. ssh's own messages contain more.
            return reading.ranked(reading.evidence.stage == .command ? .wrapper : .ending)
        }
        return (isEnglish ? unreached : connections).contains { lower.mentions($0) } ? .notReached() : nil
    }
}
