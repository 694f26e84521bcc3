/// The last lines of a text without end, in a bounded space.
struct LastLines: Sendable {
    /// How many bytes of a line are kept.
    static let longest = 4096
    /// Room for a hundred of the longest.
    private static let room = 512 << 10

    /// The lines, each with a line feed behind it.
    private var bytes: [UInt8] = []

    mutating func append(_ line: UnsafeBufferPointer<UInt8>) {
        if bytes.count >= 2 * Self.room {
            let start = bytes[(bytes.count - Self.room)...].firstIndex(of: 0x0A) ?? bytes.count - 1
            bytes.removeFirst(start + 1)
        }
        var end = min(line.count, Self.longest)
        // Not within a character (RFC 3629 section 3).
        while end < line.count, end > 0, line[end] & 0xC0 == 0x80 { end -= 1 }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: line[..<end]))
        bytes.append(0x0A)
    }

    /// The last of them, at most this many, in order.
    func last(_ count: Int) -> [String] {
        var lines: [String] = []
        var end = bytes.count - 1
        while end >= 0, lines.count < count {
            let start = (bytes[..<end].lastIndex(of: 0x0A) ?? -1) + 1
            lines.append(String(decoding: bytes[start..<end], as: UTF8.self))
            end = start - 1
        }
        return lines.reversed()
    }
}
