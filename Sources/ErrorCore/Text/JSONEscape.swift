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

/// Right-to-left values in a left-to-right sentence, and the other way round (Unicode Standard Annex 9).
extension String {
    /// The value between isolates if it has right-to-left letters or directional controls, so that it cannot reorder the
    /// sentence around it. Directional controls of its own are dropped.
    var isolatedIfNeeded: String {
        // U+0590 begins with the byte D6.
        guard utf8.contains(where: { $0 >= 0xD6 }),
            unicodeScalars.contains(where: { $0.isRightToLeft || $0.isDirectionalControl })
        else { return self }
        var inner = String.UnicodeScalarView()
        inner.append(contentsOf: unicodeScalars.lazy.filter { !$0.isDirectionalControl })
        return inner.isEmpty ? "" : "\u{2068}" + String(inner) + "\u{2069}"
    }

    /// Without FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: for terminals and logs, which do not reorder by them.
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
    /// A letter of a right-to-left script, by block.
    fileprivate var isRightToLeft: Bool {
        guard value >= 0x590 else { return false }
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: return false
        }
    }

    /// Embeddings, overrides and isolates.
    fileprivate var isDirectionalControl: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}
