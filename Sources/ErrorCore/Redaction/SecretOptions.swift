/// Finds secrets in the words of well-known commands: `sshpass -p X`, `mysql -pX`, `curl -u me:X`, `vault login X`, `echo X |
/// sudo -S`. ``SecretAssignments`` handles long options with telling names.
enum SecretOptions {
    static func mask(_ text: String) -> String {
        guard SecretCommands.names.isIn(text) || SecretURLs.mayHavePassword(text) else { return text }
        return mask(text, depth: 0)
    }

    /// The nesting depth: a quoted word may be a command line itself, as for `sh -c`.
    private static let maximumDepth = 3

    private static func mask(_ text: String, depth: Int) -> String {
        var line = ShellLine(text)
        for index in line.commands.indices {
            maskWords(of: index, in: &line)
            SecretSettings.mask(index, in: &line)
        }
        for index in line.commands.indices {
            let words = line.words(of: index)
            let isWritten = SecretFiles.isWritten(by: words)
            if isWritten { maskPrinted(by: index, in: &line) }
            if isWritten || SecretCommands.readsSecret(words) { maskInput(of: index, in: &line) }
        }
        if depth < maximumDepth {
            for index in line.tokens.indices where line.tokens[index].isQuotedLine && !line.tokens[index].isMasked {
                let token = line.tokens[index].text
                let inner = token.dropFirst().dropLast()
                line.tokens[index].text = "\(token.prefix(1))\(mask(String(inner), depth: depth + 1))\(token.suffix(1))"
            }
            // The lines of a here-document may be commands: `ssh web1 <<EOF`.
            for index in line.tokens.indices where line.tokens[index].kind == .body && !line.tokens[index].isMasked {
                line.tokens[index].text = mask(line.tokens[index].text, depth: depth + 1)
            }
        }
        return line.text
    }

    // MARK: A command's own words

    /// Parts of words before a file with a secret: `--password-file <(echo X)`, `private-key <(echo X)`.
    private static let passwordHints = ["pass", "key", "secret", "token", "cred"]

    private static func maskWords(of command: Int, in line: inout ShellLine) {
        let range = line.commands[command]
        /// The entries of the commands so far. A word may be the name of a command and yet an argument of the one before it:
        /// `useradd -G sudo -p X`.
        var known: [KnownEntry] = []
        var pending: SecretForm?
        /// Whether this is the text of `<(echo …)` where a file with a secret is expected, or of `TOKEN=$(echo …)`.
        var isInSubstitution = false
        /// Whether this is what a command prints that was named for its output: `--password-command echo X`.
        var isPrinted = false
        let words = line.words(of: command)
        for (offset, index) in range.enumerated() {
            let word = line.tokens[index].text
            if isInSubstitution {
                if !ShellLine.isOptionOrFormat(word) { line.tokens[index].mask(.separate) }
                isInSubstitution = !word.contains { ")`".contains($0) }
                continue
            }
            let isSecret = LiteralSource.isSecret(word, before: words[(offset + 1)...])
            if isSecret || LiteralSource.isPrinted(word, after: offset > 0 ? words[offset - 1] : "") {
                if word.contains(where: \.isWhitespace) {
                    line.tokens[index].text = LiteralSource.mask(word)
                } else if isSecret {
                    isInSubstitution = true
                } else {
                    isPrinted = true
                }
                continue
            }
            if isPrinted {
                isPrinted = ShellLine.isOptionOrFormat(word)
                if !isPrinted { line.tokens[index].mask(.separate) }
                continue
            }
            if let start = word.firstRange(of: "<(")?.lowerBound, start == word.startIndex || word[..<start].hasSuffix("="),
                SecretCommands.producers.contains(ShellLine.name(String(word[start...].dropFirst())))
            {
                let before = start > word.startIndex ? String(word[..<start]) : offset > 0 ? words[offset - 1] : ""
                isInSubstitution =
                    !known.isEmpty || Self.passwordHints.contains { before.contains($0) }
                    || before == "<" && SecretCommands.readsSecret(words)
                if isInSubstitution { continue }
            }
            // `useradd -p $(openssl passwd X)`: the command inside has secrets of its own.
            if word.hasPrefix("$(") || word.hasPrefix("`") { pending = nil }
            if let form = pending {
                line.tokens[index].mask(form)
                pending = nil
                // The words after sshpass's password are another command.
                if known.contains(where: { $0.command.endsAtValue }) { known = [] }
                continue
            }
            let found = SecretCommands.all(named: ShellLine.name(word)).filter {
                $0.fits(words[(offset + 1)...].prefix(SecretCommands.reach))
            }
            let isSubcommand = known.contains { $0.command.subcommand.contains(ShellLine.plain(word)) }
            defer {
                if !isSubcommand, known.count < SecretCommands.reach { known += found.map { KnownEntry(command: $0) } }
            }
            if let (form, value) = option(word, of: known.map(\.command)) {
                for place in known.indices { known[place].take(word) }
                if let value {
                    line.tokens[index].mask(form, after: value)
                    if known.contains(where: { $0.command.endsAtValue }) { known = [] }
                } else {
                    pending = form
                }
                continue
            }
            for place in known.indices {
                if known[place].isSecretArgument(word, argumentsLeft(words, offset)) {
                    line.tokens[index].mask(known[place].command.argumentForm)
                }
            }
        }
    }

    /// An entry of a command, and what has been seen of the command's words.
    private struct KnownEntry {
        let command: SecretCommand
        private var seen: [String] = []
        private var arguments = 0
        /// Whether the next word is the value of an option.
        private var isSkipped = false

        init(command: SecretCommand) { self.command = command }

        mutating func take(_ word: String) {
            if seen.count < SecretCommands.reach { seen.append(word) }
        }

        /// - Parameter left: the number of arguments after the word.
        mutating func isSecretArgument(_ word: String, _ left: Int) -> Bool {
            take(word)
            if isSkipped {
                isSkipped = false
                return false
            }
            if word.hasPrefix("-") {
                isSkipped = command.valued.contains(word)
                return false
            }
            guard command.begins(with: seen[...]) else { return false }
            // The subcommand's words are not arguments.
            if command.subcommand.contains(ShellLine.plain(word)), arguments == 0 { return false }
            arguments += 1
            return command.isSecret(argument: arguments, of: left)
        }
    }

    /// The number of non-option words that follow.
    private static func argumentsLeft(_ words: [String], _ offset: Int) -> Int {
        words[(offset + 1)...].prefix(SecretCommands.reach).count {
            !$0.hasPrefix("-") && !$0.hasPrefix("<") && !$0.hasPrefix(">")
        }
    }

    /// - Returns: the form of an option with a secret, and the offset of the secret in the option's own word.
    private static func option(_ word: String, of commands: [SecretCommand]) -> (SecretForm, after: Int?)? {
        if let quote = word.first, "'\"".contains(quote), word.dropFirst().first == "-" {
            // `'-pX'`: the shell removes the quotes.
            let inner = word.dropFirst().prefix { $0 != quote }
            return option(String(inner), of: commands).map { ($0.0, $0.after.map { $0 + 1 }) }
        }
        let plain = ShellLine.plain(word)
        for command in commands {
            if command.isCombined, plain.count > 2, plain.first == "-", plain.dropFirst().allSatisfy(\.isLetter),
                let form = plain.last.flatMap({ command.options["-\($0)"] })
            {
                return (form, nil)
            }
            if let form = command.options[plain] {
                // `-p` alone asks.
                if form == .glued { continue }
                return (form, nil)
            }
            for (option, form) in command.options where word.hasPrefix(option) && word.count > option.count {
                let next = word[word.index(word.startIndex, offsetBy: option.count)]
                if option.hasPrefix("--") || option.hasSuffix(":") || option.hasSuffix("=") {
                    if option.hasSuffix(":") || option.hasSuffix("=") { return (form, option.count) }
                    if next == "=" { return (form, option.count + 1) }
                    continue
                }
                // `-pX`, but not `-pool`, which is another option.
                guard option.count == 2 && form != .separate || form == .glued else {
                    if option.count > 2, next == "=" { return (form, option.count + 1) }
                    continue
                }
                return (form, option.count)
            }
        }
        return nil
    }

    // MARK: Input of a command

    /// `echo X | sudo -S`, `chpasswd <<< u:X`, and the lines of `<<EOF`.
    private static func maskInput(of command: Int, in line: inout ShellLine) {
        line.maskHereText(of: command)
        for producer in line.producers(of: command) {
            line.maskHereText(of: producer)
            maskPrinted(by: producer, in: &line)
        }
    }

    /// Masks what echo(1) and its like print, up to a redirection.
    private static func maskPrinted(by command: Int, in line: inout ShellLine) {
        let range = line.commands[command]
        guard let first = range.first(where: { SecretCommands.producers.contains(ShellLine.name(line.tokens[$0].text)) }) else {
            return
        }
        for index in range where index > first {
            let word = line.tokens[index].text
            if word.hasPrefix(">") { break }
            if !ShellLine.isOptionOrFormat(word) { line.tokens[index].mask(.separate) }
        }
    }
}

/// The form in which an option or argument carries its secret.
enum SecretForm {
    /// In the next word.
    case separate
    /// Only in the option's own word: `-pX`.
    case glued
    case either
    case afterColon
    case afterPercent
    case afterComma
    case afterSlash
    /// `me:X@host`.
    case beforeHost
    /// `name=X`.
    case afterEquals

    var separator: Character? {
        switch self {
        case .afterColon: ":"
        case .afterPercent: "%"
        case .afterComma: ","
        case .afterSlash: "/"
        case .afterEquals: "="
        case .separate, .glued, .either, .beforeHost: nil
        }
    }
}
