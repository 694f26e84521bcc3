/// A text split as a shell would split it, as far as needed to group its words: words, operators and the text between them. Each
/// character is in exactly one token, so the joined tokens are the text.
struct ShellLine {
    struct Token {
        enum Kind { case space, word, operation, body }
        let kind: Kind
        var text: String
        var isMasked = false

        /// Whether this is a quoted word that contains several words.
        var isQuotedLine: Bool {
            guard kind == .word, let quote = text.first, "\"'".contains(quote), text.count > 2, text.last == quote else {
                return false
            }
            return text.contains(where: \.isWhitespace)
        }

        /// Replaces the secret part of a word, but keeps its quotes.
        ///
        /// - Parameter count: the number of characters before the value.
        mutating func mask(_ form: SecretForm, after count: Int = 0) {
            var kept = text.prefix(count)
            var value = text.dropFirst(count)
            if form == .beforeHost {
                guard let password = SecretURLs.passwordBeforeHost(in: value), !Self.isVariable(value[password]) else { return }
                text.replaceSubrange(password, with: SecretScanner.replacement)
                isMasked = true
                return
            }
            // `localhost:1` is for a colon; a URL has a rule of its own.
            guard form != .afterColon || !value.contains("://") else { return }
            if let separator = form.separator {
                // `sqlplus /nolog` has no user.
                guard let index = value.firstIndex(of: separator), separator != "/" || index > value.startIndex else { return }
                let end = value.index(after: index)
                kept = text[..<end]
                value = text[end...]
            }
            let opening = form.separator == nil ? value.first.flatMap { "\"'".contains($0) ? String($0) : nil } ?? "" : ""
            // A quote or bracket that closes an enclosing list or substitution is not part of the secret.
            let closing = value.last.flatMap { "\"')`".contains($0) && value.count > 1 ? String($0) : nil } ?? ""
            guard !value.isEmpty, value != Substring(opening), !Self.isVariable(value) else { return }
            text = "\(kept)\(opening)\(SecretScanner.replacement)\(closing)"
            isMasked = true
        }

        /// Whether the shell inserts the value: `$NAME`, `"${NAME}"`, `$(command)`. In single quotes the text is the value
        /// itself.
        private static func isVariable(_ value: Substring) -> Bool {
            let plain = value.first == "\"" ? value.dropFirst() : value
            return plain.first == "$" && plain.dropFirst().first.map { $0.isLetter || "_{(".contains($0) } == true
        }
    }

    private var twoLastWords: (String, String) = ("", "")
    var tokens: [Token] = []
    /// The tokens of each command's words.
    private(set) var commands: [[Int]] = []
    /// The operator before each command.
    private var operators: [String] = []

    var text: String { tokens.map(\.text).joined() }

    init(_ text: String) {
        var rest = text[...]
        var command: [Int] = []
        var operation = ""
        var delimiters: [String] = []
        while !rest.isEmpty {
            let space = rest.prefix { $0.isWhitespace && !$0.isNewline }
            if !space.isEmpty {
                add(.space, space, &rest)
            } else if let found = Self.operation(rest) {
                add(.operation, found, &rest)
                commands.append(command)
                operators.append(operation)
                (command, operation) = ([], String(found))
                if found.first?.isNewline == true, !delimiters.isEmpty {
                    for delimiter in delimiters { addBody(upTo: delimiter, &rest) }
                    delimiters = []
                }
            } else {
                let word = Self.word(rest)
                add(.word, word, &rest)
                command.append(tokens.count - 1)
                if let delimiter = hereDelimiter() { delimiters.append(delimiter) }
            }
        }
        commands.append(command)
        operators.append(operation)
    }

    private mutating func add(_ kind: Token.Kind, _ text: Substring, _ rest: inout Substring) {
        if kind == .word { twoLastWords = (twoLastWords.1, String(text)) }
        tokens.append(Token(kind: kind, text: String(text)))
        rest = rest[text.endIndex...]
    }

    /// Adds the lines of a here-document, up to its delimiter.
    private mutating func addBody(upTo delimiter: String, _ rest: inout Substring) {
        var end = rest.startIndex
        while end < rest.endIndex {
            let line = rest[end...].prefix { !$0.isNewline }
            if line.drop(while: { $0 == "\t" }) == delimiter[...] { break }
            end = line.endIndex < rest.endIndex ? rest.index(after: line.endIndex) : line.endIndex
        }
        add(.body, rest[..<end], &rest)
    }

    /// The delimiter in the last word: `<<EOF`, `<<-'EOF'`, `<< EOF`.
    private func hereDelimiter() -> String? {
        let word = tokens[tokens.count - 1].text
        if word.hasPrefix("<<"), !word.hasPrefix("<<<") {
            let name = Self.plain(String(word.dropFirst(2).drop { $0 == "-" }))
            return name.isEmpty ? nil : name
        }
        return ["<<", "<<-"].contains(twoLastWords.0) ? Self.plain(word) : nil
    }

    private static func operation(_ rest: Substring) -> Substring? {
        for found in ["&&", "||", "|&", ";;", "|", ";", "&", "(", ")"] where rest.hasPrefix(found) {
            return rest.prefix(found.count)
        }
        return rest.first?.isNewline == true ? rest.prefix(1) : nil
    }

    /// The text up to unquoted white space or an unquoted operator.
    private static func word(_ rest: Substring) -> Substring {
        var quote: Character?
        var index = rest.startIndex
        while index < rest.endIndex {
            let character = rest[index]
            let next = rest.index(after: index)
            if let open = quote {
                if character == "\\", open == "\"", next < rest.endIndex {
                    index = next
                } else if character == open {
                    quote = nil
                }
            } else if character.isWhitespace || ";|".contains(character) {
                break
            } else if character == "&", index > rest.startIndex, rest[rest.index(before: index)] != ">",
                rest[rest.index(before: index)] != "<"
            {
                // An & inside a URL is not an operator: `?a=1&b=2`.
                if next == rest.endIndex || rest[next].isWhitespace || rest[next] == "&" { break }
            } else if character == ")", next == rest.endIndex || rest[next].isWhitespace || ";|&)".contains(rest[next]),
                !rest[..<index].contains("(")
            {
                break
            } else if character == "\\", next < rest.endIndex {
                index = next
            } else if "\"'".contains(character),
                rest[next...].prefix(while: { !$0.isNewline }).contains(character)
                    || index == rest.startIndex && rest[next...].contains(character)
            {
                quote = character
            }
            index = rest.index(after: index)
        }
        // Take at least one character, or the loop would never end.
        return index == rest.startIndex ? rest.prefix(1) : rest[..<index]
    }

    // MARK: Words

    func words(of command: Int) -> [String] { commands[command].map { tokens[$0].text } }

    /// A word without its quotes.
    static func plain(_ word: String) -> String { word.filter { !"\"'".contains($0) } }

    /// The program's name in a word: without path, quotes, `$(`, and the name that it is assigned to.
    static func name(_ word: String) -> String {
        let plain = word.filter { !"\"'`($){}".contains($0) }
        let path = plain.split(separator: "=", omittingEmptySubsequences: false).last ?? ""
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Whether a word of echo(1) or printf(1) is none of what it prints.
    static func isOptionOrFormat(_ word: String) -> Bool { word.hasPrefix("-") && word.count <= 3 || isFormat(word) }

    /// Whether a word is a printf(1) format without text of its own: `'%s\n'`.
    static func isFormat(_ word: String) -> Bool {
        let plain = plain(word)
        guard plain.contains("%") else { return false }
        return plain.replacing("\\n", with: "").replacing("\\r", with: "").replacing("%s", with: "").replacing("%b", with: "")
            .allSatisfy { !$0.isLetter && !$0.isNumber }
    }

    // MARK: Input of a command

    /// The commands whose output this command reads.
    func producers(of command: Int) -> [Int] {
        guard command > 0, ["|", "|&"].contains(operators[command]) else { return [] }
        let last = command - 1
        let isGroup = words(of: last) == ["}"]
        // A list in parentheses or braces: all of its commands.
        guard isGroup || commands[last].isEmpty && operators[last] == ")" else { return [last] }
        var found: [Int] = []
        for index in stride(from: last - 1, through: 0, by: -1) {
            found.append(index)
            if isGroup ? words(of: index).first == "{" : operators[index] == "(" { break }
        }
        return found
    }

    /// Masks `<<< X` and the lines of here-documents.
    mutating func maskHereText(of command: Int) {
        var isNext = false
        for index in commands[command] {
            let word = tokens[index].text
            // The descriptor of `3<<< X`.
            let number = word.prefix { $0.isNumber }.count
            if isNext {
                tokens[index].mask(.separate)
                isNext = false
            } else if word.dropFirst(number) == "<<<" {
                isNext = true
            } else if word.dropFirst(number).hasPrefix("<<<") {
                tokens[index].mask(.separate, after: number + 3)
            } else if word.hasPrefix("<<"), let body = tokens[index...].firstIndex(where: { $0.kind == .body }),
                !tokens[body].text.isEmpty
            {
                tokens[body].text = SecretScanner.replacement + "\n"
                tokens[body].isMasked = true
            }
        }
    }
}
