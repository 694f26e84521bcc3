import ArgumentParser
import BridgeSSH

/// A group of options that can be read without the argument parser; see `RunOptions.plain`.
protocol PlainOptions: Sendable {
    init()
    /// Each option of the group.
    static var table: [PlainOption<Self>] { get }
}

extension PlainOptions {
    /// The group as the parser leaves it if no option is given.
    static var unset: Self {
        var options = Self()
        for option in table { option.unset(&options) }
        return options
    }

    /// Sets an option; returns false if the group does not have it, or the value is invalid.
    ///
    /// - Parameter value: nil for a flag.
    mutating func take(_ name: String, _ value: String?) -> Bool {
        let option = Self.table.first { $0.hasValue == (value != nil) && $0.names.contains(name) }
        return option?.take(&self, value ?? "") ?? false
    }
}

/// The reading of one option: its names, and the property that it sets.
///
/// A property of the argument parser traps if it is read before it is set. So a table sets it by a closure, not by a key path.
struct PlainOption<Group>: Sendable {
    let names: [String]
    let hasValue: Bool
    /// Sets the property as the parser leaves it if the option is not given.
    let unset: @Sendable (inout Group) -> Void
    /// Sets the value; returns false if it is invalid.
    let take: @Sendable (inout Group, String) -> Bool

    static func flag(_ names: String..., set: @escaping @Sendable (inout Group, Bool) -> Void) -> Self {
        Self(
            names: names, hasValue: false, unset: { set(&$0, false) },
            take: { group, _ in
                set(&group, true); return true
            })
    }

    /// A flag that stands for one of several values.
    static func choice<Value: Sendable>(
        _ names: String..., of value: Value, set: @escaping @Sendable (inout Group, Value?) -> Void
    ) -> Self {
        Self(
            names: names, hasValue: false, unset: { set(&$0, nil) },
            take: { group, _ in
                set(&group, value); return true
            })
    }

    /// A flag that counts how often it is given.
    static func count(
        _ names: String..., unset: @escaping @Sendable (inout Group) -> Void, add: @escaping @Sendable (inout Group) -> Void
    ) -> Self {
        Self(
            names: names, hasValue: false, unset: unset,
            take: { group, _ in
                add(&group); return true
            })
    }

    /// An option with a value. If it is repeated the last value is used. An empty one is left to the argument parser, which says what
    /// is wrong with it.
    static func value<Value: ArgumentValue>(
        _ names: String..., set: @escaping @Sendable (inout Group, Value?) -> Void
    ) -> Self {
        Self(names: names, hasValue: true, unset: { set(&$0, nil) }) { group, argument in
            guard !argument.isEmpty, let value = Value(argument: argument) else { return false }
            set(&group, value)
            return true
        }
    }

    /// A repeatable option with a value.
    static func list<Value: ArgumentValue>(
        _ names: String..., unset: @escaping @Sendable (inout Group) -> Void,
        add: @escaping @Sendable (inout Group, Value) -> Void
    ) -> Self {
        Self(names: names, hasValue: true, unset: unset) { group, argument in
            guard !argument.isEmpty, let value = Value(argument: argument) else { return false }
            add(&group, value)
            return true
        }
    }
}

/// A value that can be parsed from one argument.
protocol ArgumentValue: SendableMetatype {
    /// Nil if the text is not a valid value.
    init?(argument: String)
}

extension String: ArgumentValue {}

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
