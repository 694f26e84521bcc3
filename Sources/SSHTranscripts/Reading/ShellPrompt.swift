/// The shell that started ssh, and what a page writes around its output.
enum ShellPrompt {
    private static let programs = ["ssh ", "scp ", "sftp ", "rsync ", "git ", "ssh-copy-id "]

    /// Whether a line begins with the prompt of an earlier command line of an SSH client: `alice@pc:~$ ssh web1`.
    static func isReturned(to line: String, from commands: some Sequence<String>) -> Bool {
        commands.contains { command in
            command != line
                && programs.contains { program in
                    guard let place = command.firstPlace(of: program) else { return false }
                    let prompt = String(command[..<place.lowerBound]).trimming(" ")
                    guard let last = prompt.last, "$#%>❯»".contains(last) || prompt.hasPrefix("➜") else { return false }
                    return line.trimming(" ") == prompt || prompt.utf8.count > 2 && line.hasPrefix(prompt)
                }
        }
    }

    /// Whether one of the lines is a prompt with a command line of this program: `alice@pc:~$ sftp web1`.
    static func starts(_ program: String, in lines: some Sequence<String>) -> Bool {
        lines.contains { line in
            guard let place = line.firstPlace(of: "\(program) ") else { return false }
            return String(line[..<place.lowerBound]).trimming(" ").last.map { "$#%>❯»".contains($0) } ?? false
        }
    }

    private static let fences: Set<String> = [
        "```", "~~~", "[/code]", "[/quote]", "</pre>", "</code>", "</code></pre>", "{code}", "{noformat}", "{quote}", "}}}",
    ]

    /// Whether a line ends a quotation.
    static func isFence(_ line: String) -> Bool { fences.contains(line.lowercased()) }
}

extension TranscriptFacts {
    /// Whether nothing more of ssh's output follows a password that was refused: the quotation ends, or its shell asks for the next
    /// command.
    func isOver(at lines: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isAskedAgain, lines.count <= 256 else { return false }
        let line = String(decoding: lines, as: UTF8.self).trimming("\r\n ")
        return ShellPrompt.isFence(line) || ShellPrompt.isReturned(to: line, from: otherLines.last(50).map { String($0) })
    }
}
