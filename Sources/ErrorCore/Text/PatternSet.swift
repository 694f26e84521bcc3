/// A set of ASCII words to find in a text, in one pass over its bytes and without allocation.
struct PatternSet: Sendable {
    /// By the first byte, the remaining bytes of each pattern.
    private let buckets: [[[UInt8]]]
    private let ignoresCase: Bool

    /// - Parameter ignoresCase: Whether case is ignored; the patterns must then be in lower case.
    init(_ patterns: [String], ignoresCase: Bool) {
        var buckets = [[[UInt8]]](repeating: [], count: 256)
        for pattern in patterns {
            guard let first = pattern.utf8.first else { continue }
            buckets[Int(first)].append(Array(pattern.utf8.dropFirst()))
        }
        self.buckets = buckets
        self.ignoresCase = ignoresCase
    }

    /// Whether the text contains any of the patterns.
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
    /// The text without surrounding white space and line ends.
    var trimmed: String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace }) else {
            return ""
        }
        return String(self[start...end])
    }

    /// The text cut to `limit` characters; a cut text ends in `…`.
    package func cut(to limit: Int) -> String {
        // A character has at least one byte, so a short byte count, which costs nothing, proves a short text.
        guard utf8.count > limit, count > limit else { return String(self) }
        return prefix(Swift.max(0, limit - 1)) + "…"
    }
}

extension String {
    /// The last line that is not blank.
    var lastLine: String? {
        split(whereSeparator: \.isNewline).last { line in !line.allSatisfy(\.isWhitespace) }.map(String.init)
    }

    /// The text on one line: each run of white space and line ends becomes one space.
    var onOneLine: String {
        // Fast path: nearly all values are one line of ASCII with single spaces.
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
    /// The URL without user information, query and fragment.
    package var withoutCredentials: String {
        let base = prefix { $0 != "?" && $0 != "#" }
        guard let scheme = base.firstRange(of: "://") else { return String(base) }
        let authority = base[scheme.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(base) }
        return String(base[..<scheme.upperBound] + base[base.index(after: at)...])
    }
}
