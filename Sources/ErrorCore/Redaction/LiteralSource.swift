/// Finds secrets that a shell takes from a literal in a roundabout way: `TOKEN=$(echo X)`, `read -r PASS <<< X`,
/// `--password-command 'echo X'`.
enum LiteralSource {
    /// Texts without any of these have no such secret.
    static let hints =
        ["<<<", "password-command", "passwordeval", "PASSWORD_COMMAND", "PASSCOMMAND"]
        + SecretCommands.producers.flatMap { ["=$(\($0) ", "=\"$(\($0) ", "=`\($0) ", "=\"`\($0) "] }

    // MARK: NAME=$(echo X)

    /// Whether a word assigns, or begins to assign, what a command prints from its own words.
    static func isSecret(_ word: String, before rest: ArraySlice<String>) -> Bool {
        let name = word.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard word[name.endIndex...].first == "=" else { return false }
        let value = word[name.endIndex...].drop { "=\"".contains($0) }
        guard value.hasPrefix("$(") || value.hasPrefix("`") else { return false }
        let inner = value.drop { "$(`".contains($0) }.split(separator: " ").map(String.init)
        guard let program = inner.first, SecretCommands.producers.contains(program) else { return false }
        let printed = (inner.dropFirst() + (inner.count > 1 ? [] : rest)).filter { !ShellLine.isOptionOrFormat($0) }
        guard let first = printed.first else { return false }
        return isSecretName(name, first) || printed.count == 1 && isLiteral(first)
    }

    // MARK: read NAME <<< X

    private static let valued: Set<String> = ["-p", "-d", "-n", "-N", "-t", "-u", "-i", "-a"]

    /// Whether the command is `read` with a here-string that is a secret.
    static func isRead(_ words: [String]) -> Bool {
        guard let start = words.firstIndex(of: "read"), let mark = words[start...].firstIndex(where: { $0.hasPrefix("<<<") })
        else {
            return false
        }
        let glued = words[mark].dropFirst(3)
        let value = glued.isEmpty ? words[(mark + 1)...].first ?? "" : String(glued)
        var names: [String] = []
        var isValue = false
        for word in words[(start + 1)..<mark] {
            if isValue {
                isValue = false
            } else if word.hasPrefix("-") {
                if word.dropFirst().contains("s") { return true }
                isValue = valued.contains { word.hasSuffix($0.dropFirst()) }
            } else {
                names.append(word)
            }
        }
        return names.contains { isSecretName($0[...], value) } || names.count == 1 && isLiteral(value)
    }

    /// Whether a variable's name says that its value is a secret.
    private static func isSecretName(_ name: Substring, _ value: String) -> Bool {
        SecretNames.isSecretIfAssigned(name, value: value[...])
            && !SecretNames.isDirectory(name, value: ShellLine.plain(value)[...])
    }

    /// Whether a word is one plain value that mixes letters and digits, as passwords do.
    private static func isLiteral(_ word: String) -> Bool {
        let value = ShellLine.plain(word).trimmingEnd(")`")
        return value.count >= 6 && value.allSatisfy { !$0.isWhitespace && !"$`*?/~{}()%,:".contains($0) }
            && value.contains { $0.isNumber } && value.contains { $0.isLetter }
    }

    // MARK: --password-command 'echo X'

    /// Whether a word is a command whose output is a password, and prints its own words.
    static func isPrinted(_ word: String, after previous: String) -> Bool {
        let name = word.prefix { !"='\" ".contains($0) }
        if isCommandName(name), word[name.endIndex...].first == "=" {
            return SecretCommands.producers.contains(program(word[name.endIndex...].dropFirst()))
        }
        return isCommandName(previous[...]) && SecretCommands.producers.contains(program(word[...]))
    }

    private static func isCommandName(_ name: Substring) -> Bool {
        ["passwordcommand", "passcommand", "passwordeval"].contains { SecretNames.plain(name).hasSuffix($0) }
    }

    private static func program(_ line: Substring) -> String {
        ShellLine.name(String(line.drop { "\"'".contains($0) }.prefix { !$0.isWhitespace && !"\"'".contains($0) }))
    }

    /// The word with what is printed masked; it holds the whole command.
    static func mask(_ word: String) -> String {
        guard let space = word.firstIndex(where: \.isWhitespace) else { return word }
        let line = word.trimmingEnd("\"')`")
        var kept = word[...space]
        for part in word[..<line.endIndex][kept.endIndex...].split(separator: " ") {
            guard ShellLine.isOptionOrFormat(String(part)) else { break }
            kept = word[..<part.endIndex]
        }
        let gap = kept.last?.isWhitespace == true ? "" : " "
        return "\(kept)\(gap)\(SecretScanner.replacement)\(word[line.endIndex...])"
    }
}

extension String {
    /// The text without these characters at its end.
    fileprivate func trimmingEnd(_ characters: String) -> Substring {
        lastIndex { !characters.contains($0) }.map { self[...$0] } ?? ""
    }
}
