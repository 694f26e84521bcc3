/// The options of `run`.
struct RunOptions: Sendable {
    var port = PortOptions.unset
    var connection = ConnectionOptions.unset
    var prompts = PromptOptions.unset
    var files = ConfigurationOptions.unset
    var trust = TrustOptions.unset
    var credentials = CredentialOptions.unset
    var keys = KeyAccessOptions.unset
    var execution = ExecutionOptions.unset
    var shell = ShellOptions.unset
    var sudo = SudoOptions.unset
    var persist = PersistOptions.unset
    var via = ViaOptions.unset
    var retry = RetryOptions.unset
    var waiting = WaitOptions.unset
    var output = OutputOptions.unset
    var status = StatusOptions.unset
    var records = RecordOptions.unset
    var failures = FailureRecordOptions.unset
    /// The destination, then the command.
    var words: [String] = []
}

/// Parses the arguments of `run` if they are plain and correct.
///
/// The argument parser looks up the options' types at run time, twice, which takes half of the processor time of a whole run.
/// So it parses only arguments that need it: help, mistakes, and rare spellings.
extension RunOptions {
    /// Returns what the argument parser would return for the same arguments; nil if the parser is needed.
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

    /// Sets one option, with its value from the following arguments; returns false if it is not an option, or its value is
    /// invalid.
    mutating func take(_ argument: String, _ rest: inout ArraySlice<String>) -> Bool {
        if set(argument, nil) || IgnoredSSHFlag(rawValue: argument) != nil { return true }
        if argument.utf8.starts(with: "--".utf8) {
            guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return setValue(argument, next(of: &rest)) }
            return setValue(String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
        }
        if argument.utf8.count == 2 { return setValue(argument, next(of: &rest)) }
        // A joined value, as in `-p22`. The parser treats a value with an = differently.
        guard !argument.utf8.contains(UInt8(ascii: "=")) else { return false }
        return setValue(String(argument.prefix(2)), String(argument.dropFirst(2)))
    }

    /// The next argument as an option's value. Nil if it looks like an option: then the parser decides.
    private func next(of rest: inout ArraySlice<String>) -> String? {
        guard let value = rest.first, value.utf8.first != UInt8(ascii: "-") else { return nil }
        rest.removeFirst()
        return value
    }

    /// The options with the settings that one option implies for another.
    func completed() -> RunOptions {
        var options = self
        // Before -o: the flag takes precedence.
        if execution.terminal == .noTTY { options.files.option.insert("RequestTTY=no", at: 0) }
        return options
    }

    private mutating func setValue(_ name: String, _ value: String?) -> Bool {
        // The parser treats an empty value differently.
        guard let value, !value.isEmpty else { return false }
        return set(name, value)
    }

    /// Sets a flag (nil) or an option's value in the group that has it.
    private mutating func set(_ name: String, _ value: String?) -> Bool {
        port.take(name, value) || connection.take(name, value) || prompts.take(name, value) || files.take(name, value)
            || trust.take(name, value) || credentials.take(name, value) || keys.take(name, value)
            || execution.take(name, value) || shell.take(name, value) || sudo.take(name, value) || persist.take(name, value)
            || via.take(name, value) || retry.take(name, value) || waiting.take(name, value) || output.take(name, value)
            || status.take(name, value) || records.take(name, value) || failures.take(name, value)
    }
}
