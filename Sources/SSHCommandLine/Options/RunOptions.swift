/// The options of `run`.
struct RunOptions: Sendable {
    var connection = ConnectionOptions.unset
    var prompts = PromptOptions.unset
    var files = ConfigurationOptions.unset
    var trust = TrustOptions.unset
    var credentials = CredentialOptions.unset
    var execution = ExecutionOptions.unset
    var sudo = SudoOptions.unset
    var persist = PersistOptions.unset
    var via = ViaOptions.unset
    var retry = RetryOptions.unset
    var output = OutputOptions.unset
    var status = StatusOptions.unset
    var records = RecordOptions.unset
    /// The destination, then the command.
    var words: [String] = []
}

/// Parses the arguments of `run` where they are plain and correct.
///
/// The argument parser looks up the options' types at run time, twice: half of the processor time of a whole run. So it parses
/// only what needs it: help, mistakes, and rare spellings.
extension RunOptions {
    /// What the argument parser would return for the same arguments; nil where the parser is needed.
    static func plain(_ arguments: [String]) -> RunOptions? {
        guard arguments.first == "run" else { return nil }
        var plain = RunOptions()
        var rest = arguments.dropFirst()
        while let argument = rest.first, argument.utf8.first == UInt8(ascii: "-") {
            rest.removeFirst()
            guard plain.take(argument, &rest) else { return nil }
        }
        plain.words = Array(rest)
        return rest.isEmpty ? nil : plain.completed()
    }

    /// Takes one option, with its value from the arguments that follow; false if it is none, or its value is wrong.
    mutating func take(_ argument: String, _ rest: inout ArraySlice<String>) -> Bool {
        if takes(flag: argument) { return true }
        if argument.utf8.starts(with: "--".utf8) {
            guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return takes(argument, next(of: &rest)) }
            return takes(String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
        }
        if argument.utf8.count == 2 { return takes(argument, next(of: &rest)) }
        // `-p22`; the parser treats a value with an = differently.
        guard !argument.utf8.contains(UInt8(ascii: "=")) else { return false }
        return takes(String(argument.prefix(2)), String(argument.dropFirst(2)))
    }

    /// An option's value; the parser decides about one that looks like an option.
    private func next(of rest: inout ArraySlice<String>) -> String? {
        guard let value = rest.first, value.utf8.first != UInt8(ascii: "-") else { return nil }
        rest.removeFirst()
        return value
    }

    /// With what one option says for another.
    func completed() -> RunOptions {
        var options = self
        // Before -o: the flag is the plainer wish.
        if execution.terminal == .noTTY { options.files.option.insert("RequestTTY=no", at: 0) }
        return options
    }

    private mutating func takes(flag: String) -> Bool {
        connection.take(flag: flag) || prompts.take(flag: flag) || credentials.take(flag: flag) || execution.take(flag: flag)
            || retry.take(flag: flag) || output.take(flag: flag) || sudo.take(flag: flag)
            || HarmlessFlag(rawValue: flag) != nil
    }

    private mutating func takes(_ name: String, _ value: String?) -> Bool {
        // The parser treats an empty one differently.
        guard let value, !value.isEmpty else { return false }
        return connection.take(name, value: value) || files.take(name, value: value) || trust.take(name, value: value)
            || credentials.take(name, value: value) || execution.take(name, value: value) || persist.take(name, value: value)
            || via.take(name, value: value)
            || retry.take(name, value: value) || output.take(name, value: value) || status.take(name, value: value)
            || records.take(name, value: value) || sudo.take(name, value: value)
    }
}
