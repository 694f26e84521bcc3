/// Finds secrets in free text by the names and shapes that announce them.
enum SecretScanner {
    static let replacement = "•••"

    /// The ends of the names of secrets, compared without case, `-` and `_`.
    private static let secretNames = [
        "password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "secretkey", "privatekey",
        "credential", "credentials", "authorization", "cookie", "sshpass",
    ]

    /// Whether a name is that of a secret: `DB_PASSWORD`, `api-key`, `accessToken`.
    static func isSecretName(_ name: some StringProtocol) -> Bool {
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != "\"" && $0 != "'" }
        return secretNames.contains { plain.hasSuffix($0) }
    }

    /// The text with every secret that can be told replaced.
    static func mask(_ text: String) -> String {
        guard mayHoldSecret(text) else { return text }
        return maskAssignments(maskURLs(maskKeyBlocks(text)))
    }

    /// A cheap test first: nearly all texts hold none.
    private static func mayHoldSecret(_ text: String) -> Bool {
        let lower = text.lowercased()
        return lower.contains("://") || lower.contains("private key") || lower.contains("bearer ") || lower.contains("basic ")
            || secretNames.contains { lower.contains($0) } || lower.contains("key") || lower.contains("access_")
    }

    /// PEM and OpenSSH private keys (RFC 7468 section 2): everything between the lines, or to the end.
    private static func maskKeyBlocks(_ text: String) -> String {
        let end = "PRIVATE KEY-----"
        var output = ""
        var rest = text[...]
        while let marker = rest.firstRange(of: end), rest[..<marker.lowerBound].contains("-----BEGIN") {
            output += rest[..<marker.upperBound] + replacement
            rest = rest[marker.upperBound...]
            rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
        }
        return output + rest
    }

    /// The password of `scheme://user:password@host` (RFC 3986 section 3.2.1).
    private static func maskURLs(_ text: String) -> String {
        var output = ""
        var rest = text[...]
        while let scheme = rest.firstRange(of: "://") {
            output += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let authority = rest.prefix { !"/?# \t\n\"'".contains($0) }
            if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
                output += authority[...colon] + replacement
                rest = rest[at...]
            }
        }
        return output + rest
    }

    /// `name=value`, `name: value`, `--name value`, `Bearer value`: the value, up to the end of the word or its quotes.
    private static func maskAssignments(_ text: String) -> String {
        var output = ""
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix(while: isNameCharacter)
            output += word
            rest = rest.dropFirst(word.count)
            if !word.isEmpty, let gap = gapBeforeValue(after: word, in: rest) {
                output += gap
                rest = rest.dropFirst(gap.count)
                rest = skipValue(rest, to: &output)
            } else if let character = rest.popFirst() {
                output.append(character)
            }
        }
        return output
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }

    /// What stands between the name of a secret and its value; nil where none follows.
    private static func gapBeforeValue(after name: Substring, in rest: Substring) -> Substring? {
        let isScheme = name.lowercased() == "bearer" || name.lowercased() == "basic"
        guard isScheme || isSecretName(name) else { return nil }
        let gap = rest.prefix { " \t=:\"'".contains($0) }
        let assigned = gap.contains("=") || gap.contains(":")
        // A bare name followed by a word is prose ("the password was refused") unless it is an option's.
        guard !gap.isEmpty, gap.count < rest.count, assigned || isScheme || name.hasPrefix("-") else { return nil }
        return gap
    }

    private static func skipValue(_ rest: Substring, to output: inout String) -> Substring {
        let quote = output.last.flatMap { "\"'".contains($0) ? $0 : nil }
        let value = rest.prefix { character in
            if let quote { return character != quote }
            return !character.isWhitespace && !"&;,|\"'".contains(character)
        }
        // "Authorization: Bearer x": the scheme is kept, and the value after it is masked in its turn.
        if ["bearer", "basic"].contains(value.lowercased()) { return rest }
        output += replacement
        return rest.dropFirst(value.count)
    }
}
