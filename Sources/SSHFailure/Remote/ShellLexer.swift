/// Splits a command line into simple commands and these into words (XCU 2.2 and 2.3).
struct ShellLexer {
    private var commands: [[String]] = []
    /// The operators before each command.
    private var operators: [String] = []
    private var pending = ""
    private var words: [String] = []
    private var word = ""
    private var hasWord = false
    private var quote: Character?
    private var escaped = false

    /// The next character of the line.
    mutating func take(_ character: Character) {
        if escaped {
            escaped = false
            append(character)
        } else if let open = quote {
            if character == open {
                quote = nil
            } else if character == "\\", open == "\"" {
                escaped = true
            } else {
                append(character)
            }
        } else {
            switch character {
            case "\\": escaped = true
            case "'", "\"":
                quote = character
                hasWord = true
            case ";", "&", "|", "(", ")", "\n", "\r\n":
                endCommand()
                pending.append(character)
            case " ", "\t": endWord()
            default: append(character)
            }
        }
    }

    /// All commands, the last one included.
    mutating func finish() -> [[String]] {
        endCommand()
        return commands
    }

    /// The same, and the operators that stood before each of them.
    mutating func finishWithOperators() -> (commands: [[String]], operators: [String]) {
        let commands = finish()
        return (commands, operators)
    }

    private mutating func append(_ character: Character) {
        word.append(character)
        hasWord = true
    }

    private mutating func endWord() {
        if hasWord { words.append(word) }
        word = ""
        hasWord = false
    }

    private mutating func endCommand() {
        endWord()
        if !words.isEmpty {
            commands.append(words)
            operators.append(pending)
            pending = ""
        }
        words = []
    }
}
