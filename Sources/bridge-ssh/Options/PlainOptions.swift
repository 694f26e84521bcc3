/// Options that can be read without the argument parser; see `RunOptions.plain`.
protocol PlainOptions {
    /// As the parser leaves them where none is given.
    static var unset: Self { get }
    /// Takes a flag; false if it is none of these.
    mutating func take(flag: String) -> Bool
    /// Takes an option's value; false if the option is none of these, or the value breaks its rule.
    mutating func take(_ name: String, value: String) -> Bool
}

extension PlainOptions {
    mutating func take(flag: String) -> Bool { false }

    /// Sets an option to a value that was read; false if it could not be.
    static func set<Value>(_ option: inout Value?, _ value: Value?) -> Bool {
        guard let value else { return false }
        option = value
        return true
    }
}
