import ArgumentParser

/// A value with a syntax rule that one sentence describes.
protocol ValidatedValue: ArgumentValue {
    /// The rule, for messages.
    static var rule: String { get }
}

extension ValidatedValue {
    /// Parses a value for an option's `transform`. The error for an invalid text is the rule.
    static func parse(_ argument: String) throws -> Self {
        guard let value = Self(argument: argument) else { throw ValidationError(rule) }
        return value
    }
}

/// A length of time, more than 0 and at most ten years: seconds, with decimals, or numbers with units as in ssh_config(5).
struct Seconds: ValidatedValue, Equatable {
    let value: Double

    static let rule =
        "A time is a number above 0, in seconds or with a unit (ms, s, m, h, d, w), such as 30, 0.5, 90s, 10m or 1h30m."
    private static let maximumSeconds = 315_360_000.0
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
    ]

    init?(argument: String) {
        guard let value = Self.sum(of: argument.utf8[...]), value > 0, value <= Self.maximumSeconds else { return nil }
        self.value = value
    }

    init(_ value: Double) { self.value = value }

    var duration: Duration { .seconds(value) }

    private static func sum(of text: Substring.UTF8View) -> Double? {
        var rest = text
        var total = 0.0
        repeat {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
            guard let number = Double(Substring(digits)) else { return nil }
            rest = rest.dropFirst(digits.count)
            // "ms" is first in the list: otherwise it would be read as minutes.
            let unit = units.first { rest.starts(with: $0.name.utf8) || rest.starts(with: $0.name.uppercased().utf8) }
            guard unit != nil || rest.isEmpty else { return nil }
            rest = rest.dropFirst(unit?.name.utf8.count ?? 0)
            total += number * (unit?.seconds ?? 1)
        } while !rest.isEmpty
        return total
    }
}

/// A TCP port.
struct PortNumber: ValidatedValue, Equatable {
    let value: Int

    static let rule = "A port is a number from 1 to 65535."

    init?(argument: String) {
        guard argument.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int(argument), (1...65535).contains(value)
        else { return nil }
        self.value = value
    }
}

/// A number of bytes; K, M and G (in either case) are powers of 1024.
struct ByteCount: ValidatedValue, Equatable {
    let value: Int

    static let rule = "Bytes are a whole number from 1, with K, M or G for powers of 1024, such as 512K or 64M."

    init?(argument: String) {
        var digits = Substring(argument)
        var factor = 1
        switch digits.last {
        case "k", "K": factor = 1 << 10
        case "m", "M": factor = 1 << 20
        case "g", "G": factor = 1 << 30
        default: break
        }
        if factor > 1 { digits.removeLast() }
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(digits),
            number > 0
        else { return nil }
        let (value, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        self.value = value
    }

    init(_ value: Int) { self.value = value }
}

/// `NAME=VALUE`.
struct EnvironmentVariable: ValidatedValue, Equatable {
    let name: String
    let value: String

    static let rule = "Write NAME=VALUE; the value may be empty."

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else { return nil }
        name = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
    }
}

/// The name of a file, a directory or a socket.
package enum FileName {
    /// Parses a value for an option's `transform`. No file has an empty name; a script's unset variable gives one.
    package static func parse(_ argument: String) throws -> String {
        guard !argument.isEmpty else { throw ValidationError("The name is empty; name a file, or leave the option out.") }
        return argument
    }
}
