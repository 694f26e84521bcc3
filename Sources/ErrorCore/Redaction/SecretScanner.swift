/// Finds secrets in free text by the names and shapes that announce them: the standard rule of ``Redactor``.
///
/// It prefers to mask too much where a secret is likely, and leaves prose alone: "the password was refused".
enum SecretScanner {
    static let replacement = "•••"

    /// The text with every secret that can be recognised replaced.
    static func mask(_ text: String) -> String {
        guard mayHoldSecret(text) else { return text }
        var result = SecretBlocks.mask(text)
        result = SecretURLs.mask(result)
        result = SecretOptions.mask(result)
        result = SecretAssignments.mask(result)
        return SecretShapes.mask(result)
    }

    /// Whether a name denotes a secret: `DB_PASSWORD`, `api-key`, `accessToken`.
    static func isSecretName(_ name: some StringProtocol) -> Bool {
        SecretNames.isSecret(name)
    }

    /// A cheap test first: nearly all texts hold none.
    private static func mayHoldSecret(_ text: String) -> Bool {
        hints.isIn(text) || SecretCommands.names.isIn(text) || SecretShapes.mayMatch(text)
    }

    private static let hints = PatternSet(
        [
            "://", "pass", "pwd", "secret", "token", "key", "auth", "credential", "cookie", "bearer", "basic ", "sig", "access_",
            "otp",
            "pin=", "--pin", "pw=", "--pw", "psk=", "--psk", "identified by", "curl", "mysql", "maria", "redis-cli", "ldap",
            "smbclient", "docker", "zip", "7z", "mongo",
            "psql",
        ], ignoresCase: true)
}

/// Private keys in text armour (RFC 7468 section 2, OpenPGP's RFC 9580 section 6.2): everything between the lines, or to the
/// end.
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
            // Masked before: what follows is not the key.
            if rest.hasPrefix(SecretScanner.replacement) {
                rest = rest.dropFirst(SecretScanner.replacement.count)
                continue
            }
            rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
        }
        return output + rest
    }
}

/// What was masked of a line, found again in its words.
///
/// The masked line is cut at its masks; what stands between them is found in the line, in order. Nothing is kept that the
/// masked line does not have.
struct WordMask {
    /// The parts of the line that are kept.
    private var kept: [Range<String.Index>] = []
    private let line: String

    /// Nil if the masked line has text that the line does not have.
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

    /// The words, whose line is joined by single blanks, without what was masked.
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

/// The rule by which secrets are kept out of logs, metrics and reports. The app can replace it.
///
/// The standard rule masks what follows `password`, `token`, `secret` and their like, credentials in URLs, in the words of
/// well-known commands and in what these are given to read, `Authorization` and `Cookie` headers, private keys, and tokens that
/// show by their form (JWT, cloud and code hosts' keys), and cuts commands to 50 characters. It is a net under the code above
/// it, not a reason to put secrets into errors: a secret that nothing announces, such as `deploy s3same`, stays.
public struct Redactor: Sendable {
    /// The greatest number of characters of a command.
    public static let commandLimit = 50

    private let rule: @Sendable (String) -> String

    /// A rule of the app's own, applied to every text that leaves for a log or a report.
    public init(_ rule: @escaping @Sendable (String) -> String) {
        self.rule = rule
    }

    /// The standard rule.
    public static let standard = Redactor(SecretScanner.mask)

    /// A text without its secrets.
    public func text(_ text: String) -> String {
        rule(text)
    }

    /// The words of a command without its secrets, each in its place: `mysql`, `-pX`; `--token`, `X`.
    public func words(_ words: [String]) -> [String] {
        let line = words.joined(separator: " ")
        let masked = rule(line)
        return masked == line ? words : WordMask(line, masked)?.applied(to: words) ?? words.map { _ in SecretScanner.replacement }
    }

    /// A command without its secrets, on one line, cut to ``commandLimit`` characters.
    public func command(_ command: String) -> String {
        // Mask before cutting: a cut could leave half a secret without its name.
        let line = rule(command).split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.cut(to: Self.commandLimit)
    }

    /// Facts without their secrets; a value whose key is that of a command is treated as one.
    public func metadata(_ metadata: ErrorMetadata) -> ErrorMetadata {
        metadata.mapValues { key, value in
            if SecretScanner.isSecretName(key) { return SecretScanner.replacement }
            return key.hasSuffix("command") ? command(value) : text(value)
        }
    }
}
