#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Search by bytes. The standard library searches by characters, which costs a hundred times as much. That is too slow for
/// rules that look for many words in every line.
extension String {
    /// Whether the text contains these words, byte for byte.
    package func mentions(_ words: String) -> Bool { place(of: words) != nil }

    /// The first place of these words in the text, byte for byte.
    package func firstPlace(of words: String) -> Range<Index>? { place(of: words) }
}

extension Substring {
    /// Whether the text contains these words, byte for byte.
    package func mentions(_ words: String) -> Bool { place(of: words) != nil }

    /// The first place of these words in the text, byte for byte.
    package func firstPlace(of words: String) -> Range<Index>? { place(of: words) }
}

extension StringProtocol {
    /// Other modules call it for two types only, so that the compiler specialises it: the general form costs several times as much.
    @inline(__always)
    fileprivate func place(of words: String) -> Range<Index>? {
        let found = utf8.withContiguousStorageIfAvailable { text in
            words.utf8.withContiguousStorageIfAvailable { text.firstOffset(of: $0) }
        }
        // Only a bridged string has no contiguous storage.
        guard case let offset?? = found else { return firstRange(of: words) }
        guard let offset else { return nil }
        let start = utf8.index(startIndex, offsetBy: offset)
        return start..<utf8.index(start, offsetBy: words.utf8.count)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first place of these bytes.
    package func firstOffset(of needle: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = baseAddress, let wanted = needle.baseAddress, let first = needle.first else { return 0 }
        var offset = 0
        while offset + needle.count <= count {
            guard let found = memchr(start + offset, Int32(first), count - needle.count - offset + 1) else { return nil }
            offset = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            if memcmp(found, wanted, needle.count) == 0 { return offset }
            offset += 1
        }
        return nil
    }

    /// The bytes without spaces, tabs and carriage returns at either end.
    package var withoutOuterBlanks: UnsafeBufferPointer<UInt8> {
        var (start, end) = (0, count)
        while start < end, Self.isBlank(self[start]) { start += 1 }
        while end > start, Self.isBlank(self[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: self[start..<end])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

extension String {
    /// The beginning of the text: whole characters, at most this many bytes of UTF-8.
    package func cut(toBytes limit: Int) -> String {
        utf8.count <= limit ? self : String(self[..<utf8.index(startIndex, offsetBy: limit)])
    }
}
