/// The content of brackets: `1-20`, `01-20/2`, `1,3,7-9`.
struct NumberRange: Equatable {
    var first: UInt128
    var last: UInt128
    var step: UInt128 = 1
    /// The width to which numbers are padded with zeros.
    var padding = 0

    var count: UInt128 { (last - first) / step + 1 }

    func numbers() -> [HostNumber] {
        var result: [HostNumber] = []
        result.reserveCapacity(Int(clamping: count))
        var value = first
        while true {
            result.append(HostNumber(value, padding: padding))
            // Subtracting cannot overflow; adding could.
            guard last - value >= step else { return result }
            value += step
        }
    }
}

/// Why a range is refused, and at which byte of the text between the brackets.
struct RangeProblem: Error {
    var message: String
    var offset: Int
    var kind: HostSetProblem.Kind = .syntax
    var remedy: String?
}

extension NumberRange {
    /// The most hosts that one expression may name.
    static let maximumCount: UInt128 = 1_000_000

    /// Parses the text between brackets. Refuses whatever `nodeset` refuses, and also blanks and signs, which `nodeset`
    /// accepts but reads in a surprising way.
    static func parse(_ text: ArraySlice<UInt8>) throws(RangeProblem) -> [NumberRange] {
        var ranges: [NumberRange] = []
        var start = text.startIndex
        for index in text.startIndex...text.endIndex where index == text.endIndex || text[index] == UInt8(ascii: ",") {
            ranges.append(try parsePart(text[start..<index], offset: start - text.startIndex))
            start = index + 1
        }
        try check(ranges)
        return ranges
    }

    /// Refuses a range that is too large, before it is expanded.
    static func check(_ ranges: [NumberRange]) throws(RangeProblem) {
        var total: UInt128 = 0
        for range in ranges {
            let (sum, overflows) = total.addingReportingOverflow(range.count)
            total = overflows ? .max : sum
        }
        if total > maximumCount { throw tooMany(total) }
    }

    static func tooMany(_ count: UInt128) -> RangeProblem {
        RangeProblem(
            message:
                "This names \(count == .max ? "more hosts than can be counted" : "\(grouped(count)) hosts"); no more than "
                + "\(grouped(maximumCount)) are taken.", offset: 0,
            kind: .tooMany, remedy: "Is a digit too many in the range?")
    }

    /// `1,000,000`.
    static func grouped(_ number: UInt128) -> String {
        var result = ""
        let digits = String(number)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }

    private static func parsePart(_ part: ArraySlice<UInt8>, offset: Int) throws(RangeProblem) -> NumberRange {
        func problem(_ message: String, at index: Int? = nil, remedy: String? = nil) -> RangeProblem {
            RangeProblem(message: message, offset: offset + ((index ?? part.startIndex) - part.startIndex), remedy: remedy)
        }
        if part.isEmpty { throw problem("A number is missing between the brackets.") }
        for index in part.indices {
            switch part[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw problem(
                    "There is a blank between the brackets.", at: index, remedy: "Write the range without blanks: [1-20].")
            case UInt8(ascii: "+"):
                throw problem("There is a sign between the brackets.", at: index, remedy: "Numbers of hosts have no sign.")
            case UInt8(ascii: "-"), UInt8(ascii: "/"): break
            case let byte where isDigit(byte): break
            default:
                throw problem(
                    "Brackets contain numbers, as in [1-20], [01-20/2] and [1,3,7-9].", at: index,
                    remedy: "With an inventory, positions are written web[0:2], and sets of characters ~web[ab].")
            }
        }
        let slashes = part.indices.filter { part[$0] == UInt8(ascii: "/") }
        if slashes.count > 1 { throw problem("The range is followed by a second step.", at: slashes[1]) }
        let base = part[..<(slashes.first ?? part.endIndex)]
        var step: UInt128 = 1
        if let slash = slashes.first {
            let text = part[(slash + 1)...]
            if text.contains(UInt8(ascii: "-")) { throw problem("A sign precedes the step.", at: slash + 1) }
            guard let value = number(text) else {
                throw problem("The step after / is not a valid number.", at: slash + 1)
            }
            guard value > 0 else { throw problem("A step of 0 leads nowhere.", at: slash + 1) }
            step = value
        }
        let dashes = base.indices.filter { base[$0] == UInt8(ascii: "-") }
        if dashes.first == base.startIndex {
            throw problem("There is a sign between the brackets.", remedy: "Numbers of hosts have no sign.")
        }
        if dashes.count > 1 {
            throw problem(
                "A range has a first and a last number only.", at: dashes[1], remedy: "Separate ranges with commas: [1-3,5-9].")
        }
        let firstText = base[..<(dashes.first ?? base.endIndex)]
        let lastText = dashes.first.map { base[($0 + 1)...] } ?? firstText
        if dashes.isEmpty, step != 1 { throw problem("A step needs a range before it, as in [1-9/2].") }
        guard let first = number(firstText) else { throw problem(numberProblem(firstText)) }
        guard let last = number(lastText) else { throw problem(numberProblem(lastText), at: lastText.startIndex) }
        let firstIsPadded = firstText.count > 1 && firstText.first == UInt8(ascii: "0")
        let lastIsPadded = last != 0 && lastText.first == UInt8(ascii: "0")
        if firstIsPadded || lastIsPadded, firstText.count != lastText.count {
            throw problem(
                "The first and the last number are padded to different widths.", at: lastText.startIndex,
                remedy: "Write both with the same number of digits: [01-20].")
        }
        if first > last { throw problem("The range ends before it begins.", remedy: "Write the lower number first.") }
        let range = NumberRange(first: first, last: last, step: step, padding: firstIsPadded ? firstText.count : 0)
        if last - first >= 999_999_999 {
            // As in nodeset, with any step.
            throw range.count > maximumCount
                ? tooMany(range.count) : problem("The range spans more than 999,999,999 numbers.")
        }
        return range
    }

    private static func number(_ text: ArraySlice<UInt8>) -> UInt128? {
        guard !text.isEmpty, text.count <= HostNumber.maximumWidth else { return nil }
        return text.reduce(0) { $0 * 10 + UInt128($1 - UInt8(ascii: "0")) }
    }

    private static func numberProblem(_ text: ArraySlice<UInt8>) -> String {
        text.isEmpty
            ? "A number is missing in the range." : "A number has more than \(HostNumber.maximumWidth) digits."
    }
}

extension NumberRange {
    /// The ranges as text with digits appended to each number, for `[1-3]5`: 15, 25, 35. A range with a step is refused.
    static func appending(_ digits: ArraySlice<UInt8>, to text: ArraySlice<UInt8>) throws(RangeProblem) -> [UInt8] {
        _ = try parse(text)
        if text.contains(UInt8(ascii: "/")) {
            throw RangeProblem(message: "Digits cannot follow a range with a step.", offset: text.count + 1)
        }
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: digits.count)
        var result: [UInt8] = []
        for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            if !result.isEmpty { result.append(UInt8(ascii: ",")) }
            let bounds = part.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            result += bounds.map { Array($0 + digits) }.joined(separator: [UInt8(ascii: "-")])
            if bounds.count > 1 { result += Array("/1".utf8) + zeros }
        }
        return result
    }

    /// The ranges as text with digits before each number, for `1[2-3]`: 12, 13. As in `nodeset`, the digits go before the first
    /// and last number of each run only: `1[9-11]` means all from 19 to 111.
    static func prepending(_ digits: ArraySlice<UInt8>, to text: ArraySlice<UInt8>) throws(RangeProblem) -> [UInt8] {
        let numbers = try parse(text).flatMap { $0.numbers() }.sortedOnce().withoutRepetition()
        var result: [UInt8] = []
        NumberRuns.forEachRun(of: numbers) { first, last in
            if !result.isEmpty { result.append(UInt8(ascii: ",")) }
            result += digits
            first.write(to: &result)
            if first != last {
                result.append(UInt8(ascii: "-"))
                result += digits
                last.write(to: &result)
            }
        }
        return result
    }
}
