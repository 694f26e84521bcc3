/// Characters that JSON text may hold as they are (RFC 8259 section 7), and that ours holds as `\uXXXX`: those that a terminal
/// obeys, that reorder what is read, that end a line for some readers, or that are invisible.
package enum JSONEscape {
    /// Such a character at the beginning of the bytes, and how many of them are its own; nil where there is none.
    ///
    /// U+007F to U+009F, U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069 and U+FEFF.
    package static func scalar(at bytes: some Collection<UInt8>) -> (value: UInt16, count: Int)? {
        var iterator = bytes.makeIterator()
        switch iterator.next() {
        case 0x7F: return (0x7F, 1)
        case 0xC2:
            guard let next = iterator.next(), (0x80...0x9F).contains(next) else { return nil }
            return (UInt16(next), 2)
        case 0xD8: return iterator.next() == 0x9C ? (0x061C, 2) : nil
        case 0xE2:
            guard let second = iterator.next(), let third = iterator.next() else { return nil }
            switch (second, third) {
            case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE): return (0x2000 | UInt16(third & 0x3F), 3)
            case (0x81, 0xA6...0xA9): return (0x2040 | UInt16(third & 0x3F), 3)
            default: return nil
            }
        case 0xEF: return iterator.next() == 0xBB && iterator.next() == 0xBF ? (0xFEFF, 3) : nil
        default: return nil
        }
    }

    /// `\uXXXX`.
    package static func append(_ value: UInt16, to output: inout [UInt8]) {
        output += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: value >> UInt16(shift)) & 15
            output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// JSON text of another writer with those characters escaped.
    package static func escaping(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count)
        var index = 0
        while index < json.count {
            if json[index] >= 0x7F, let (value, count) = scalar(at: json[index...]) {
                append(value, to: &output)
                index += count
            } else {
                output.append(json[index])
                index += 1
            }
        }
        return output
    }
}
