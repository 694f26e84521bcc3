import ArgumentParser
import SSHRun

/// Suggestions for a name that does not exist.
enum Misspelling {
    /// Arguments that begin with no command of bridge-ssh; nil for any others.
    static func command(_ arguments: [String]) -> UsageProblem? {
        guard let first = arguments.first, !first.isEmpty, !first.hasPrefix("-") else { return nil }
        let names = BridgeSSHCommand.configuration.subcommands.map { $0._commandName } + ["help"]
        guard !names.contains(first) else { return first == "persist" ? persistCommand(arguments.dropFirst().first) : nil }
        let near = near(first, among: names)
        if !near.isEmpty {
            return UsageProblem(
                field: first, problem: "there is no such command; did you mean \(near.joined(separator: " or "))?")
        }
        // Users of ssh(1) leave `run` out.
        let host = arguments.count > 1 ? "; to run a command on a host, write: bridge-ssh run \(first) …" : ""
        return UsageProblem(field: first, problem: "there is no such command\(host)")
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

    private static func near(_ word: String, among names: [String]) -> [String] {
        names.filter { NearNames.distance(word.lowercased(), $0) <= max(1, $0.count / 3) }
    }

    /// Options similar to an unknown one of `run`; empty if there are none.
    static func option(_ typed: String) -> String {
        let name = String(typed.prefix { $0 != "=" })
        guard name.hasPrefix("--"), name.count > 4 else { return "" }
        let help = BridgeSSHCommand.helpMessage(for: RunCommand.self, columns: 400)
        let options = help.split { !$0.isLetter && $0 != "-" }.map(String.init)
        let near = Set(options).filter { $0.hasPrefix("--") && NearNames.distance(name, $0) <= 2 }.sorted()
        return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    }
}
