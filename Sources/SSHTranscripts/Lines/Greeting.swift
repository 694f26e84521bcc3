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

    /// Whether a line belongs to a frame of asterisks or number signs that was drawn so far.
    static func goesOn(in line: String, _ isFramed: Bool) -> Bool {
        guard let first = line.utf8.first, first == UInt8(ascii: "*") || first == UInt8(ascii: "#") else { return false }
        return isFramed || line.utf8.count >= 4 && line.utf8.allSatisfy { $0 == first || $0 == 0x20 }
    }

    /// `*******`, `# # # #`, `+-----+`
    private static func isRule(_ line: Substring) -> Bool {
        let marks = line.filter { !$0.isWhitespace }
        return marks.count >= 4 && marks.allSatisfy { "*#=-_+~|".contains($0) }
    }
}
