import ErrorCore

/// Messages saying that an operation needs root or another account.
enum RemotePrivilege {
    /// - Parameter programs: The programs of the command line, for a line that does not begin with its program.
    static func cause(of line: RemoteLine, _ text: String, programs: Set<String>) -> SSHRemoteCause? {
        let lower = text.lowercased()
        guard texts.contains(where: { lower.contains($0) }) else { return nil }
        guard let program = program(of: line) ?? (programs.count == 1 ? programs.first : nil) else { return nil }
        return SSHRemoteCause(
            "privilege-required", .permissionDenied(tool: program),
            "\(program) may only be used by root, or by another account, on the server: \(text.oneLine())", .likely)
    }

    /// The program that printed the line, after the prompt that it left on the same line.
    private static func program(of line: RemoteLine) -> String? {
        let names = line.segments(in: 0..<line.characters.count).dropLast().map { RemoteProgram.base(line.text($0)) }
        let prompts: Set<String> = ["Password", "PAM", "error", "Passwort", "Mot de passe", "Contraseña", "パスワード", "密码", "密碼"]
        return names.first { !prompts.contains($0) && !$0.contains(where: \.isWhitespace) }
    }

    private static let texts = [
        "must be superuser", "requires superuser privilege", "are you root?", "you must be root", "must be run as root",
        "you need to be root", "must be root to", "needs to be run as root", "only root can", "only root may", "requires root",
        "root privileges", "run under the root user", "please run as root", "interactive authentication required",
        "authentication failure", "superuser-rechte", "droits du superutilisateur", "root-rechte", "derechos de superusuario",
        "privilegios de superusuario", "スーパーユーザ", "超级用户", "超級使用者", "root 用户运行",
    ]
}

/// TLS messages of OpenSSL, GnuTLS, Go, Java, Python, Node, curl and wget.
enum RemoteSecurity {
    static func cause(of line: String) -> SSHRemoteCause? {
        let lower = line.lowercased()
        guard texts.contains(where: { lower.contains($0) }) else { return nil }
        return SSHRemoteCause(
            "tls-failed", .sslError(description: line.oneLine()), "TLS failed on the remote side: \(line.oneLine())", .likely)
    }

    private static let texts = [
        "ssl certificate problem", "certificate verify failed", "certificate verification failed",
        "certificate verification error",
        "self-signed certificate", "self signed certificate", "certificate has expired", "certificate is not yet valid",
        "unable to get local issuer certificate", "unable to verify the first certificate", "unable to locally verify the issuer",
        "tls handshake", "ssl handshake", "sslhandshakeexception", "tls: handshake failure", "tls connect error",
        "handshake failure", "alert internal error", "alert protocol version", "wrong version number",
        "pkix path building failed",
        "x509: certificate", "x509: cannot", "x509: failed to", "server certificate verification failed",
        "no alternative certificate subject name", "err_tls_cert_altname_invalid", "certificate is not trusted",
        "the certificate of ", "gnutls_handshake()", "gnutls: handshake", "ssl_connect", "ssl_error_syscall", "ssl connect error",
        "first record does not look like a tls handshake", "ssl: wrong_version_number", "error setting certificate",
    ]
}

extension RemotePrograms {
    /// sudo(8) asks for a password or a terminal, or refuses.
    static let elevation: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        let index = failure.lines.lastIndex { line in
            let lower = line.lowercased()
            return (lower.mentions("sudo") || lower.mentions("allowed to execute")) && refusals.contains { lower.mentions($0) }
        }
        if let index {
            let line = failure.lines[index]
            let isLast = TrailingOutput.addsNothing(failure.lines[(index + 1)...], after: line)
            return refused(line, isLast ? .exact : .likely)
        }
        // Other languages: the last line is sudo's complaint, and the status is sudo's own 1.
        guard failure.status == 1, RemoteProgram.elevates(failure.command), let last = failure.lines.last,
            last.hasPrefix("sudo: "), RemoteLines.cause(of: last) == nil, !last.contains("command not found")
        else { return nil }
        return refused(last, .guess)
    }

    private static func refused(_ line: String, _ confidence: SSHError.Confidence) -> SSHRemoteCause {
        SSHRemoteCause(
            "sudo-refused", .permissionDenied(tool: "sudo"), "sudo did not allow it on the server: \(line.oneLine())", confidence)
    }

    /// Messages of sudo 1.9 and their translations, in lower case.
    private static let refusals = [
        "a terminal is required", "a password is required", "no tty present", "must have a tty", "not in the sudoers file",
        "may not run sudo", "is not allowed to execute", "not allowed to run sudo", "incorrect password attempt",
        "effective uid is not 0", "\"no new privileges\" flag", "account or password is expired", "account validation failure",
        "ist ein terminal erforderlich", "ein passwort ist notwendig", "nicht in der sudoers-datei", "darf sudo ",
        "darf der benutzer",
        "passwort-eingabe", "müssen ein tty",
        "un terminal est requis", "nécessaire de saisir un mot de passe", "dans le fichier sudoers", "ne peut pas utiliser sudo",
        "n'est pas autorisé à exécuter", "mot de passe incorrecte", "avoir un terminal tty",
        "端末が必要です", "パスワードが必要です", "sudoers ファイルにありません", "sudo を実行できません", "許可されていません", "tty が必要です",
        "需要一个终端", "需要密码", "不是 sudoers 文件", "运行 sudo", "无权以", "次错误密码", "必须拥有一个终端",
        "需要終端器", "需要密碼", "不在 sudoers", "執行 sudo", "次密碼錯誤", "必須先要有終端",
    ]
}
