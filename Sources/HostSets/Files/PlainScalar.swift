/// What a plain scalar is in YAML 1.1, as PyYAML reads it.
enum PlainScalar {
    /// Whether it is a number, a boolean, a date or nothing, and no string.
    static func hasOtherType(_ text: String) -> Bool {
        switch text {
        case "", "~", "null", "Null", "NULL", "=", "<<", "yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "false",
            "False", "FALSE", "on", "On", "ON", "off", "Off", "OFF", ".inf", ".Inf", ".INF", "+.inf", "-.inf", ".nan", ".NaN",
            ".NAN":
            return true
        default: break
        }
        var digits = Array(text.utf8)
        if digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-") { digits.removeFirst() }
        guard let first = digits.first, isDigit(first) || first == UInt8(ascii: ".") else { return false }
        if digits.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "_") }) {
            // 08 is no octal number, and so a string.
            return first != UInt8(ascii: "0") || digits.count == 1
                || digits.allSatisfy { $0 < UInt8(ascii: "8") || $0 == UInt8(ascii: "_") }
        }
        if first == UInt8(ascii: "0"), digits.count > 2, digits[1] == UInt8(ascii: "x") {
            return digits[2...].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit || $0 == UInt8(ascii: "_") }
        }
        if first == UInt8(ascii: "0"), digits.count > 2, digits[1] == UInt8(ascii: "b") {
            return digits[2...].allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") || $0 == UInt8(ascii: "_") }
        }
        return isFloat(digits) || isSexagesimal(digits) || isDate(digits)
    }

    private static func isFloat(_ bytes: [UInt8]) -> Bool {
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")), bytes.count > 1 else { return false }
        guard bytes[..<dot].allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "_") }) else { return false }
        var rest = bytes[(dot + 1)...]
        let fraction = rest.prefix { isDigit($0) || $0 == UInt8(ascii: "_") }
        rest = rest.dropFirst(fraction.count)
        if dot == 0, fraction.isEmpty { return false }
        if rest.isEmpty { return true }
        guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E"), rest.count > 2 else { return false }
        let sign = rest[rest.startIndex + 1]
        return (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")) && rest.dropFirst(2).allSatisfy(isDigit)
    }

    private static func isSexagesimal(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count > 1, bytes.first != UInt8(ascii: "0") else { return false }
        return parts.enumerated().allSatisfy { index, part in
            !part.isEmpty && part.allSatisfy(isDigit)
                && (index == 0 || part.count == 1 || (part.count == 2 && part.first.map { $0 < UInt8(ascii: "6") } == true))
        }
    }

    private static func isDate(_ bytes: [UInt8]) -> Bool {
        bytes.count == 10 && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
            && bytes.enumerated().allSatisfy { $0 == 4 || $0 == 7 || isDigit($1) }
    }
}
