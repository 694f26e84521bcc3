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

/// How one option is read: its names, and the property that it sets.
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

/// A long-running subcommand: it connects, can be interrupted, and reports its own outcome.
protocol LongRunningCommand: Sendable {
    func perform() async -> SSHExitStatus
}
