/// Numbers and times as ssh_config(5) writes them.
enum ConfigurationNumbers {
    private static let maximumValue = Int(Int32.max)

    /// A whole number of at most 2^31 − 1.
    static func integer(_ text: String?) throws(LineProblem) -> Int {
        guard let text, !text.isEmpty else { throw LineProblem("a number is missing") }
        guard let value = decimal(text), (0...maximumValue).contains(value) else {
            throw LineProblem("\(text) is not a whole number from 0 to \(maximumValue)")
        }
        return value
    }

    /// As strtonum(3) reads it: white space and a sign may precede the digits.
    static func decimal(_ text: String) -> Int? {
        let digits = text.utf8.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// A port from 1 to 65535, or a service's name.
    static func port(_ text: String, service: (String) -> Int?) -> Int? {
        if let value = decimal(text) { return (1...65535).contains(value) ? value : nil }
        return service(text)
    }

    /// Seconds of a time such as `90`, `1m30s` or `2W` (TIME FORMATS of sshd_config(5)); nil if it is invalid.
    static func seconds(_ text: String) -> Int? {
        var total = 0
        var rest = text.utf8[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            if rest.first == UInt8(ascii: "+") { rest.removeFirst() }
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
            rest = rest.dropFirst(digits.count)
            var factor = 1
            if let unit = rest.popFirst() {
                guard let known = unitSeconds[unit.lowercasedASCII] else { return nil }
                factor = known
            }
            let (product, overflow) = number.multipliedReportingOverflow(by: factor)
            guard !overflow, product <= maximumValue, total + product <= maximumValue else { return nil }
            total += product
        }
        return total
    }

    private static let unitSeconds: [UInt8: Int] = [
        UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86400,
        UInt8(ascii: "w"): 604_800,
    ]

    /// A number of bytes with K, M, G and so on for powers of 1024; nil if it is invalid.
    static func scaled(_ text: String) -> Int? {
        guard let last = text.utf8.last else { return nil }
        let units = Array("bkmgtpe".utf8)
        let power = units.firstIndex(of: last.lowercasedASCII)
        let digits = power == nil ? text : String(text.dropLast())
        guard digits.utf8.first != UInt8(ascii: "."), digits.utf8.allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) }),
            let number = Double(digits)
        else { return nil }
        return Int(exactly: (number * Double(1 << (10 * (power ?? 0)))).rounded(.down))
    }
}
