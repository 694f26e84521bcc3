/// Finds secrets by the name before them: `name=value`, `name: value`, `--name value`, `Authorization: scheme value`, `Bearer
/// value`.
enum SecretAssignments {
    static func mask(_ text: String) -> String {
        var scanner = Scanner(text: text)
        return scanner.masked()
    }

    private struct Scanner {
        private var rest: Substring
        private var output = ""
        /// The previous word, in lower case.
        private var previous = ""
        /// Whether SQL's SET PASSWORD came before: its value follows FOR and a name.
        private var isSetPassword = false
        /// Whether SQL's IDENTIFIED came before: its value follows BY or USING.
        private var isIdentified = false
        /// Whether the text is a line of .netrc: `machine h login u password p`.
        private let isNetrc: Bool

        init(text: String) {
            rest = text[...]
            isNetrc = text.contains("machine ") && text.contains("login ")
        }

        mutating func masked() -> String {
            while !rest.isEmpty {
                let word = name()
                let before = output.last
                output += word
                rest = rest.dropFirst(word.count)
                if !word.isEmpty {
                    if !maskValue(of: word, before: before) {
                        let name = word.lowercased()
                        isSetPassword = previous == "set" && name == "password" || isSetPassword && output.last != ";"
                        isIdentified = name == "identified" || isIdentified && output.last != ";"
                        previous = name
                    }
                } else if let character = rest.popFirst() {
                    output.append(character)
                }
            }
            return output
        }

        /// The next word, which may be a name. Names of options may have dots: `--spring.datasource.password`.
        private func name() -> Substring {
            let hasDots = rest.hasPrefix("--")
            var word = rest.prefix { $0.isLetter || $0.isNumber || "-_".contains($0) || hasDots && $0 == "." }
            while word.last == "." { word.removeLast() }
            return word
        }

        /// - Returns: Whether a value was masked.
        private mutating func maskValue(of name: Substring, before: Character?) -> Bool {
            let plain = SecretNames.plain(name)
            // SQL: PASSWORD('x'); and user.set_password('x').
            let isFunction = rest.first == "(" && plain.hasSuffix("password")
            if rest.first == "(", Self.functions.contains(plain) { return maskSecondArgument() }
            if rest.first == "(", Self.makesUser(plain) { return maskFurtherArguments() }
            var gap = rest.prefix { " \t=:>\"'\\".contains($0) || isFunction && $0 == "(" || $0 == "]" && isElement(rest) }
            // The shell's TOKEN=$'x'.
            if gap.last == "=", ["$'", "$\""].contains(where: rest[gap.endIndex...].hasPrefix) {
                gap = rest[..<rest.index(gap.endIndex, offsetBy: 2)]
            }
            let value = rest[gap.endIndex...]
            guard !gap.isEmpty, !value.isEmpty else { return false }
            let isQuoted = gap.contains { "\"'".contains($0) }
            if isHeader(plain), gap.contains(":") || gap.contains("=") && plain.hasSuffix("authorization") {
                return maskHeader(gap, plain, before)
            }
            if ["bearer", "basic"].contains(plain) {
                guard gap.allSatisfy({ $0 == " " || $0 == "\t" }), SecretShapes.isRandom(word(of: value)) else { return false }
            } else if isFunction {
                guard isQuoted else { return false }
            } else if isIdentified, ["by", "using", "as"].contains(plain),
                isQuoted || previous == "identified" && SecretNames.isMixed(word(of: value))
            {
                // SQL: IDENTIFIED BY 'x', IDENTIFIED WITH plugin BY 'x'.
                isIdentified = false
            } else if isSetPassword, gap.contains("="), isQuoted {
                isSetPassword = false
            } else if !isAssignment(name, gap, value, before) {
                return false
            }
            take(gap)
            skipValue()
            return true
        }

        /// Whether the text after a name assigns an element: `os.environ["TOKEN"] = "x"`.
        private func isElement(_ text: Substring) -> Bool {
            let after = text.drop { "\"'\\".contains($0) }
            return after.first == "]" && after.dropFirst().drop { $0 == " " }.first == "="
        }

        /// Functions whose second argument is a secret, of MongoDB and SQL: `db.auth("me", "x")`, `pgp_sym_decrypt(c, 'x')`.
        private static let functions: Set<String> = [
            "auth", "changeuserpassword", "pgpsymencrypt", "pgpsymdecrypt", "aesencrypt", "aesdecrypt",
        ]

        /// Whether a function gives a user a password: `create_superuser('admin', 'x')`, `addUser("me", "x")`.
        private static func makesUser(_ plain: String) -> Bool {
            let verbs = ["create", "add", "new", "set", "make", "register", "change", "reset", "update"]
            return ["user", "login"].contains(where: plain.hasSuffix) && verbs.contains(where: plain.hasPrefix)
        }

        /// Masks the texts after the first argument: Django's `create_user('me', 'me@example.com', 'x')`.
        private mutating func maskFurtherArguments() -> Bool {
            var isMasked = false
            while let comma = rest.prefix(200).prefix(while: { $0 != ")" && $0 != "=" }).firstIndex(of: ",") {
                let value = rest[rest.index(after: comma)...].drop { $0 == " " || $0 == "\\" }
                guard let quote = value.first, "\"'".contains(quote) else { break }
                take(rest[...value.startIndex])
                skipValue()
                isMasked = true
            }
            return isMasked
        }

        private mutating func maskSecondArgument() -> Bool {
            let list = rest.prefix(200).prefix { $0 != ")" }
            guard let comma = list.firstIndex(of: ","),
                let quote = list[comma...].first(where: { "\"'".contains($0) }), let open = list[comma...].firstIndex(of: quote)
            else {
                return false
            }
            take(rest[...open])
            skipValue()
            return true
        }

        /// Whether the text after an option is the next option: `--ask-pass -m ping`, `--password --execute x`.
        private func isOption(_ value: Substring) -> Bool {
            value.hasPrefix("--") || value.first == "-" && value.count == 2
        }

        private func isHeader(_ plain: String) -> Bool {
            plain.hasSuffix("authorization") || plain == "cookie" || plain == "setcookie"
        }

        /// Whether the text after the name is a secret's value, and not the rest of a sentence.
        private func isAssignment(_ name: Substring, _ gap: Substring, _ value: Substring, _ before: Character?) -> Bool {
            let value = word(of: value)
            guard value.contains(where: { $0.isLetter || $0.isNumber }) || value.count > 3 else { return false }
            guard !SecretNames.isDirectory(name, value: value) else { return false }
            if gap.contains("=") {
                // `https://h/?key=x1y2z3`
                if name == "key", let before, "?&".contains(before) { return SecretNames.isMixed(value) }
                return SecretNames.isSecretIfAssigned(name, value: value) && !SecretNames.isProse(value)
            }
            if name.hasPrefix("-") {
                guard SecretNames.isSecret(name) || SecretNames.isSecretOption(name, value: value) else { return false }
                return !SecretNames.isQuestion(name) && !isOption(value)
            }
            guard SecretNames.isSecret(name) else { return false }
            // <password>x</password>
            if gap.contains(">") { return before == "<" }
            let isQuoted = gap.contains { "\"'".contains($0) }
            if gap.contains(":") {
                // "cat: /etc/passwd: Permission denied" and "unexpected token: x" are prose; `/password:x` of Windows programs is
                // a secret.
                return (before != "/" || gap == ":") && previous != "unexpected" && previous != "invalid"
                    && (isQuoted && gap.last != " " || !SecretNames.isProse(value))
            }
            if isQuoted { return previous != "unexpected" && previous != "invalid" }
            if isNetrc, SecretNames.plain(name) == "password" { return true }
            // "with password x1y2z3".
            return previous != "unexpected" && SecretNames.isMixed(value)
        }

        /// Masks `Authorization: scheme value` and `Cookie: a=1; b=2`, up to the end of the header.
        private mutating func maskHeader(_ gap: Substring, _ plain: String, _ before: Character?) -> Bool {
            take(gap)
            let outer = gap.last.flatMap { "\"'".contains($0) ? $0 : nil } ?? before.flatMap { "\"'".contains($0) ? $0 : nil }
            let end: Substring.Index
            if let outer, let quote = unescaped(outer, in: rest) {
                end = quote
            } else {
                end = rest.firstIndex(where: \.isNewline) ?? rest.endIndex
            }
            var header = rest[..<end]
            if plain.hasSuffix("authorization") {
                let scheme = header.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
                let after = header[scheme.endIndex...]
                let hasValue = after.first == " " && after.contains { !$0.isWhitespace }
                // A single word is the value itself.
                guard hasValue else { return finish(at: end, masking: !header.allSatisfy(\.isWhitespace)) }
                output += scheme + " "
                rest = rest[after.dropFirst().startIndex...]
                header = rest[..<end]
                if ["bearer", "basic", "token", "apikey", "negotiate"].contains(scheme.lowercased()) {
                    let value = header.prefix { !$0.isWhitespace && $0 != "," }
                    return finish(at: value.endIndex, masking: true)
                }
            }
            return finish(at: end, masking: true)
        }

        private mutating func finish(at end: Substring.Index, masking: Bool) -> Bool {
            if masking { output += SecretScanner.replacement }
            rest = rest[end...]
            return true
        }

        private mutating func take(_ gap: Substring) {
            output += gap
            rest = rest[gap.endIndex...]
        }

        private mutating func skipValue() {
            let quote = output.last.flatMap { "\"'".contains($0) ? $0 : nil }
            let end: Substring.Index
            if let quote, let closing = unescaped(quote, in: rest) {
                // An escaped quote, as in JSON inside a string, ends before its backslash.
                end =
                    closing > rest.startIndex && rest[rest.index(before: closing)] == "\\" ? rest.index(before: closing) : closing
            } else {
                end = word(of: rest).endIndex
            }
            // "token: Bearer x": keep the scheme; the value after it is masked in the next step.
            if quote == nil, ["bearer", "basic"].contains(rest[..<end].lowercased()) { return }
            output += SecretScanner.replacement
            rest = rest[end...]
        }

        /// The next unescaped quote of this kind. If the opening quote is escaped, escaped quotes count too.
        private func unescaped(_ quote: Character, in text: Substring) -> Substring.Index? {
            let opensEscaped = output.dropLast().last == "\\"
            var index = text.startIndex
            while index < text.endIndex {
                if text[index] == "\\", !opensEscaped {
                    index = text.index(after: index)
                    guard index < text.endIndex else { return nil }
                } else if text[index] == quote {
                    return index
                }
                index = text.index(after: index)
            }
            return nil
        }

        /// An unquoted value. It ends at white space, or at a character that ends it in a URL, a connection string or a list.
        private func word(of text: Substring) -> Substring {
            var index = text.startIndex
            while index < text.endIndex {
                let character = text[index]
                if character.isWhitespace || "&;|\"'`<>".contains(character) { break }
                if character == ",", endsItem(text[text.index(after: index)...]) { break }
                if ")}]".contains(character), text.index(after: index) == text.endIndex { break }
                index = text.index(after: index)
            }
            return text[..<index]
        }

        /// Whether a comma ends an item: it is followed by a space, the end, or another `name=`.
        private func endsItem(_ after: Substring) -> Bool {
            guard let next = after.first, !next.isWhitespace, !"\"'".contains(next) else { return true }
            let name = after.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            return !name.isEmpty && [":", "="].contains(after[name.endIndex...].first)
        }
    }
}
