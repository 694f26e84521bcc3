/// What programs print after the line that says why: traces, hints, and the words of those that called them.
enum RemoteEpilogue {
    /// Whether the lines after a telling one only round it off, and are no failure of their own.
    static func closes(_ lines: ArraySlice<String>, after telling: String) -> Bool {
        let speaker = RemoteProgram.speaker(of: RemoteLine(telling))
        return lines.allSatisfy { line in
            isTrace(line) || starts.contains { line.hasPrefix($0) } || isSummary(line)
                || speaker != nil && RemoteProgram.speaker(of: RemoteLine(line)) == speaker
        }
    }

    /// Whether it is make's `Error 127` in any language.
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
