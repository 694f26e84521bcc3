/// What accounts without a command shell, and servers before a forced password change, print in place of the command.
enum LoginShellTexts {
    /// nologin(8), OpenSSH's internal-sftp, rssh, git-shell, hosting services; in lower case. Each is the program's only word: in longer output it is the command's own, or a nested login's.
    private static let denials = [
        "this account is currently not available", "this account is not available", "this account is currently disabled",
        "this service allows sftp connections only",
        "this account is restricted by rssh", "interactive git shell is not enabled", "does not provide shell access",
        "shell access is disabled", "shell access is not", "shell access not", "shell access denied", "no shell access",
        "shell login not allowed", "shell logins are not", "interactive shell is not", "command execution not allowed",
        "this account may only", "login not permitted", "logins are not permitted", "logins disabled on this",
    ]

    /// The line that says that the account runs no commands, if the output is little else than that.
    static func denial(_ evidence: SSHEvidence) -> String? {
        guard let command = evidence.command, command.exitStatus != 0 else { return nil }
        let lines = (command.standardOutputTail + "\n" + command.standardErrorTail)
            .split(whereSeparator: \.isNewline).map(String.init).filter { !RemoteText.isNoise($0) }
        guard lines.count <= 4 else { return nil }
        return lines.first { line in
            let lower = line.lowercased()
            return denials.contains { lower.contains($0) }
        }
    }

    /// Whether the server runs nothing but SFTP for the account (OpenSSH sftp-server and session.c: a forced internal-sftp).
    static func allowsOnlySFTP(_ evidence: SSHEvidence) -> Bool {
        denial(evidence)?.lowercased().contains("sftp connections only") == true
    }

    /// OpenSSH's own words (session.c) begin the output; a command that changes passwords prints others before them.
    static func passwordExpired(_ evidence: SSHEvidence) -> Bool {
        guard let command = evidence.command, let status = command.exitStatus, status != 0 else { return false }
        let text = (command.standardErrorTail + "\n" + command.standardOutputTail).lowercased()
        let lines = text.split(whereSeparator: \.isNewline).filter { !RemoteText.isNoise(String($0)) }
        guard lines.count <= 8 else { return false }
        return text.contains("your password has expired")
            || text.contains("password change required but no tty available")
            || text.contains("you must change your password now and log")
    }

    /// A command that always succeeds and prints nothing, yet failed without output.
    static func failsWhatCannotFail(_ evidence: SSHEvidence) -> Bool {
        guard let command = evidence.command, command.exitStatus == 1 else { return false }
        let silent = command.standardOutputTail.isEmpty && command.standardErrorTail.isEmpty
        let words = command.command.split(separator: " ")
        let certain =
            words == ["true"] || words == [":"] || words == ["exit", "0"]
            || words.first == "echo" && !command.command.contains { ";&|<>$`".contains($0) }
        return silent && certain
    }
}
