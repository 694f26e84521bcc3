import ArgumentParser
import BridgeSSH
import SSHRun

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

/// The options of ssh(1) that bridge-ssh does not have, and what to write instead.
enum UnsupportedSSHFlags {
    /// The replacement to write; nil for an argument without such an option.
    ///
    /// - Parameter argument: the argument as typed: one letter, several, or a letter with its value.
    static func substitute(for argument: String) -> String? {
        guard argument.hasPrefix("-"), !argument.hasPrefix("--") else { return nil }
        let first = argument.dropFirst().first { !harmless.contains($0) }
        return first.flatMap { substitutes[$0] }
    }

    /// The letters whose substitutes work only for `run`.
    static let ofRun: Set<Character> = ["E", "M", "O", "S", "f", "s", "y"]

    private static let harmless: Set<Character> = ["4", "6", "T", "a", "k", "n", "q", "t", "v", "x", "C"]

    private static let forwards = "ports and sockets are not forwarded; use ssh for that"
    private static let keeps =
        "write `--persist TIME` to keep the connection; `bridge-ssh persist --help` says how to list and end kept connections"

    private static let substitutes: [Character: String] = [
        "A": "agent forwarding is not supported; use ssh for that, or reach the next host with -J",
        "B": "an interface cannot be chosen; give its address: `-o BindAddress=ADDRESS`",
        "b": "write `-o BindAddress=ADDRESS`",
        "c": "write `-o Ciphers=LIST`",
        "D": forwards,
        "E": "write `--log-file FILE`",
        "e": "write `-o EscapeChar=CHARACTER`",
        "f": "write `--persist TIME` to keep the connection for later runs, or end the line with & to continue at once",
        "G": "write `bridge-ssh config HOST`",
        "g": forwards,
        "I": "load the token into the agent: `ssh-add -s LIBRARY`",
        "K": "GSSAPI is not supported; use ssh for that",
        "L": forwards,
        "M": keeps,
        "m": "write `-o MACs=LIST`",
        "N": forwards,
        "O": keeps,
        "P": "give the port with -p",
        "Q": "`bridge-ssh doctor HOST` shows what a server and this client agree on",
        "R": forwards,
        "S": keeps,
        "s": "SFTP is the only supported subsystem: `bridge-ssh copy --help`; use ssh for others",
        "V": "write `bridge-ssh --version`",
        "W": "standard input and output are not forwarded; -J goes through a host, and for the rest use ssh",
        "w": "tunnel devices are not supported; use ssh for that",
        "X": "X11 is not forwarded; use ssh for that",
        "Y": "X11 is not forwarded; use ssh for that",
        "y": "write `--log-file FILE`",
    ]
}

/// Options of ssh(1) that request the default behaviour, or that make no difference here. They are accepted so that a command
/// line for ssh works.
struct IgnoredSSHOptions: ParsableArguments {
    @Flag(help: .hidden) var given: [IgnoredSSHFlag] = []
}

enum IgnoredSSHFlag: String, EnumerableFlag {
    case noAgentForwarding = "-a"
    case compression = "-C"
    case noDelegation = "-k"
    case noX11 = "-x"

    static func name(for value: IgnoredSSHFlag) -> NameSpecification {
        value.rawValue.last.map { .customShort($0) } ?? .long
    }

    static func help(for value: IgnoredSSHFlag) -> ArgumentHelp? { .hidden }
}

/// Finds options of ssh(1) that run does not have, and options after the host, which ssh(1) accepts. Here everything after the
/// host is the command, so a command that begins with a dash is refused, and the message has the corrected line.
enum MisplacedOptions {
    /// - Parameters:
    ///   - words: the host and the command from the parser: the end of `arguments`.
    ///   - arguments: all arguments of the program, starting with `run`.
    /// - Throws: `UsageProblem`.
    static func check(_ words: [String], in arguments: [String]) throws {
        if let first = words.first, let instead = UnsupportedSSHFlags.substitute(for: first) {
            throw UsageProblem(field: first, problem: "run has no such option; \(instead)")
        }
        guard words.count > 1, words[1].utf8.first == UInt8(ascii: "-"), words[1] != "--",
            words[0].utf8.first != UInt8(ascii: "-")
        else { return }
        let (host, before, behind) = (words[0], Array(arguments.dropLast(words.count)), words.dropFirst())
        let asCommand = line(before + [host, "--"], behind)
        if let (options, command) = split(behind) {
            let corrected = line(before + options + [host], command.isEmpty ? ["COMMAND"] : command)
            throw UsageProblem(
                field: words[1],
                problem: "options come before the host: `\(corrected)`. If it belongs to the command: `\(asCommand)`")
        }
        let instead = UnsupportedSSHFlags.substitute(for: words[1]).map { "; \($0)" } ?? ""
        throw UsageProblem(
            field: words[1], problem: "options come before the host\(instead). If it belongs to the command: `\(asCommand)`")
    }

    /// The options at the beginning, and the command after them; nil if one of them is not an option of `run`.
    private static func split(_ words: ArraySlice<String>) -> (options: [String], command: ArraySlice<String>)? {
        var rest = words
        var ignored = RunOptions()
        while let option = rest.first, option.hasPrefix("-"), option != "--" {
            rest.removeFirst()
            guard ignored.take(option, &rest) else { return nil }
        }
        return (Array(words[..<rest.startIndex]), rest.first == "--" ? rest.dropFirst() : rest)
    }

    /// A command line to copy and run. An overlong command is abbreviated.
    private static func line(_ head: [String], _ command: ArraySlice<String>) -> String {
        let head = (["bridge-ssh"] + head).map(\.shellWord).joined(separator: " ")
        let tail = command.map(\.shellWord).joined(separator: " ")
        return head + " " + (tail.count > 120 ? "…" : tail)
    }
}
