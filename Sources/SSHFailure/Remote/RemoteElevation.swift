import ErrorCore

extension RemotePrograms {
    /// sudo(8) wants a password or a terminal, or says no.
    static let elevation: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        let index = failure.lines.lastIndex { line in
            let lower = line.lowercased()
            return (lower.mentions("sudo") || lower.mentions("allowed to execute")) && refusals.contains { lower.mentions($0) }
        }
        if let index {
            let line = failure.lines[index]
            let closes = RemoteEpilogue.closes(failure.lines[(index + 1)...], after: line)
            return refused(line, closes ? .exact : .likely)
        }
        // Other languages: sudo's own complaint as the last word, with its own status 1.
        guard failure.status == 1, RemoteProgram.elevates(failure.command), let last = failure.lines.last,
            last.hasPrefix("sudo: "), RemoteLines.cause(of: last) == nil, !last.contains("command not found")
        else { return nil }
        return refused(last, .guess)
    }

    private static func refused(_ line: String, _ confidence: SSHError.Confidence) -> SSHRemoteCause {
        SSHRemoteCause(
            "sudo-refused", .permissionDenied(tool: "sudo"), "sudo did not allow it on the server: \(line.oneLine())", confidence)
    }

    /// sudo 1.9's words, and those of its translations, in lower case.
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
