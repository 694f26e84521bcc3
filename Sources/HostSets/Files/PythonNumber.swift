/// Numbers in Python's notation.
enum PythonNumber {
    /// The most digits of an integer that are accepted. Python allows 4300, but no name or port is that long.
    static let maximumDigits = 1024

    /// An integer given in base 2, 8, 10 or 16, converted to decimal without leading zeros; nil if it has too many digits.
    ///
    /// - Parameter digits: Digits of that base only.
    static func wholeNumber(_ digits: some Collection<UInt8>, base: Int, isNegative: Bool) -> String? {
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard significant.count <= maximumDigits else { return nil }
        if significant.isEmpty { return "0" }
        let sign = isNegative ? "-" : ""
        if base == 10 { return sign + String(decoding: significant, as: UTF8.self) }
        // The decimal digits, last digit first.
        var result: [UInt8] = []
        for digit in significant {
            var carry = value(of: digit)
            for place in result.indices {
                carry += Int(result[place]) * base
                result[place] = UInt8(carry % 10)
                carry /= 10
            }
            while carry > 0 {
                result.append(UInt8(carry % 10))
                carry /= 10
            }
        }
        return sign + String(decoding: result.reversed().map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }

    /// The value of a hexadecimal digit.
    static func value(of digit: UInt8) -> Int {
        isDigit(digit) ? Int(digit - UInt8(ascii: "0")) : Int(digit | 0x20) - Int(UInt8(ascii: "a")) + 10
    }

    /// The result of Python's `int` for a text, which ignores surrounding blanks and single underscores between digits. Clamped
    /// to the range of `Int`; nil if the text is not an integer.
    static func integer(_ text: String) -> Int? {
        var digits = text[...].trimmingBlanks().utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        var result = 0
        var wasDigit = false
        for byte in digits {
            if byte == UInt8(ascii: "_"), wasDigit {
                wasDigit = false
                continue
            }
            guard isDigit(byte) else { return nil }
            wasDigit = true
            let (product, overflows) = result.multipliedReportingOverflow(by: 10)
            let (sum, isTooMuch) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            if overflows || isTooMuch { result = .max / 10 } else { result = sum }
        }
        guard wasDigit else { return nil }
        return isNegative ? -result : result
    }

    /// The integer part of a number as `repr` writes it, with a point or an exponent; nil for any other text.
    static func truncated(_ text: String) -> Int? {
        guard text.utf8.contains(where: { ".e".utf8.contains($0) }), let number = Double(text), number.isFinite else {
            return nil
        }
        return number.magnitude < 1e18 ? Int(number) : number < 0 ? .min : .max
    }

    /// A floating-point number as `repr` writes it: the shortest digits that identify it, with an exponent below -4 or above 15.
    static func real(_ number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        let sign = number.sign == .minus ? "-" : ""
        // Swift's digits are also the shortest, but Swift switches to an exponent elsewhere.
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        let text = Array(number.magnitude.description.utf8)
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: ".") {
                point = digits.count
            } else if byte == UInt8(ascii: "e") {
                exponent = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
                break
            } else {
                digits.append(byte)
            }
        }
        // The position of the point, counted from the first digit.
        exponent += (point ?? digits.count) - 1
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        if zeros == digits.count { return sign + "0.0" }
        digits.removeFirst(zeros)
        exponent -= zeros
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return sign + written(digits, exponent)
    }

    private static func written(_ digits: [UInt8], _ exponent: Int) -> String {
        func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
        if exponent < -4 || exponent > 15 {
            let fraction = digits.count > 1 ? "." + text(digits.dropFirst()) : ""
            let size = String(exponent.magnitude)
            return text(digits.prefix(1)) + fraction + (exponent < 0 ? "e-" : "e+") + (size.count < 2 ? "0" : "") + size
        }
        if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + text(digits) }
        let whole = text(digits.prefix(exponent + 1)) + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
        let fraction = text(digits.dropFirst(exponent + 1))
        return whole + "." + (fraction.isEmpty ? "0" : fraction)
    }
}

/// A number in Python source, without its sign.
struct PythonNumeral {
    enum Magnitude {
        case whole(String)
        case real(Double)
    }

    var magnitude: Magnitude
    /// Whether it ends with `j`.
    var isImaginary = false

    var negated: PythonNumeral {
        switch magnitude {
        case .whole("0"): self
        case .whole(let digits): PythonNumeral(magnitude: .whole("-" + digits), isImaginary: isImaginary)
        case .real(let number): PythonNumeral(magnitude: .real(-number), isImaginary: isImaginary)
        }
    }

    var value: ScalarValue {
        if isImaginary { return .other("a complex number") }
        switch magnitude {
        case .whole(let digits): return .number(digits)
        case .real(let number): return .number(PythonNumber.real(number))
        }
    }

    /// Parses a number, which no letter or digit may follow.
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
                // Skip the underscore.
            } else {
                break
            }
            text.index += 1
        }
        return result.isEmpty ? nil : result
    }

    /// The base given by the prefix of `0x1F`, `0o17` or `0b101`.
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
        // An underscore may precede the first digit here.
        if text.next == UInt8(ascii: "_") { text.index += 1 }
        let found = digits(&text) { byte in
            (isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20))
                && PythonNumber.value(of: byte) < base
        }
        return found.flatMap { PythonNumber.wholeNumber($0, base: base, isNegative: false) }.map {
            PythonNumeral(magnitude: .whole($0))
        }
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
            return PythonNumeral(magnitude: .real(Double(number) ?? .infinity), isImaginary: isImaginary)
        }
        guard let whole else { return nil }
        // 0022 is not a valid number, but 0000 is.
        if whole.count > 1, whole[0] == UInt8(ascii: "0"), whole.contains(where: { $0 != UInt8(ascii: "0") }) { return nil }
        return PythonNumber.wholeNumber(whole, base: 10, isNegative: false).map { PythonNumeral(magnitude: .whole($0)) }
    }
}
