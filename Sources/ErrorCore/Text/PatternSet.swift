/// A set of ASCII words to look for in a text, in one pass over its bytes and without allocation.
struct PatternSet: Sendable {
    /// By first byte, the bytes that follow.
    private let buckets: [[[UInt8]]]
    private let ignoresCase: Bool

    /// - Parameter ignoresCase: Whether case does not count; the patterns are in lower case then.
    init(_ patterns: [String], ignoresCase: Bool) {
        var buckets = [[[UInt8]]](repeating: [], count: 256)
        for pattern in patterns {
            guard let first = pattern.utf8.first else { continue }
            buckets[Int(first)].append(Array(pattern.utf8.dropFirst()))
        }
        self.buckets = buckets
        self.ignoresCase = ignoresCase
    }

    /// Whether any of them is in the text.
    func isIn(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable(isIn) ?? Array(text.utf8).withUnsafeBufferPointer(isIn)
    }

    private func isIn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in bytes.indices {
            for rest in buckets[Int(folded(bytes[index]))] where index + rest.count < bytes.count {
                var matched = 0
                while matched < rest.count, folded(bytes[index + 1 + matched]) == rest[matched] { matched += 1 }
                if matched == rest.count { return true }
            }
        }
        return false
    }

    private func folded(_ byte: UInt8) -> UInt8 {
        ignoresCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

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

extension String {
    /// A URL without user information, query and fragment.
    package var withoutCredentials: String {
        let base = prefix { $0 != "?" && $0 != "#" }
        guard let scheme = base.firstRange(of: "://") else { return String(base) }
        let authority = base[scheme.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(base) }
        return String(base[..<scheme.upperBound] + base[base.index(after: at)...])
    }
}
