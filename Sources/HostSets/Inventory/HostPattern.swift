/// A host of an inventory with ranges of numbers or letters and a port: `web[01:20:2].lan:2222`.
struct HostPattern {
    var names: [String]
    var port: String?

    /// The most ranges in a pattern.
    private static let maximumRanges = 64

    /// Parses a pattern as Ansible does. Text that does not look like a host with a port is a name as a whole.
    init(_ text: String, _ location: HostSetProblem.Location) throws(HostSetProblem) {
        if HostName.plain(text) != nil {
            (names, port) = ([text], nil)
            return
        }
        try Self.checkSize(text, location)
        var address = Substring(text)
        var port: Substring?
        if let (inner, number) = Self.bracketedPort(address) { (address, port) = (inner, number) }
        if let (inner, number) = Self.trailingPort(address) { (address, port) = (inner, number) }
        if Self.isHostOrAddress(address) {
            self.port = port.map(String.init)
        } else {
            address = Substring(text)
            self.port = nil
        }
        guard address.utf8.contains(UInt8(ascii: "[")) else {
            names = [String(address)]
            return
        }
        do throws(RangeProblem) {
            names = try Self.expanded(address)
        } catch {
            throw HostSetProblem(
                error.kind == .syntax ? .malformed : error.kind, "\(error.message) \(HostSetProblem.shown(text))",
                location: location, remedy: error.remedy)
        }
    }

    /// Refuses a pattern whose expansion would need too much memory.
    private static func checkSize(_ text: String, _ location: HostSetProblem.Location) throws(HostSetProblem) {
        var (ranges, length, isInside) = (0, 0, false)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "[") { (ranges, isInside) = (ranges + 1, true) }
            if !isInside { length += 1 }
            if byte == UInt8(ascii: "]") { isInside = false }
        }
        if length > HostName.maximumLength + 8 { throw .nameTooLong(text, location) }
        if ranges > maximumRanges {
            throw HostSetProblem(
                .malformed, "A name has more than \(maximumRanges) ranges: \(HostSetProblem.shown(String(text.prefix(40))))…",
                location: location)
        }
    }

    private static func bracketedPort(_ text: Substring) -> (Substring, Substring)? {
        guard text.first == "[", let close = text.lastIndex(of: "]"), text.index(after: text.startIndex) < close else {
            return nil
        }
        let rest = text[text.index(after: close)...]
        guard rest.first == ":", rest.count > 1, rest.dropFirst().utf8.allSatisfy(isDigit) else { return nil }
        return (text[text.index(after: text.startIndex)..<close], rest.dropFirst())
    }

    /// The port after the last colon, if there is no other colon outside brackets.
    private static func trailingPort(_ text: Substring) -> (Substring, Substring)? {
        var isInside = false
        var colon: Substring.Index?
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case UInt8(ascii: "["):
                if !isInside { isInside = true }
            case UInt8(ascii: "]"):
                if !isInside { return nil }
                isInside = false
            case UInt8(ascii: ":") where !isInside:
                if colon != nil { return nil }
                colon = index
            default: break
            }
        }
        guard !isInside, let colon else { return nil }
        let port = text[text.index(after: colon)...]
        guard !port.isEmpty, port.utf8.allSatisfy(isDigit) else { return nil }
        return (text[..<colon], port)
    }

    /// Whether the text is a host name or an address, possibly with ranges.
    private static func isHostOrAddress(_ text: Substring) -> Bool {
        guard let plain = withoutRanges(text, isHexadecimal: false) else {
            return withoutRanges(text, isHexadecimal: true).map(IPv6.isAddress) ?? false
        }
        if isHostName(plain) { return true }
        return withoutRanges(text, isHexadecimal: true).map(IPv6.isAddress) ?? false
    }

    private static func isHostName(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            guard let first = label.unicodeScalars.first, let last = label.unicodeScalars.last else { return false }
            return CharacterTest.isWord(first) && last != "_" && last != "-"
                && label.unicodeScalars.allSatisfy { CharacterTest.isWord($0) || $0 == "-" }
        }
    }

    /// The text with a 1 for each range; nil if a bracket is not a range.
    private static func withoutRanges(_ text: Substring, isHexadecimal: Bool) -> String? {
        var result = ""
        var rest = text
        while let open = rest.firstIndex(of: "[") {
            result += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "]") else { return nil }
            let parts = rest[rest.index(after: open)..<close].split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2 || parts.count == 3 else { return nil }
            let areNumbers = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
            let hasStep = parts.count == 2 || (!parts[2].isEmpty && parts[2].utf8.allSatisfy(isDigit))
            let areLetters =
                isHexadecimal
                ? parts[0...1].allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
                : parts[0...1].allSatisfy { $0.count == 1 && $0.allSatisfy { $0.isASCII && $0.isLetter } }
            guard areNumbers || (areLetters && hasStep) else { return nil }
            result += "1"
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// One range of a pattern, and the text before it.
    private struct PatternPart {
        let before: String
        let range: RangeItems
    }

    /// Expands a range. Its size is checked before it is expanded.
    private enum RangeItems {
        case letters(Substring, step: UInt128)
        case numbers(NumberRange)

        var count: UInt128 {
            switch self {
            case .letters(let letters, let step): (UInt128(letters.count) + step - 1) / step
            case .numbers(let range): range.count
            }
        }

        var texts: [String] {
            switch self {
            case .letters(let letters, let step):
                letters.enumerated().filter { UInt128($0.offset) % step == 0 }.map { String($0.element) }
            case .numbers(let range):
                range.numbers().map { number in
                    var bytes: [UInt8] = []
                    number.write(to: &bytes)
                    return String(decoding: bytes, as: UTF8.self)
                }
            }
        }
    }

    /// Expands the ranges, the last one fastest. The number of names is checked first.
    private static func expanded(_ text: Substring) throws(RangeProblem) -> [String] {
        var parts: [PatternPart] = []
        var (constant, rest, count) = ("", text, UInt128(1))
        while let open = rest.firstIndex(of: "[") {
            guard !text.contains("|"), let close = rest.firstIndex(of: "]"), close > open else {
                throw RangeProblem(message: "A bracket is not closed, or closes nothing, in", offset: 0)
            }
            constant += rest[..<open]
            let bounds = rest[rest.index(after: open)..<close].split(separator: ":", omittingEmptySubsequences: false)
            guard bounds.count == 2 || bounds.count == 3 else {
                throw RangeProblem(
                    message: "A range is written [FIRST:LAST] or [FIRST:LAST:STEP]; this one is not:", offset: 0)
            }
            guard !bounds[1].isEmpty else {
                throw RangeProblem(message: "The last number of the range is missing in", offset: 0)
            }
            let first = bounds[0].isEmpty ? "0" : bounds[0]
            let range = try items(first, bounds[1], step: bounds.count == 3 ? bounds[2] : "1")
            rest = rest[rest.index(after: close)...]
            switch range?.count ?? 0 {
            case 0: return []
            case 1: constant += range?.texts.first ?? ""
            case let number:
                count *= number
                if count > NumberRange.maximumCount { throw NumberRange.tooMany(count) }
                if let range { parts.append(PatternPart(before: constant, range: range)) }
                constant = ""
            }
        }
        constant += rest
        var names = [""]
        for part in parts {
            let texts = part.range.texts.map { part.before + $0 }
            names = names.flatMap { name in texts.map { name + $0 } }
        }
        return names.map { $0 + constant }
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    /// - Returns: nil if it is not a range.
    private static func items(_ first: Substring, _ last: Substring, step: Substring) throws(RangeProblem) -> RangeItems? {
        let padding = first.first == "0" && first.count > 1 ? first.count : 0
        if padding > 0, last.count != padding {
            throw RangeProblem(message: "The first and the last number are padded to different widths in", offset: 0)
        }
        guard step.utf8.allSatisfy(isDigit), let step = UInt128(step), step > 0 else {
            throw RangeProblem(message: "The step of the range is not a number above 0 in", offset: 0)
        }
        if let start = letters.firstRange(of: first)?.lowerBound, let end = letters.firstRange(of: last)?.lowerBound {
            guard start <= end else { throw RangeProblem(message: "The range ends before it begins in", offset: 0) }
            return .letters(letters[start...end], step: step)
        }
        guard first.utf8.allSatisfy(isDigit), last.utf8.allSatisfy(isDigit), let start = UInt128(first), let end = UInt128(last),
            max(first.count, last.count) <= HostNumber.maximumWidth
        else {
            throw RangeProblem(
                message: "A range goes from number to number or from letter to letter; this one does not:", offset: 0)
        }
        guard start <= end else { return nil }
        let range = NumberRange(first: start, last: end, step: step, padding: padding)
        try NumberRange.check([range])
        return .numbers(range)
    }
}
