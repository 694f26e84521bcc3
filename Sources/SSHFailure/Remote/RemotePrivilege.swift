import ErrorCore

/// Programs that say that only root, or another account, may do what they were asked to.
enum RemotePrivilege {
    /// - Parameter programs: Those of the command line, for a line that does not begin with its program.
    static func cause(of line: RemoteLine, _ text: String, programs: Set<String>) -> SSHRemoteCause? {
        let lower = text.lowercased()
        guard texts.contains(where: { lower.contains($0) }) else { return nil }
        guard let program = program(of: line) ?? (programs.count == 1 ? programs.first : nil) else { return nil }
        return SSHRemoteCause(
            "privilege-required", .permissionDenied(tool: program),
            "\(program) may only be used by root, or by another account, on the server: \(text.oneLine())", .likely)
    }

    /// The program that says so, behind the prompt that it left on the line.
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
