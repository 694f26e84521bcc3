/// Characters that JSON permits unescaped (RFC 8259 section 7), but that this package writes as `\uXXXX`. They control a
/// terminal, reorder text, end a line for some readers, or are invisible.
package enum JSONEscape {
    /// The character at the start of the bytes, if it is one of these, and its length in bytes; otherwise nil.
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

    /// Appends `\uXXXX`.
    package static func append(_ value: UInt16, to output: inout [UInt8]) {
        output += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: value >> UInt16(shift)) & 15
            output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Escapes these characters in JSON from another writer.
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

/// Isolates right-to-left values in a left-to-right sentence, and the reverse (Unicode Standard Annex 9).
extension String {
    /// The value inside directional isolates, if it has right-to-left letters or directional controls, so that it cannot reorder
    /// the surrounding sentence. The value's own directional controls are removed.
    var isolatedIfNeeded: String {
        // No right-to-left letter or directional control has a first byte below D6: U+0590 begins with it.
        guard utf8.contains(where: { $0 >= 0xD6 }),
            unicodeScalars.contains(where: { $0.isRightToLeft || $0.isDirectionalControl })
        else { return self }
        var inner = String.UnicodeScalarView()
        inner.append(contentsOf: unicodeScalars.lazy.filter { !$0.isDirectionalControl })
        return inner.isEmpty ? "" : "\u{2068}" + String(inner) + "\u{2069}"
    }

    /// The text without FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: terminals and logs do not reorder text by them.
    var withoutIsolates: String {
        guard utf8.contains(0xE2), unicodeScalars.contains(where: { $0.value == 0x2068 || $0.value == 0x2069 }) else {
            return self
        }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: unicodeScalars.lazy.filter { $0.value != 0x2068 && $0.value != 0x2069 })
        return String(scalars)
    }
}

extension Unicode.Scalar {
    /// Whether this is a letter of a right-to-left script, by block.
    fileprivate var isRightToLeft: Bool {
        guard value >= 0x590 else { return false }
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: return false
        }
    }

    /// Whether this is an embedding, override or isolate.
    fileprivate var isDirectionalControl: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}
