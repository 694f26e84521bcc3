/// Finds secrets by the name of a setting or an action among a command's words, whatever the program: `git config api.token X`,
/// `-n node.auth.password -v X`, `reset-admin-password X`, `-u me:X@host`.
enum SecretSettings {
    /// Texts without any of these have no such secret.
    static let hints = [
        "secret", "SECRET", "token", "Token", "TOKEN", "pass", "Pass", "PASS", "pwd", "PWD", "cred", "-oauth.", "-basic.",
        "bearer.", "key", "Key", "KEY", "psk",
    ]

    static func mask(_ command: Int, in line: inout ShellLine) {
        let range = line.commands[command]
        let words = range.map { ShellLine.plain(line.tokens[$0].text) }
        let action = actionValue(in: words)
        /// Whether a program came before whose arguments are hosts.
        var isClient = false
        /// The place of the last verb.
        var verb: Int?
        /// Whether all following settings are credentials: `config http-basic.host me X`.
        var isList = false
        for (place, word) in words.enumerated() where !line.tokens[range[place]].isMasked {
            if word.hasPrefix(">") || word.hasPrefix("2>") { isList = false }
            if place == action || isList && !word.hasPrefix("-") || isValue(place, of: words, verb) {
                line.tokens[range[place]].mask(.separate)
            } else if isClient || hostOptions.contains(place > 0 ? words[place - 1] : "")
                || word.hasPrefix("-") && hostOptions.contains(String(word.prefix { $0 != "=" }))
            {
                line.tokens[range[place]].mask(.beforeHost)
            }
            isList = isList || verb != nil && isCredential(word)
            if verbs.contains(word) { verb = place }
            // `rsync -e ssh web1:a@b .` copies a file.
            isClient = isClient || clients.contains(ShellLine.name(word)) && !(place > 0 && words[place - 1] == "-e")
        }
    }

    // MARK: Settings

    /// Words before the name of a setting and its value.
    private static let verbs: Set<String> = [
        "config", "configure", "set", "put", "setx", "setenv", "set_network", "setprop", "user-secrets", "secrets",
    ]
    /// How many words may be between a verb and a value.
    private static let reach = 6
    /// A setting for a host has a dot; these are the possible ends of the part before it: `pypi-token.pypi`, of Poetry and Composer.
    private static let credentials = ["-token", "-oauth", "http-basic", "bearer"]
    private static let nameOptions: Set<String> = ["-n", "--name", "-k", "--key", "--param", "--setting"]
    private static let valueOptions: Set<String> = ["-v", "--value"]
    /// Commands of routers and switches, which give a password's type as a digit: `username me secret 0 X`.
    private static let deviceCommands: Set<String> = [
        "username", "enable", "neighbor", "tacacs-server", "radius-server", "crypto", "ip", "key-string", "ntp",
    ]

    private static func isCredential(_ name: String) -> Bool {
        guard let dot = name.firstIndex(of: ".") else { return false }
        return credentials.contains { name[..<dot].hasSuffix($0) }
    }

    private static func isValue(_ place: Int, of words: [String], _ verb: Int?) -> Bool {
        let word = words[place]
        guard place > 1, !word.hasPrefix("-"), !SecretNames.isProse(word[...]) else { return false }
        let name = words[place - 1]
        if valueOptions.contains(name) {
            return place > 2 && nameOptions.contains(words[place - 3]) && isCompound(words[place - 2])
                && SecretNames.isSecret(words[place - 2])
        }
        if name.count == 1, name.allSatisfy(\.isNumber), ["password", "secret", "key"].contains(words[place - 2]) {
            return words[..<place].suffix(reach).contains(where: deviceCommands.contains)
        }
        guard let verb, verb < place - 1, place - verb <= reach else { return false }
        return isSetting(name, value: word, verb: words[verb])
    }

    private static func isSetting(_ name: String, value: String, verb: String) -> Bool {
        guard !name.hasPrefix("-"), !name.contains("="), !value.hasPrefix("/"), !value.hasPrefix("./") else { return false }
        if verb == "set_network", SecretNames.isShort(name) { return true }
        guard SecretNames.isSecret(name) else { return false }
        if name.hasPrefix("/") { return ["put", "set"].contains(verb) }
        return isCompound(name) || name.allSatisfy { !$0.isLowercase }
            || !name.hasPrefix("set-") && SecretNames.isMixed(value[...])
    }

    /// Whether a name is no word of a sentence.
    private static func isCompound(_ name: String) -> Bool { name.contains { "./_:".contains($0) } }

    // MARK: Actions

    private static let actionVerbs: Set<Substring> = ["set", "reset", "change", "update", "user"]
    /// Programs whose arguments are names of files or units.
    private static let fileOrUnitCommands: Set<String> = [
        "man", "ls", "cat", "grep", "which", "type", "less", "vi", "vim", "systemctl", "kubectl", "git", "journalctl",
    ]

    /// The place of the password of `set-password me X`: the last word.
    private static func actionValue(in words: [String]) -> Int? {
        guard words.count > 2, let last = words.last, !"-<>".contains(last.first ?? "-"), !SecretNames.isProse(last[...]),
            let action = words.dropFirst().dropLast().lastIndex(where: isAction),
            !words[..<action].contains(where: fileOrUnitCommands.contains)
        else {
            return nil
        }
        return words.count - 1
    }

    private static func isAction(_ word: String) -> Bool {
        guard !word.hasPrefix("-"), !word.contains("="), word.contains("passw") else { return false }
        let parts = word.lowercased().split { !$0.isLetter }
        guard let last = parts.last else { return false }
        if ["setpassword", "resetpassword", "changepassword"].contains(last) { return true }
        return ["password", "passwd"].contains(last) && parts.dropLast().contains(where: actionVerbs.contains)
    }

    // MARK: me:X@host

    /// Options whose value is a host or a user.
    private static let hostOptions: Set<String> = [
        "-u", "--user", "--username", "-l", "--login", "--url", "--uri", "-x", "--proxy", "-H", "-h", "--host", "--server",
        "--target", "--connect", "-d", "--dsn", "--remote", "-J",
    ]
    /// Programs whose arguments are hosts.
    private static let clients: Set<String> = ["ssh", "mosh", "ssh-copy-id", "mysqlsh", "bridge-ssh"]
}

/// Finds commands that write a file of secrets: `cat > ~/.pgpass <<EOF`, `echo X | tee /etc/ppp/chap-secrets`.
enum SecretFiles {
    /// Texts without any of these name no such file, apart from the names that ``SecretSettings/hints`` has.
    static let hints = [
        "netrc", "my.cnf", "s3cfg", ".boto", "pypirc", "npmrc", "msmtprc", "fetchmailrc", "wpa_supplicant", "shadow",
    ]

    private static let names = [
        "pgpass", "netrc", "_netrc", "my.cnf", "s3cfg", "boto", "pypirc", "npmrc", "msmtprc", "fetchmailrc",
        "wpa_supplicant.conf", "shadow",
    ]
    private static let extensions = [".txt", ".conf", ".cnf", ".cfg", ".ini", ".env", ".yml", ".yaml", ".json"]

    static func isSecret(_ path: some StringProtocol) -> Bool {
        var name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        if name.first == "." { name = name.dropFirst() }
        // And copies: `.pgpass.new`.
        if names.contains(where: name.lowercased().hasPrefix) { return true }
        for end in extensions where name.hasSuffix(end) { name = name.dropLast(end.count) }
        return SecretNames.isSecret(name) || SecretNames.plain(name).hasSuffix("secrets") || name.hasPrefix("passwd-")
    }

    /// Whether the command writes such a file. A quoted word may be a command for another host: `ssh web1 'cat > ~/.pgpass'`.
    static func isWritten(by words: [String]) -> Bool {
        let parts = words.flatMap { ShellLine.plain($0).split(whereSeparator: \.isWhitespace) }
        var isTarget = false
        var isWriter = false
        for part in parts {
            let file = part.hasPrefix("of=") ? part.dropFirst(3) : part.drop { $0 == ">" || $0 == "|" }
            let isRedirection = file.startIndex != part.startIndex
            if isTarget || isWriter || isRedirection, !file.isEmpty, isSecret(file) { return true }
            isTarget = isRedirection && file.isEmpty
            isWriter = isWriter || ["tee", "sponge", "/dev/stdin"].contains(part)
        }
        return false
    }
}
