/// The commands of a command line that decide its exit status: those after the last `;` (POSIX.1 XCU 2.9.3), or all of them if
/// the line may stop earlier.
struct RemoteCommandLine: Sendable {
    /// Commands whose exit status may be that of the line.
    let deciding: [[String]]
    /// Commands that ran before the deciding ones.
    let earlier: [[String]]

    init(_ line: String) {
        var lexer = ShellLexer()
        for character in line { lexer.take(character) }
        let (commands, operators) = lexer.finishWithOperators()
        let all = RemoteProgram.commands(line)
        let last = operators.lastIndex { $0.contains(";") || $0.contains("\n") || $0 == "&" }
        guard let last, last > 0, !Self.mayStopEarly(commands, operators) else {
            // The script after a shell's `-c` is parsed as a separate line.
            if commands.count == 1, let script = RemoteProgram.innerScript(commands[0]), script != line {
                let inner = RemoteCommandLine(script)
                let stops = RemoteProgram.bare(commands[0])?.contains {
                    $0.hasPrefix("-") && $0.contains("e") && !$0.hasPrefix("--")
                }
                (deciding, earlier) = stops == true ? (all, []) : (inner.deciding, inner.earlier)
            } else {
                (deciding, earlier) = (all, [])
            }
            return
        }
        let tail = commands[last...].flatMap { words -> [RemoteCommandLine] in
            guard let script = RemoteProgram.innerScript(words), script != line else {
                return [RemoteCommandLine(deciding: RemoteProgram.bare(words).map { [$0] } ?? [])]
            }
            return [RemoteCommandLine(script)]
        }
        deciding = tail.flatMap(\.deciding)
        earlier = commands[..<last].flatMap { RemoteProgram.expanded($0, in: line) } + tail.flatMap(\.earlier)
    }

    private init(deciding: [[String]]) {
        self.deciding = deciding
        earlier = []
    }

    /// Whether the line may stop early: it has compound commands, `set -e`, or an `exit` that passes on an earlier status.
    private static func mayStopEarly(_ commands: [[String]], _ operators: [String]) -> Bool {
        let compounds: Set<String> = [
            "if", "for", "while", "until", "case", "select", "function", "{", "then", "do", "begin", "foreach",
        ]
        return operators.contains { $0.contains("(") || $0.contains(")") }
            || commands.contains { words in
                guard let first = words.first else { return false }
                if compounds.contains(first) { return true }
                if first == "set" {
                    return words.dropFirst().contains { $0 == "errexit" || $0.hasPrefix("-") && $0.contains("e") }
                }
                return ["exit", "return"].contains(first) && words.dropFirst().contains { $0.contains("$") }
            }
    }

    /// Whether a command's program runs no other program, so that every message about its failure is its own.
    static func runsNothingElse(_ command: [String]) -> Bool {
        command.first.map { leaves.contains(RemoteProgram.base($0)) } ?? false
    }

    private static let leaves: Set<String> = [
        "false", "true", ":", "exit", "return", "test", "[", "[[", "echo", "printf", "kill", "pkill", "pgrep", "grep", "egrep",
        "fgrep",
        "zgrep", "rg", "diff", "cmp", "comm", "cat", "ls", "cp", "mv", "rm", "mkdir", "rmdir", "ln", "touch", "chmod", "chown",
        "head",
        "tail", "wc", "sort", "uniq", "cut", "tr", "sed", "awk", "gawk", "mawk", "stat", "test", "readlink", "realpath", "id",
        "sleep",
        "date", "pwd", "cd", "export", "unset", "wait", "which", "type", "hash", "getent", "systemctl", "curl", "wget", "jq",
        "expr", "let",
        "mountpoint", "pidof", "id", "groups",
    ]
}

/// Splits a command line into simple commands, and these into words (XCU 2.2 and 2.3).
struct ShellLexer {
    private var commands: [[String]] = []
    /// The operator before each command.
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

    /// All commands, including the last.
    mutating func finish() -> [[String]] {
        endCommand()
        return commands
    }

    /// All commands, and the operator before each.
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

/// Output that follows the line with the cause: traces, hints, and messages of the calling programs.
enum TrailingOutput {
    /// Whether the lines after an informative one add nothing, and report no failure of their own.
    static func addsNothing(_ lines: ArraySlice<String>, after telling: String) -> Bool {
        let speaker = RemoteProgram.speaker(of: RemoteLine(telling))
        return lines.allSatisfy { line in
            isTrace(line) || starts.contains { line.hasPrefix($0) } || isSummary(line)
                || speaker != nil && RemoteProgram.speaker(of: RemoteLine(line)) == speaker
        }
    }

    /// Whether the line is make's `Error 127`, in any language.
    static func isNotFound(_ line: String) -> Bool {
        line.contains("*** [") && line.split { !$0.isNumber }.last == "127" && line.last?.isNumber == true
    }

    private static let starts = [
        "make:", "make[", "gmake", "ninja:", "rsync error:", "rsync:", "at ", "from ", "File \"", "#", "Stack trace", "thrown in",
        "}", "{", ")",
        "Caused by", "... ", "Emitted '", "Node.js ", "errno:", "code:", "syscall:", "path:", "address:", "port:", "hostname:",
        "npm ",
        "goroutine ", "exit status", "Exit status", "See '", "Try '", "Run '", "hint:", "error:", "fatal:", "error: ", "E: ",
        "W: ",
        "compilation terminated", "collect2:", "Unable to load", "in function", "builtin ", "Is the server", "No URLs",
        "Traceback", "During handling", "The above exception", "^", "~", "Warning: ", "PHP ", "Cannot write to", "Error is not",
        "Connection closed", "Killed by", "lost connection", "scp:", "note:", "help:", "dmesg(1)", "See ", "Try ", "Usage:",
        "usage:",
        "0 ", "100 ", "100", "% ", "Retrying", "Giving up", "[fd error]", "lua", "stack traceback", "[C]:", "1 error", "main.",
        "Command failed", "command failed", "error Command", "error Recipe", "Makefile:", "致命", "错误", "Fehler", "erreur",
        "fatal ",
    ]

    private static func isTrace(_ line: String) -> Bool {
        !line.contains { $0.isLetter } || line.hasSuffix("{") || line.contains("(most recent call")
    }

    private static func isSummary(_ line: String) -> Bool {
        let lower = line.lowercased()
        return [
            "previous error", "exit status", "exit code", "exited with", "returned non-zero", "not recoverable",
            "for more information",
            "aborting", "terminated", "giving up", "please make sure you have", "and the repository exists",
            "could not read from remote",
        ].contains { lower.contains($0) }
    }
}
