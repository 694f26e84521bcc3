/// ASCII words of which any may be in a text: found in one pass over its bytes, without allocation.
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
