/// A Python literal, as `ast.literal_eval` accepts it. Ansible parses each value of an INI file this way, and keeps other text as
/// a string.
struct PythonLiteral {
    /// A part of a literal.
    enum Operand {
        /// A number that may have a sign or be part of a sum.
        case number(PythonNumeral, isSigned: Bool)
        case value(ScalarValue)
    }

    /// The deepest nesting of brackets that Python allows.
    private static let maximumDepth = 199

    let bytes: [UInt8]
    var index = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Ansible's value for the text.
    static func value(_ text: Substring) -> ScalarValue {
        if isPlainText(text) { return .text(String(text)) }
        var reader = PythonLiteral(Array(text.utf8))
        return reader.whole() ?? .text(String(text))
    }

    /// Whether the text is a word or an address, and therefore certainly not a literal.
    private static func isPlainText(_ text: Substring) -> Bool {
        guard let first = text.utf8.first else { return true }
        var dots = 0
        var isNumber = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"),
                UInt8(ascii: "~"),
                UInt8(ascii: "-"):
                isNumber = false
            default: return false
            }
        }
        // Four numbers joined by dots are not one number.
        if isDigit(first) { return isNumber && (dots > 1 || (dots == 0 && (first != UInt8(ascii: "0") || text.utf8.count == 1))) }
        return !isNumber && first != UInt8(ascii: "-") && first != UInt8(ascii: ".") && !["None", "True", "False"].contains(text)
    }

    // MARK: - Tokens

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    func peek(_ distance: Int) -> UInt8? { index + distance < bytes.count ? bytes[index + distance] : nil }

    mutating func take(_ character: Character) -> Bool {
        guard let next, next == character.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while let next, next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") || next == 12 { index += 1 }
    }

    // MARK: - Grammar

    /// Parses the whole text as a literal; nil if it is not one.
    private mutating func whole() -> ScalarValue? {
        skipBlanks()
        guard let value = items() else { return nil }
        skipBlanks()
        guard next == nil || next == UInt8(ascii: "#") else { return nil }
        return value
    }

    /// One item, or a tuple without parentheses.
    private mutating func items() -> ScalarValue? {
        guard let first = item() else { return nil }
        skipBlanks()
        if next != UInt8(ascii: ",") { return Self.value(first) }
        return tupleEnd() ? .other("a list") : nil
    }

    /// The rest of a tuple, from its first comma.
    private mutating func tupleEnd() -> Bool {
        while take(",") {
            skipBlanks()
            if next == nil || next == UInt8(ascii: "#") || next == UInt8(ascii: ")") { return true }
            guard item() != nil else { return false }
            skipBlanks()
        }
        return true
    }

    private static func value(_ item: Operand) -> ScalarValue {
        switch item {
        case .number(let number, _): number.value
        case .value(let value): value
        }
    }

    /// A value with its sign, or a sum that forms a complex number.
    private mutating func item() -> Operand? {
        guard let first = signed() else { return nil }
        skipBlanks()
        guard next == UInt8(ascii: "+") || next == UInt8(ascii: "-") else { return first }
        index += 1
        guard case .number(let real, _) = first, !real.isImaginary, let second = operand(),
            case .number(let imaginary, isSigned: false) = second, imaginary.isImaginary
        else { return nil }
        return .value(.other("a complex number"))
    }

    private mutating func signed() -> Operand? {
        skipBlanks()
        let isNegative = next == UInt8(ascii: "-")
        guard isNegative || next == UInt8(ascii: "+") else { return operand() }
        index += 1
        guard case .number(let number, isSigned: false)? = operand() else { return nil }
        return .number(isNegative ? number.negated : number, isSigned: true)
    }

    private mutating func operand() -> Operand? {
        skipBlanks()
        guard let next else { return nil }
        switch next {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
            depth += 1
            defer { depth -= 1 }
            if depth > Self.maximumDepth { return nil }
            index += 1
            return next == UInt8(ascii: "(") ? parentheses() : next == UInt8(ascii: "[") ? list() : braces()
        case UInt8(ascii: "."):
            if peek(1) == UInt8(ascii: "."), peek(2) == UInt8(ascii: ".") {
                index += 3
                return .value(.text("..."))
            }
            return PythonNumeral.read(&self).map { .number($0, isSigned: false) }
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return PythonNumeral.read(&self).map { .number($0, isSigned: false) }
        default:
            let start = index
            if let text = texts() { return .value(text) }
            return index == start ? word().map { .value($0) } : nil
        }
    }

    private mutating func parentheses() -> Operand? {
        skipBlanks()
        if take(")") { return .value(.other("a list")) }
        guard let first = item() else { return nil }
        skipBlanks()
        if take(")") { return first }
        guard next == UInt8(ascii: ","), tupleEnd(), take(")") else { return nil }
        return .value(.other("a list"))
    }

    private mutating func list() -> Operand? {
        repeat {
            skipBlanks()
            if next == UInt8(ascii: "]") { break }
            guard item() != nil else { return nil }
            skipBlanks()
        } while take(",")
        // A comma alone is not a list.
        guard take("]"), !isCommaAlone(UInt8(ascii: "[")) else { return nil }
        return .value(.other("a list"))
    }

    private func isCommaAlone(_ open: UInt8) -> Bool {
        var place = index - 2
        while place >= 0, bytes[place] == UInt8(ascii: " ") || bytes[place] == UInt8(ascii: "\t") { place -= 1 }
        guard place >= 0, bytes[place] == UInt8(ascii: ",") else { return false }
        place -= 1
        while place >= 0, bytes[place] == UInt8(ascii: " ") || bytes[place] == UInt8(ascii: "\t") { place -= 1 }
        return place >= 0 && bytes[place] == open
    }

    private mutating func braces() -> Operand? {
        var count = 0
        var isMapping = true
        repeat {
            skipBlanks()
            if next == UInt8(ascii: "}") { break }
            guard item() != nil else { return nil }
            skipBlanks()
            let hasValue = take(":")
            if count == 0 { isMapping = hasValue }
            guard hasValue == isMapping else { return nil }
            if hasValue, item() == nil { return nil }
            count += 1
            skipBlanks()
        } while take(",")
        guard take("}"), !isCommaAlone(UInt8(ascii: "{")) else { return nil }
        return .value(.other(isMapping ? "a mapping" : "a list"))
    }

    private mutating func word() -> ScalarValue? {
        let start = index
        while let next, next >= 0x80 || next == UInt8(ascii: "_") || isDigit(next) || isLetter(next) { index += 1 }
        switch String(decoding: bytes[start..<index], as: UTF8.self) {
        case "None": return .nothing
        case "True": return .number("True")
        case "False": return .number("False")
        case "set":
            skipBlanks()
            guard take("(") else { return nil }
            skipBlanks()
            return take(")") ? .other("a list") : nil
        default: return nil
        }
    }

    /// One string, or several adjacent ones, which Python joins.
    private mutating func texts() -> ScalarValue? {
        var parts: [PythonText] = []
        while let part = PythonText.read(&self) {
            parts.append(part)
            skipBlanks()
        }
        guard let first = parts.first, !parts.contains(where: { $0.isBytes != first.isBytes }) else { return nil }
        if parts.contains(where: { $0.bytes == nil }) { return .other("a text with characters by name") }
        let joined = parts.flatMap { $0.bytes ?? [] }
        return String(validating: joined, as: UTF8.self).map { .text($0) } ?? .other("bytes that are not text")
    }
}

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
