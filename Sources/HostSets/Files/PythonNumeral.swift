/// A number as Python's source has it, without its sign.
struct PythonNumeral {
    enum Amount {
        case whole(String)
        case real(Double)
    }

    var amount: Amount
    /// Whether a `j` stands behind it.
    var isImaginary = false

    var negated: PythonNumeral {
        switch amount {
        case .whole("0"): self
        case .whole(let digits): PythonNumeral(amount: .whole("-" + digits), isImaginary: isImaginary)
        case .real(let number): PythonNumeral(amount: .real(-number), isImaginary: isImaginary)
        }
    }

    var value: ScalarValue {
        if isImaginary { return .other("a complex number") }
        switch amount {
        case .whole(let digits): return .number(digits)
        case .real(let number): return .number(PythonNumber.real(number))
        }
    }

    /// Reads a number, after which no letter or digit may follow.
    static func read(_ text: inout PythonLiteral) -> PythonNumeral? {
        guard let number = base(&text).map({ prefixed(&text, base: $0) }) ?? decimal(&text) else { return nil }
        if let next = text.next, next >= 0x80 || next == UInt8(ascii: "_") || isDigit(next) || isLetter(next) { return nil }
        return number
    }

    /// Digits with single underscores between them.
    private static func digits(_ text: inout PythonLiteral, _ isWanted: (UInt8) -> Bool) -> [UInt8]? {
        var result: [UInt8] = []
        while let next = text.next {
            if isWanted(next) {
                result.append(next)
            } else if next == UInt8(ascii: "_"), !result.isEmpty, let after = text.peek(1), isWanted(after) {
                // The underscore means nothing.
            } else {
                break
            }
            text.index += 1
        }
        return result.isEmpty ? nil : result
    }

    /// The base that stands at the beginning of `0x1F`, `0o17` and `0b101`.
    private static func base(_ text: inout PythonLiteral) -> Int? {
        guard text.next == UInt8(ascii: "0"), let letter = text.peek(1) else { return nil }
        switch letter | 0x20 {
        case UInt8(ascii: "x"): return 16
        case UInt8(ascii: "o"): return 8
        case UInt8(ascii: "b"): return 2
        default: return nil
        }
    }

    private static func prefixed(_ text: inout PythonLiteral, base: Int) -> PythonNumeral? {
        text.index += 2
        // Here an underscore may stand before the first digit too.
        if text.next == UInt8(ascii: "_") { text.index += 1 }
        let found = digits(&text) { byte in
            (isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20))
                && PythonNumber.value(of: byte) < base
        }
        return found.flatMap { PythonNumber.whole($0, base: base, isNegative: false) }.map { PythonNumeral(amount: .whole($0)) }
    }

    private static func decimal(_ text: inout PythonLiteral) -> PythonNumeral? {
        let whole = digits(&text, isDigit)
        var isReal = false
        var number = String(decoding: whole ?? [UInt8(ascii: "0")], as: UTF8.self)
        if text.next == UInt8(ascii: ".") {
            text.index += 1
            let fraction = digits(&text, isDigit)
            if whole == nil, fraction == nil { return nil }
            number += "." + String(decoding: fraction ?? [UInt8(ascii: "0")], as: UTF8.self)
            isReal = true
        }
        if let next = text.next, next | 0x20 == UInt8(ascii: "e") {
            text.index += 1
            number += "e"
            if text.next == UInt8(ascii: "-") { number += "-" }
            if text.next == UInt8(ascii: "-") || text.next == UInt8(ascii: "+") { text.index += 1 }
            guard let exponent = digits(&text, isDigit) else { return nil }
            number += String(decoding: exponent, as: UTF8.self)
            isReal = true
        }
        let isImaginary = text.next.map { $0 | 0x20 == UInt8(ascii: "j") } ?? false
        if isImaginary { text.index += 1 }
        if isReal || isImaginary {
            return PythonNumeral(amount: .real(Double(number) ?? .infinity), isImaginary: isImaginary)
        }
        guard let whole else { return nil }
        // 0022 is no number, 0000 is one.
        if whole.count > 1, whole[0] == UInt8(ascii: "0"), whole.contains(where: { $0 != UInt8(ascii: "0") }) { return nil }
        return PythonNumber.whole(whole, base: 10, isNegative: false).map { PythonNumeral(amount: .whole($0)) }
    }
}
