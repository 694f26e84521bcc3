/// Finds secrets in free text by their names and shapes: the standard rule of ``Redactor``.
///
/// If a secret is likely, it masks too much rather than too little. It leaves prose alone: "the password was refused".
enum SecretScanner {
    static let replacement = "•••"

    /// The text with every recognised secret replaced.
    static func mask(_ text: String) -> String {
        guard mayHoldSecret(text) else { return text }
        var result = SecretBlocks.mask(text)
        result = SecretURLs.mask(result)
        result = SecretDataSources.mask(result)
        result = SecretOptions.mask(result)
        result = ExpectScripts.mask(result)
        result = SecretAssignments.mask(result)
        return SecretShapes.mask(result)
    }

    /// Whether a name denotes a secret: `DB_PASSWORD`, `api-key`, `accessToken`.
    static func isSecretName(_ name: some StringProtocol) -> Bool {
        SecretNames.isSecret(name)
    }

    /// A cheap first test: nearly all texts contain no secret.
    private static func mayHoldSecret(_ text: String) -> Bool {
        hints.isIn(text) || SecretCommands.names.isIn(text) || SecretShapes.mayMatch(text) || SecretURLs.mayHavePassword(text)
    }

    private static let hints = PatternSet(
        [
            "://", "pass", "pwd", "secret", "token", "key", "auth", "credential", "cookie", "bearer", "basic ", "sig", "access_",
            "otp",
            "pin=", "--pin", "pw=", "--pw", "psk=", "--psk", "identified", "expect", "curl", "mysql", "maria", "redis-cli",
            "ldap",
            "smbclient", "docker", "zip", "7z", "mongo",
            "user(", "login(", ",p=", "psql", "-pw", "_pw", "-pin", "-psk", "_psk",
        ], ignoresCase: true)
}

/// Private keys in text armour (RFC 7468 section 2, OpenPGP's RFC 9580 section 6.2). Everything between the BEGIN and END lines
/// is masked, or everything up to the end of the text.
enum SecretBlocks {
    static func mask(_ text: String) -> String {
        ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"].reduce(text) { mask($0, marker: $1) }
    }

    private static func mask(_ text: String, marker end: String) -> String {
        var output = ""
        var rest = text[...]
        while let marker = rest.firstRange(of: end), rest[..<marker.lowerBound].contains("-----BEGIN") {
            output += rest[..<marker.upperBound] + SecretScanner.replacement
            rest = rest[marker.upperBound...]
            // Already masked: the text that follows is not the key.
            if rest.hasPrefix(SecretScanner.replacement) {
                rest = rest.dropFirst(SecretScanner.replacement.count)
                continue
            }
            rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
        }
        return output + rest
    }
}

/// Transfers the masking of a line to its words.
///
/// The masked line is cut at its masks, and the pieces between them are located in the original line, in order. Only text that is
/// in the masked line is kept.
struct WordMask {
    /// The parts of the line that stay.
    private var kept: [Range<String.Index>] = []
    private let line: String

    /// Nil if the masked line has text that the original lacks.
    init?(_ line: String, _ masked: String) {
        self.line = line
        let parts = masked.split(separator: SecretScanner.replacement, omittingEmptySubsequences: false)
        var start = line.startIndex
        for (number, part) in parts.enumerated() {
            let isLast = number == parts.count - 1
            guard !part.isEmpty || isLast else { continue }
            let found: Range<String.Index>?
            if number == 0 {
                found = line.hasPrefix(part) ? line.startIndex..<line.index(line.startIndex, offsetBy: part.count) : nil
            } else if isLast {
                let begin = line.index(line.endIndex, offsetBy: -part.count, limitedBy: start)
                found = begin.flatMap { line[$0...] == part ? $0..<line.endIndex : nil }
            } else {
                found = line[start...].firstRange(of: String(part))
            }
            guard let found else { return nil }
            kept.append(found)
            start = found.upperBound
        }
    }

    /// The words without their masked parts; the line is the words joined by single spaces.
    func applied(to words: [String]) -> [String] {
        var start = line.startIndex
        return words.map { word in
            let end = line.index(start, offsetBy: word.count)
            defer { if end < line.endIndex { start = line.index(after: end) } }
            return masked(start..<end)
        }
    }

    private func masked(_ word: Range<String.Index>) -> String {
        var text = ""
        var place = word.lowerBound
        for part in kept where part.upperBound > word.lowerBound && part.lowerBound < word.upperBound {
            let shown = part.clamped(to: word)
            if shown.lowerBound > place { text += SecretScanner.replacement }
            text += line[shown]
            place = shown.upperBound
        }
        return place < word.upperBound ? text + SecretScanner.replacement : text
    }
}

/// Finds secrets that a script of expect(1) sends in answer to a question: `expect "assword:"; send "X\r"`.
enum ExpectScripts {
    /// Parts of questions for a secret.
    private static let questionHints = [
        "assw", "assphrase", "asscode", "secret", "token", "otp", "verification", " pin", "\"pin",
    ]

    static func mask(_ text: String) -> String {
        guard text.contains("expect"), text.contains("send"), text.contains("spawn") || text.contains("-c") else { return text }
        var output = ""
        var rest = text[...]
        // Without a question, what is sent may be an answer to any.
        var isSecret = true
        while let word = rest.firstRange(of: "send") {
            let before = rest[..<word.lowerBound]
            let last = before.last ?? output.last
            output += rest[..<word.upperBound]
            rest = rest[word.upperBound...]
            guard rest.first?.isWhitespace == true, last.map({ $0.isWhitespace || ";{\"'".contains($0) }) ?? true else {
                continue
            }
            isSecret = isAnswer(to: before) ?? isSecret
            if isSecret { maskValue(&rest, &output) }
        }
        return output + rest
    }

    /// Whether what is sent after this text is a secret; nil if the text has no question.
    private static func isAnswer(to text: Substring) -> Bool? {
        let question = text.ranges(of: "expect").last.map { text[$0.upperBound...] } ?? text
        if questionHints.contains(where: question.lowercased().contains) { return true }
        // The program itself, or the start of what it talks to.
        let isQuestion =
            question.contains { "\"{".contains($0) } && !question.contains("spawn")
            && !question.drop(while: \.isWhitespace).hasPrefix("-c")
        return isQuestion ? false : nil
    }

    /// Masks the word after `send`, and its options.
    private static func maskValue(_ rest: inout Substring, _ output: inout String) {
        func take(_ part: Substring) {
            output += part
            rest = rest[part.endIndex...]
        }
        take(rest.prefix(while: \.isWhitespace))
        while rest.first == "-" {
            take(rest.prefix { !$0.isWhitespace })
            take(rest.prefix(while: \.isWhitespace))
        }
        let opening = ["\\\"", "\"", "{"].first { rest.hasPrefix($0) } ?? ""
        let value: Substring
        if opening.isEmpty {
            value = rest.prefix { !$0.isWhitespace && !";}\"'".contains($0) }
            guard value.contains("\\r") || value.contains("\\n") else { return }
        } else {
            let inner = rest.dropFirst(opening.count)
            guard let end = inner.firstRange(of: opening == "{" ? "}" : opening) else { return }
            value = inner[..<end.lowerBound]
        }
        // A variable's value is not in the text, and keys such as return are no secret.
        let typed = value.replacing("\\r", with: "").replacing("\\n", with: "").filter { $0 != "\\" }
        guard !typed.isEmpty, !typed.hasPrefix("$") else { return }
        take(rest.prefix(opening.count))
        output += SecretScanner.replacement
        rest = rest[value.endIndex...]
    }
}
