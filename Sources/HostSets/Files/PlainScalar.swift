/// The type of a plain scalar in YAML 1.1, as PyYAML determines it.
enum PlainScalar: Equatable {
    case text
    /// `null`, `~` or empty.
    case nothing
    /// `yes`, `off`, `True` and the like.
    case boolean(Bool)
    /// An integer: decimal, octal with a leading zero, binary with `0b`, hexadecimal with `0x`, or sexagesimal.
    case whole(String)
    /// A floating-point number.
    case real(Double)
    /// A date, as it is written.
    case date
    /// A value of another type that is not a string, by its kind.
    case other(String)
    /// A malformed value, by its kind: it resembles a value of a type, so YAML 1.1 refuses it everywhere.
    case malformed(String)
    /// `<<`, the merge key.
    case merge
    /// `=`, which is a string only as a key.
    case equals

    /// Determines the type of an unquoted scalar.
    init(_ text: String) {
        // The scalar is a string if its first letter cannot start another type.
        guard let first = text.utf8.first, !Self.beginsText(first) else {
            self = text.isEmpty ? .nothing : .text
            return
        }
        switch text {
        case "~", "null", "Null", "NULL": self = .nothing
        case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON": self = .boolean(true)
        case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF": self = .boolean(false)
        case "<<": self = .merge
        case "=": self = .equals
        case "+.inf", "+.Inf", "+.INF", ".inf", ".Inf", ".INF": self = .real(.infinity)
        case "-.inf", "-.Inf", "-.INF": self = .real(-.infinity)
        case ".nan", ".NaN", ".NAN": self = .real(.nan)
        default:
            guard isDigit(first) || first == UInt8(ascii: "+") || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") else {
                self = .text
                return
            }
            let bytes = Array(text.utf8)
            self = Self.number(bytes) ?? (isDigit(first) ? Self.timestamp(bytes) : nil) ?? .text
        }
    }

    /// Whether it is a string even if only strings are accepted.
    var isText: Bool { self == .text }

    private static func beginsText(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            !"yntfo".utf8.contains(byte | 0x20)
        case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: byte >= 0x80
        }
    }

    // MARK: - Numbers

    private static func number(_ bytes: [UInt8]) -> PlainScalar? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let hasSign = isNegative || bytes.first == UInt8(ascii: "+")
        let body = hasSign ? bytes[1...] : bytes[...]
        guard let first = body.first else { return nil }
        if let point = body.firstIndex(of: UInt8(ascii: ".")) { return real(body, point, hasSign: hasSign, isNegative) }
        guard isDigit(first) else { return nil }
        func wholeNumber(_ digits: ArraySlice<UInt8>, _ base: Int) -> PlainScalar {
            let plain = digits.filter { $0 != UInt8(ascii: "_") }
            if plain.isEmpty { return .malformed("a number without digits") }
            return PythonNumber.wholeNumber(plain, base: base, isNegative: isNegative).map { .whole($0) }
                ?? .other("a number that is too long")
        }
        let rest = body.dropFirst()
        if first != UInt8(ascii: "0") {
            if rest.allSatisfy(isDigitOrUnderscore) { return wholeNumber(body, 10) }
            return sixties(body).map { total($0, isNegative) }
        }
        if rest.isEmpty { return .whole("0") }
        if rest.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) || $0 == UInt8(ascii: "_") }) {
            return wholeNumber(body, 8)
        }
        let digits = rest.dropFirst()
        if digits.isEmpty { return nil }
        if rest.first == UInt8(ascii: "b"), digits.allSatisfy({ "01_".utf8.contains($0) }) { return wholeNumber(digits, 2) }
        if rest.first == UInt8(ascii: "x"), digits.allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: "_") }) {
            return wholeNumber(digits, 16)
        }
        return nil
    }

    private static func isDigitOrUnderscore(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "_") }

    /// `1:30:00`: the numbers between the colons. All except the first are below 60.
    private static func sixties(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count > 1, let head = parts[0].first, isDigit(head), parts[0].allSatisfy(isDigitOrUnderscore) else {
            return nil
        }
        let areMinutes = parts.dropFirst().allSatisfy { part in
            guard let first = part.first, part.allSatisfy(isDigit) else { return false }
            return part.count == 1 || (part.count == 2 && first < UInt8(ascii: "6"))
        }
        return areMinutes ? parts : nil
    }

    private static func digits(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    }

    private static func total(_ parts: [ArraySlice<UInt8>], _ isNegative: Bool) -> PlainScalar {
        var sum: Int64 = 0
        for part in parts {
            let (product, overflows) = sum.multipliedReportingOverflow(by: 60)
            guard !overflows, let number = Int64(digits(part)) else { return .other("a number that is too long") }
            let (next, isTooMuch) = product.addingReportingOverflow(number)
            if isTooMuch { return .other("a number that is too long") }
            sum = next
        }
        return .whole(String(isNegative ? -sum : sum))
    }

    private static func real(
        _ body: ArraySlice<UInt8>, _ point: Int, hasSign: Bool, _ isNegative: Bool
    ) -> PlainScalar? {
        let (before, after) = (body[..<point], body[(point + 1)...])
        func value(_ number: Double) -> PlainScalar { .real(isNegative ? -number : number) }
        if let head = before.first {
            guard isDigit(head) else { return nil }
        } else {
            // A sign requires a digit before the point.
            guard !hasSign, let next = after.first, isDigit(next) else { return nil }
        }
        if before.contains(UInt8(ascii: ":")) {
            guard let parts = sixties(before), after.allSatisfy(isDigitOrUnderscore) else { return nil }
            let last = Double(digits(parts[parts.count - 1]) + "." + digits(after) + "0") ?? 0
            // From last to first, the order in which PyYAML adds them.
            var (sum, base) = (last, 60.0)
            for part in parts.dropLast().reversed() {
                sum += (Double(digits(part)) ?? 0) * base
                base *= 60
            }
            return value(sum)
        }
        guard before.allSatisfy(isDigitOrUnderscore) else { return nil }
        let fraction = after.prefix(while: isDigitOrUnderscore)
        let exponent = after[fraction.endIndex...]
        if !exponent.isEmpty {
            // 1.0e3 is a string: the exponent needs a sign.
            let number = exponent.dropFirst()
            guard exponent.first.map({ $0 | 0x20 }) == UInt8(ascii: "e"), number.count > 1,
                number.first == UInt8(ascii: "+") || number.first == UInt8(ascii: "-"), number.dropFirst().allSatisfy(isDigit)
            else { return nil }
        }
        let text = "0" + digits(before) + "." + digits(fraction) + "0" + String(decoding: exponent, as: UTF8.self)
        return value(Double(text) ?? .infinity)
    }

    // MARK: - Dates

    private static func timestamp(_ bytes: [UInt8]) -> PlainScalar? {
        guard bytes.count >= 8 else { return nil }
        let parts = bytes.prefix { isDigit($0) || $0 == UInt8(ascii: "-") }.split(
            separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, (1...2).contains(parts[1].count), (1...2).contains(parts[2].count) else {
            return nil
        }
        let rest = bytes[parts[2].endIndex...]
        if rest.isEmpty {
            return bytes.count == 10 ? isDay(parts) ? .date : .malformed("a day that does not exist") : nil
        }
        guard let numbers = time(rest) else { return nil }
        guard isDay(parts) else { return .malformed("a day that does not exist") }
        let exists = numbers.hour < 24 && numbers.minute < 60 && numbers.second < 60 && numbers.distance < 24 * 60
        return exists ? .other("a date with a time") : .malformed("a time that does not exist")
    }

    private static func isDay(_ parts: [ArraySlice<UInt8>]) -> Bool {
        let (year, month, day) = (number(of: parts[0]), number(of: parts[1]), number(of: parts[2]))
        guard year > 0, (1...12).contains(month), day > 0 else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= days[month - 1]
    }

    private static func number(of digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private struct Time {
        var hour = 0
        var minute = 0
        var second = 0
        /// The offset from UTC, in minutes.
        var distance = 0
    }

    /// The components of `T21:59:43.10Z`, or with blanks and a UTC offset; nil if the text is not a time.
    private static func time(_ text: ArraySlice<UInt8>) -> Time? {
        var rest = text
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        func takeNumber(_ count: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix(count.upperBound).prefix(while: isDigit)
            guard digits.count >= count.lowerBound else { return nil }
            rest = rest.dropFirst(digits.count)
            return number(of: digits)
        }
        func take(_ byte: Character) -> Bool {
            guard rest.first == byte.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }
        if !take("T"), !take("t") {
            guard let first = rest.first, isBlank(first) else { return nil }
            rest = rest.drop(while: isBlank)
        }
        guard let hour = takeNumber(1...2), take(":"), let minute = takeNumber(2...2), take(":"), let second = takeNumber(2...2)
        else { return nil }
        var result = Time(hour: hour, minute: minute, second: second)
        if take(".") { rest = rest.drop(while: isDigit) }
        if rest.isEmpty { return result }
        rest = rest.drop(while: isBlank)
        if take("Z") { return rest.isEmpty ? result : nil }
        guard take("+") || take("-"), let hours = takeNumber(1...2) else { return nil }
        guard let minutes = take(":") ? takeNumber(2...2) : 0, rest.isEmpty else { return nil }
        result.distance = hours * 60 + minutes
        return result
    }
}

extension PlainScalar {
    /// PyYAML's value of an unquoted text.
    func value(of text: String) -> ScalarValue {
        switch self {
        case .text, .date: .text(text)
        case .nothing: .nothing
        case .boolean(let isTrue): .number(isTrue ? "True" : "False")
        case .whole(let digits): .number(digits)
        case .real(let number): .number(PythonNumber.real(number))
        case .other(let kind), .malformed(let kind): .other(kind)
        case .merge, .equals: .other("\(text) alone")
        }
    }
}
