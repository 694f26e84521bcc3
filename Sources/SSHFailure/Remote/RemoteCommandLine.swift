/// Which commands of a command line decide its exit status: those after the last `;` (POSIX.1 XCU 2.9.3), unless the line is
/// such that any may.
struct RemoteCommandLine: Sendable {
    /// Commands whose status may be the line's.
    let deciding: [[String]]
    /// Commands that ran before them.
    let earlier: [[String]]

    init(_ line: String) {
        var lexer = ShellLexer()
        for character in line { lexer.take(character) }
        let (commands, operators) = lexer.finishWithOperators()
        let all = RemoteProgram.commands(line)
        let last = operators.lastIndex { $0.contains(";") || $0.contains("\n") || $0 == "&" }
        guard let last, last > 0, !Self.mayStopEarly(commands, operators) else {
            // A shell's `-c` is a line of its own.
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

    /// Compound commands, `set -e`, and an `exit` that hands an earlier status on.
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

    /// Whether a command's program runs no other, so that it said itself why it failed.
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
