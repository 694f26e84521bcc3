/// Lines of unknown clients. Common English words about SSH and a reason give a guess.
enum UnknownClient {
    /// A line without one of these words is ignored.
    static let words = ["ssh", "sftp", "scp://", "port 22", ":22"] + own

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
        "sftp download", "ssh://", "sftp://", "scp://", "ssh-", "for ssh", "ssh operator", "ssh protocol", "ssh banner",
        "ssh subsystem", "sftp subsystem", "sftp protocol", "ssh config", "ssh exited", "ssh failure", "ssh2", "sshfs", "(ssh)",
        // The names of libraries, and of their classes.
        "asyncssh", "sshj", "libssh", "::ssh", ":ssh", "sshnet", "sshkit", "sshlib", "sshtunnel", "ssh_exception", "ssh_connect",
        "ssh_auth", "ssh_error", "ssh_session", "ssh_channel", "ssh_fx_", "ssh_msg_", "ssh_userauth", "ssh_packet", "ssh_kex",
        "ssh_scp",
        "ssh_disconnect",
        "ssh.connect",
        "sftpexception", "sftperror", "sftpclient", "sshoperation", "sshpassphrase", "sshauth", "sftpstatus", "class=ssh",
        "sftp.connect", "sftpconnect", "[ssh", "[sftp", "ssh.", "/ssh ", "ssh'",
    ]
    private static let failures = [
        "fail", "error", "could not", "couldn't", "cannot", "can't", "unable", "refused", "timed out", "timeout", "denied",
        "lost", "err:",
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
        "import ", "known issue", "bump ", "fixes ",
        "failed to connect to the host via ssh", "fixed", "added:", "(#", "disable", "enable", "will ", "should ", "would ",
        "sshlauncher{", "i get ", "we had ", "how to ", "how do ", "what to do", "any ideas", "scan", "health check",
        "may ", "might ", "probe", "selenium", "errors=0", "0 errors", "keyerror:", "nameerror:", "attributeerror:", "typeerror:",
        "referenceerror:",
        "[info]", "ssh2_msg", " -o ", "for user \"", "read_entries:", "up to ", "#define ", "syn ", "return error",
        "returns error", "so any ", "there were no ", "uses a ", "to_bytes", "to_text", "ftp ", "undefined reference",
        // A shell's own error.
        ": line ",
    ]

    /// A connection that failed, for a reason that the line does not give.
    private static let unreached = [
        "could not connect", "couldn't connect", "cannot connect", "can't connect", "failed to connect", "unable to connect",
        "connection failed", "connect failed", "could not establish", "failed to establish", "unable to establish",
        "connection could not be", "connection error", "handshake failed", "failed connecting",
        "failed to create sftp session", "failed to create ssh session",
    ]

    /// The beginnings of lines of source code, and of their comments.
    private static let statements = [
        "with ", "def ", "class ", "return ", "raise ", "throw ", "import ", "from ", "elif ", "except ", "func ", "var ", "let ",
        "const ", "public ", "private ", "static ", "//", "/*", "# ", "## ", "### ", ".. ", ":param", "@param", "case ",
        "self.", "module.", "assert", "- return ",
    ]

    /// Whether the line is source code: `ssh.connect(host, timeout=timeout)`.
    private static func isCode(_ line: String) -> Bool {
        if statements.contains(where: { line.hasPrefix($0) }) { return true }
        // A compiler's message: `src/ssh.c:22:5: error: 'timeout' undeclared`
        if let mark = line.firstPlace(of: ": error: ") ?? line.firstPlace(of: ": warning: ") {
            let parts = line[..<mark.lowerBound].split(separator: ":")
            if parts.count > 1, parts.last.map({ Int($0) != nil }) == true,
                parts.dropLast().contains(where: { part in sources.contains { part.hasSuffix($0) } })
            {
                return true
            }
        }
        guard let last = line.utf8.last, line.mentions("(") || line.mentions(" = ") else { return false }
        return ";,\\(".utf8.contains(last) || line.hasSuffix(") {")
    }

    /// Whether a failure is a time limit that is only named: `connect_timeout=10`.
    private static func namesFailure(_ lower: String) -> Bool {
        if failures.contains(where: { $0 != "timeout" && lower.mentions($0) }) { return true }
        var rest = lower[...]
        while let place = rest.firstPlace(of: "timeout") {
            let (before, behind) = (lower[..<place.lowerBound].last, lower[place.upperBound...].prefix(2))
            // `with timeout 10000`
            let isValue = behind.first == " " && behind.last?.isNumber == true
            let isName = before == "_" || before == "-" || before?.isLetter == true || "=_'\")-".contains(behind.first ?? " ")
            if !isName, !isValue { return true }
            rest = rest[place.upperBound...]
        }
        return false
    }

    private static let anySubject = WordSet(own + subjects)
    private static let anyForeign = WordSet(foreign)
    private static let anyOther = WordSet(others)

    private static func isAboutOther(_ lower: String) -> Bool {
        anyOther.occurs(in: lower) && others.contains { begins($0, in: lower) }
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

    /// The ends of the names of files whose lines have numbers.
    private static let sources = [
        ".c", ".h", ".cc", ".cpp", ".cs", ".go", ".java", ".js", ".kt", ".php", ".py", ".rb", ".rs", ".swift", ".ts", ".yml",
    ]

    /// Whether the line has SSH's port: `192.0.2.1:22: i/o timeout`. A time is `10:22:05`.
    private static func namesPort(_ lower: String) -> Bool {
        var rest = lower[...]
        while let place = rest.firstPlace(of: "22") {
            rest = rest[place.upperBound...]
            let (before, behind) = (lower[..<place.lowerBound], rest.prefix(2))
            if behind.first?.isNumber == true || behind.first == ":" && behind.last?.isNumber == true { continue }
            if before.hasSuffix("port ") || before.hasSuffix("port=") { return true }
            guard before.last == ":", let host = before.dropLast().split(separator: " ").last,
                !sources.contains(where: { host.hasSuffix($0) })
            else { continue }
            if host.contains(where: { $0 == "." || $0.isLetter || $0 == "*" }) { return true }
        }
        return false
    }

    private static let files = [
        "upload", "download", "transfer", "mkdir", "rename", "directory", "remote file", "remote path", "read file", "write file",
    ]

    /// The reading of a line about a file: SFTP's statuses in the usual English forms.
    private static func fileReading(of lower: String) -> TranscriptReading? {
        guard lower.mentions("sftp") || lower.mentions("ssh://"), files.contains(where: { lower.mentions($0) }) else {
            return nil
        }
        if lower.mentions("permission denied") { return .known(.sftpPermissionDenied, .guess, or: ["the login was refused"]) }
        if lower.mentions("no space left") || lower.mentions("disk full") { return .known(.sftpDiskFull, .guess) }
        return lower.mentions(": failure") ? .known(.sftpWriteFailed, .guess) : nil
    }

    /// The reason in a line below a message that gives none.
    static func reason(in line: String) -> TranscriptReading? {
        let lower = line.lowercased()
        guard line.utf8.count < 400, !StackLines.contains(line), !isCode(line),
            !isAboutOther(lower), !lower.mentions("timeout") || namesFailure(lower)
        else { return nil }
        let reading = CommonReasons.reading(of: lower)
        // A program prints the end of its ssh after any failure.
        if case .streamEnded? = reading?.evidence.event { return nil }
        return reading.flatMap {
            [.command, .sftp, .local, .session, .channel].contains($0.evidence.stage) ? nil : $0.ranked(.ending)
        }
    }

    /// The reading of a line; nil if it is not a client's, or gives no reason.
    static func reading(of line: String, _ marks: LineMarks) -> TranscriptReading? {
        guard marks.contains(.unknownClient), line.utf8.count < 400, !StackLines.contains(line) else { return nil }
        // The names of the directories of keys and of agents' sockets are no words about a client.
        var lower = TranscriptTemplate.withoutQuotations(line).lowercased()
        if lower.mentions("/.ssh") { lower = lower.replacing("/.ssh", with: "/") }
        if lower.mentions("/tmp/ssh-") { lower = lower.replacing("/tmp/ssh-", with: "/tmp/") }
        let isEnglish = !anyForeign.occurs(in: lower)
        guard !isEnglish || anySubject.occurs(in: lower) || namesPort(lower),
            !isEnglish || namesFailure(lower), !isCode(line), !isAboutOther(lower), !QuotedMessages.contains(line, marks)
        else { return nil }
        if let reading = fileReading(of: lower) { return reading.ranked(.ending) }
        if let reading = CommonReasons.reading(of: lower) {
            // A status is the message of a program that ran ssh. ssh's own messages contain more.
            return reading.ranked(reading.evidence.stage == .command ? .wrapper : .ending)
        }
        return (isEnglish ? unreached : connections).contains { lower.mentions($0) } ? .notReached() : nil
    }
}
