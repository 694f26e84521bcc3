/// The lines of a text as Python's `splitlines` finds them: they end at more than line feeds.
struct SourceLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var start = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() -> ArraySlice<UInt8>? {
        guard start < bytes.count else { return nil }
        var end = start
        var length = 0
        while end < bytes.count {
            // Most bytes are neither a control character nor part of a character that could be an end.
            let byte = bytes[end]
            if byte < 32 || byte == 0xC2 || byte == 0xE2 { length = lengthOfEnd(at: end) }
            if length > 0 { break }
            end += 1
        }
        defer { start = end + length }
        return bytes[start..<end]
    }

    /// How many bytes the end of a line has that stands here; 0 if none does.
    private func lengthOfEnd(at index: Int) -> Int {
        func byte(_ distance: Int) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }
        switch bytes[index] {
        case 13: return byte(1) == 10 ? 2 : 1
        case 10, 11, 12, 28, 29, 30: return 1
        // U+0085, U+2028 and U+2029.
        case 0xC2: return byte(1) == 0x85 ? 2 : 0
        case 0xE2: return byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9) ? 3 : 0
        default: return 0
        }
    }

    /// A line without the blanks around it, those of Unicode included.
    static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let byte = line.first, isBlank(byte) { line = line.dropFirst() }
        while let byte = line.last, isBlank(byte) { line = line.dropLast() }
        guard let first = line.first, let last = line.last, first >= 0x80 || last >= 0x80 else { return line }
        return Array(String(decoding: line, as: UTF8.self)[...].trimmingBlanks().utf8)[...]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) || (28...31).contains(byte) }
}
