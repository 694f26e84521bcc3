/// A string literal of Python, with its escape sequences resolved.
struct PythonText {
    /// The text in UTF-8; nil if it needs the table of character names.
    var bytes: [UInt8]?
    /// Whether it is a bytes literal, `b"…"`.
    var isBytes: Bool

    /// Parses a prefix and a quoted string; nil, without moving on, if there is none.
    static func read(_ source: inout PythonLiteral) -> PythonText? {
        let start = source.index
        var prefix = ""
        while let next = source.next, isLetter(next), prefix.utf8.count < 3 {
            prefix.unicodeScalars.append(Unicode.Scalar(next | 0x20))
            source.index += 1
        }
        guard ["", "r", "u", "b", "br", "rb"].contains(prefix), let quote = source.next,
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else {
            source.index = start
            return nil
        }
        var reader = Reader(isRaw: prefix.contains("r"), isBytes: prefix.contains("b"), quote: quote)
        guard reader.read(&source) else {
            source.index = start
            return nil
        }
        return PythonText(bytes: reader.hasNamedCharacter ? nil : reader.bytes, isBytes: reader.isBytes)
    }

    private struct Reader {
        let isRaw: Bool
        let isBytes: Bool
        let quote: UInt8
        var bytes: [UInt8] = []
        var hasNamedCharacter = false

        mutating func read(_ source: inout PythonLiteral) -> Bool {
            let isTriple = source.peek(1) == quote && source.peek(2) == quote
            source.index += isTriple ? 3 : 1
            while let next = source.next {
                if next == quote, !isTriple || (source.peek(1) == quote && source.peek(2) == quote) {
                    source.index += isTriple ? 3 : 1
                    return true
                }
                source.index += 1
                if isBytes, next >= 0x80 { return false }
                guard next == UInt8(ascii: "\\") else {
                    bytes.append(next)
                    continue
                }
                guard let escaped = source.next else { return false }
                source.index += 1
                if isRaw {
                    bytes += [next, escaped]
                } else if !escape(escaped, &source) {
                    return false
                }
            }
            return false
        }

        private mutating func escape(_ letter: UInt8, _ source: inout PythonLiteral) -> Bool {
            switch letter {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): bytes.append(letter)
            case UInt8(ascii: "a"): bytes.append(7)
            case UInt8(ascii: "b"): bytes.append(8)
            case UInt8(ascii: "f"): bytes.append(12)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "v"): bytes.append(11)
            case UInt8(ascii: "0")...UInt8(ascii: "7"):
                var value = UInt32(letter - UInt8(ascii: "0"))
                for _ in 0..<2 {
                    guard let digit = source.next, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { break }
                    value = value * 8 + UInt32(digit - UInt8(ascii: "0"))
                    source.index += 1
                }
                append(isBytes ? value & 0xFF : value)
            case UInt8(ascii: "x"): return hexadecimal(2, &source)
            case UInt8(ascii: "u") where !isBytes: return hexadecimal(4, &source)
            case UInt8(ascii: "U") where !isBytes: return hexadecimal(8, &source)
            case UInt8(ascii: "N") where !isBytes: return namedCharacter(&source)
            default:
                // Keep a backslash before any other character.
                bytes += [UInt8(ascii: "\\"), letter]
            }
            return true
        }

        private mutating func append(_ value: UInt32) {
            if isBytes {
                bytes.append(UInt8(truncatingIfNeeded: value))
            } else if let scalar = Unicode.Scalar(value) {
                bytes += Array(String(Character(scalar)).utf8)
            } else {
                // A lone surrogate is not valid in UTF-8.
                bytes.append(0xFF)
            }
        }

        private mutating func hexadecimal(_ count: Int, _ source: inout PythonLiteral) -> Bool {
            var value: UInt64 = 0
            for _ in 0..<count {
                guard let digit = source.next, isDigit(digit) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit | 0x20)
                else {
                    return false
                }
                value = value * 16 + UInt64(PythonNumber.value(of: digit))
                source.index += 1
            }
            guard value <= 0x10FFFF else { return false }
            append(UInt32(value))
            return true
        }

        private mutating func namedCharacter(_ source: inout PythonLiteral) -> Bool {
            guard source.take("{") else { return false }
            hasNamedCharacter = true
            while let next = source.next {
                if next == quote { return false }
                source.index += 1
                if next == UInt8(ascii: "}") { return true }
            }
            return false
        }
    }
}
