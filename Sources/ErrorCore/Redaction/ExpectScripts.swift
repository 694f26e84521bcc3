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
