/// What a command line runs: enough of a POSIX shell's grammar (XCU 2.3) to know its programs and their arguments.
enum RemoteProgram {
    /// The simple commands of a command line as words, prefixes such as `sudo` and `X=1` taken off.
    static func commands(_ line: String) -> [[String]] {
        var found: [[String]] = []
        for words in split(line) {
            let bare = withoutPrefixes(words)
            guard let name = bare.first else { continue }
            if ["sh", "bash", "dash", "zsh", "ksh", "ash"].contains(base(name)), let script = script(of: bare), script != line {
                found += commands(script)
            } else {
                found.append(bare)
            }
        }
        return found
    }

    /// The last component of a program's path.
    static func base(_ name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }

    /// The command of one of these programs, if the line runs one.
    static func first(_ names: Set<String>, in line: String) -> [String]? {
        commands(line).first { $0.first.map { names.contains(base($0)) } == true }
    }

    /// Whether a word of the line is `sudo` or its like, which `commands` takes off.
    static func elevates(_ line: String) -> Bool {
        split(line).contains { words in words.contains { ["sudo", "doas"].contains(base($0)) } }
    }

    /// The program that a shell did not find or could not run, from the shell's own words.
    static func refused(_ evidence: Evidence) -> String? {
        guard let command = evidence.command else { return nil }
        let line = RemoteText.tellingLine(command.hasPTY ? command.standardOutputTail : command.standardErrorTail)
        let lower = line.lowercased()
        for words in ["command not found: ", "unknown command: ", "permission denied: "] {
            if let range = lower.firstRange(of: words) {
                let offset = lower.distance(from: lower.startIndex, to: range.upperBound)
                return String(line.dropFirst(offset))
            }
        }
        let segments = line.split(separator: ": ").map(String.init)
        if let at = segments.firstIndex(of: "bad interpreter"), at > 0 { return segments[at - 1] }
        let name = segments.count > 2 ? segments[segments.count - 2] : segments.count == 2 ? segments[0] : nil
        return name.map { RemotePath.quoted(in: $0) ?? $0 } ?? commands(command.command).first?.first
    }

    /// Words that run another command, and those of their options that take a value.
    private static let prefixes: [String: Set<String>] = [
        "sudo": ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T"], "doas": ["-u", "-C"], "env": ["-u", "-C", "-S"], "nohup": [],
        "nice": ["-n"], "ionice": ["-c", "-n", "-p"], "time": ["-f", "-o"], "command": [], "exec": ["-a"],
        "stdbuf": ["-i", "-o", "-e"],
        "setsid": [], "then": [], "do": [], "else": [], "if": [], "while": [], "until": [], "{": [], "!": [], "chronic": [],
    ]

    private static func withoutPrefixes(_ words: [String]) -> [String] {
        var words = words[...]
        while let first = words.first {
            if isAssignment(first) {
                words.removeFirst()
            } else if let valued = prefixes[base(first)], words.count > 1 {
                words.removeFirst()
                while let option = words.first, option.hasPrefix("-"), words.count > 1 {
                    words.removeFirst(valued.contains(option) ? min(2, words.count) : 1)
                }
            } else {
                break
            }
        }
        return Array(words)
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return false }
        return word[..<equals].allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// What `sh -c` is given.
    private static func script(of words: [String]) -> String? {
        guard let option = words.firstIndex(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.hasSuffix("c") }),
            option + 1 < words.count
        else { return nil }
        return words[option + 1]
    }

    /// Words, split at operators; quotes and backslashes taken off, expansions left as they stand.
    static func split(_ line: String) -> [[String]] {
        var lexer = ShellLexer()
        for character in line { lexer.take(character) }
        return lexer.finish()
    }
}

/// Splits a command line into simple commands and these into words (XCU 2.2 and 2.3).
struct ShellLexer {
    private var commands: [[String]] = []
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
            case ";", "&", "|", "(", ")", "\n", "\r\n": endCommand()
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
        if !words.isEmpty { commands.append(words) }
        words = []
    }
}
