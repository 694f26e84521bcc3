/// A server's greeting in a frame, which ssh shows before the login: it is never a failure's last words.
enum Greeting {
    /// The lines without a frame at the beginning, and without what it frames.
    static func removed(from lines: [Substring]) -> [Substring] {
        guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }), isRule(lines[first]) else { return lines }
        let behind = lines[(first + 1)...]
        // A frame is closed; what only begins with a rule is the command's own.
        guard let last = behind.prefix(64).lastIndex(where: isRule) else { return lines }
        return Array(lines[(last + 1)...])
    }

    /// `*******`, `# # # #`, `+-----+`
    private static func isRule(_ line: Substring) -> Bool {
        let marks = line.filter { !$0.isWhitespace }
        return marks.count >= 4 && marks.allSatisfy { "*#=-_+~|".contains($0) }
    }
}
