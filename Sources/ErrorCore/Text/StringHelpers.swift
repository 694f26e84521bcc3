extension StringProtocol {
    /// Without white space and line ends around it.
    var trimmed: String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace }) else {
            return ""
        }
        return String(self[start...end])
    }

    /// At most `limit` characters, the last of them `…` if some were dropped.
    package func cut(to limit: Int) -> String {
        // Every character is at least one byte: most values are short, and counting bytes is free.
        guard utf8.count > limit, count > limit else { return String(self) }
        return prefix(Swift.max(0, limit - 1)) + "…"
    }
}

extension String {
    /// The last line that has more than white space.
    var lastLine: String? {
        split(whereSeparator: \.isNewline).last { line in !line.allSatisfy(\.isWhitespace) }.map(String.init)
    }

    /// On one line, as in a sentence: every run of white space and line ends is one space.
    var onOneLine: String {
        // Nearly all values are one line of ASCII with single spaces.
        var afterSpace = true
        let isPlain = utf8.allSatisfy { byte in
            defer { afterSpace = byte == 0x20 }
            return byte > 0x20 && byte < 0x7F || byte == 0x20 && !afterSpace
        }
        if isPlain, !afterSpace { return self }
        return split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
