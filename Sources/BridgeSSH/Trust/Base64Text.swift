/// Base64 (RFC 4648 section 4) as known_hosts uses it: padded, without line breaks.
enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var table = [UInt8](repeating: .max, count: 256)
        for (value, byte) in alphabet.enumerated() { table[Int(byte)] = UInt8(value) }
        return table
    }()

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0..<4 {
                let isPadding = position > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * position) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or nil if the padding is wrong, unused bits are set or a character is foreign.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let digits = text.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.dropFirst(digits.count)
        guard text.count % 4 == 0, padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits = 0
        var count = 0
        for digit in digits {
            let value = values[Int(digit)]
            guard value != .max else { return nil }
            bits = bits << 6 | Int(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                bits &= (1 << count) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }
}
