import ArgumentParser
import BridgeSSH
import ErrorCore
import SSHRun

/// Suggestions for a name that does not exist.
enum CommandSuggestion {
    /// The problem with arguments that do not begin with a command of bridge-ssh; nil for any others.
    static func command(_ arguments: [String]) -> UsageProblem? {
        guard let first = arguments.first, !first.isEmpty else { return nil }
        guard !first.hasPrefix("-") else { return option(first, in: arguments) }
        let names = BridgeSSHCommand.configuration.subcommands.map { $0._commandName } + ["help"]
        guard !names.contains(first) else { return first == "persist" ? persistCommand(arguments.dropFirst().first) : nil }
        if let habit = habits[first] {
            return UsageProblem(field: first, problem: "there is no such command; did you mean `bridge-ssh \(habit)`?")
        }
        let near = near(first, among: names)
        if !near.isEmpty {
            return UsageProblem(
                field: first, problem: "there is no such command; did you mean \(near.joined(separator: " or "))?")
        }
        // Users of ssh(1) leave `run` out.
        let host = arguments.count > 1 ? "; to run a command on a host, write: `bridge-ssh run \(first.shellWord) …`" : ""
        return UsageProblem(field: first, problem: "there is no such command\(host)")
    }

    /// Names of other programs' commands, with the equivalent subcommand.
    private static let habits: [String: String] = [
        "cp": "copy", "scp": "copy", "sftp": "copy", "rsync": "copy", "put": "copy", "get": "copy", "push": "copy",
        "pull": "copy",
        "ssh": "run", "exec": "run", "ping": "doctor", "check": "doctor", "diagnose": "doctor", "test": "doctor",
        "keyscan": "trust", "ssh-keyscan": "trust", "add-host": "trust", "show": "config", "man": "help", "version": "--version",
        "errors": "codes", "code": "explain", "list": "persist list", "stop": "persist stop",
    ]

    /// The problem with an unknown option before any subcommand; nil for a known option.
    private static func option(_ first: String, in arguments: [String]) -> UsageProblem? {
        if first == "-V" { return UsageProblem(field: first, problem: "there is no such option; write `bridge-ssh --version`") }
        guard !first.hasPrefix("--"), first != "-h" else { return nil }
        let line = (["bridge-ssh", "run"] + arguments).map(\.shellWord).joined(separator: " ")
        return UsageProblem(
            field: first,
            problem: "a subcommand comes first; to run a command on a host: "
                + (line.count > 160 ? "`bridge-ssh run …`" : "`\(line)`"))
    }

    private static func persistCommand(_ word: String?) -> UsageProblem? {
        guard let word, !word.isEmpty, !word.hasPrefix("-") else { return nil }
        let names = PersistCommand.configuration.subcommands.map { $0._commandName }
        guard !names.contains(word) else { return nil }
        let near = near(word, among: names)
        let problem =
            near.isEmpty
            ? "persist has no such command; write \(names.joined(separator: " or "))"
            : "persist has no such command; did you mean \(near.joined(separator: " or "))?"
        return UsageProblem(field: word, problem: problem)
    }

    /// The end of a message about an unknown subcommand.
    static func suggestion(for word: String, among commands: [CommandDescription]) -> String {
        let near = near(word, among: commands.compactMap(\.path.last))
        return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    }

    private static func near(_ word: String, among names: [String]) -> [String] {
        names.filter { EditDistance.between(word.lowercased(), $0) <= max(1, $0.count / 3) }
    }

    /// The parser's message, with the replacement for an option of ssh(1) that the parser does not know.
    static func withSubstitute(_ message: String, isRun: Bool = false) -> String {
        let message = withoutFarName(message)
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        if !isRun, message == "Unknown option '--persist'" {
            return message + "; only run keeps a connection, and a copy makes one for all of its files"
        }
        guard parts.count == 3, parts[0] == "Unknown option ",
            isRun || !UnsupportedSSHFlags.ofRun.contains(where: parts[1].contains),
            let instead = UnsupportedSSHFlags.substitute(for: String(parts[1]))
        else {
            return message
        }
        return "Unknown option '\(parts[1])'; \(instead)"
    }

    /// The parser's message without a suggestion that is too different from the typed word.
    private static func withoutFarName(_ message: String) -> String {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "Unknown option ", parts[2].hasSuffix("Did you mean ") else { return message }
        func name(_ option: Substring) -> String { String(option.drop { $0 == "-" }) }
        return near(name(parts[1]), among: [name(parts[3])]).isEmpty ? "Unknown option '\(parts[1])'" : message
    }

    /// Options similar to an unknown one of `run`; empty if there are none.
    static func option(_ typed: String) -> String {
        let name = String(typed.prefix { $0 != "=" })
        guard name.hasPrefix("--"), name.count > 4 else { return "" }
        let help = BridgeSSHCommand.helpMessage(for: RunCommand.self, columns: 400)
        let options = help.split { !$0.isLetter && $0 != "-" }.map(String.init)
        let near = Set(options).filter { $0.hasPrefix("--") && EditDistance.between(name, $0) <= 2 }.sorted()
        return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    }
}
