internal import ArgumentParser
internal import BridgeSSHFleet
internal import SSHCommandLine

extension CompletionKind {
    /// Hosts and groups.
    static let fleetHosts = CompletionKind.hostSet(groups: { Self.groups($0) })

    /// The same for a subcommand where what follows the hosts is a command or a file.
    static func hosts(of command: (some PassingCommand).Type) -> CompletionKind {
        .hostSet(groups: { Self.groups($0) }) { before in
            guard let start = before.firstIndex(of: command.configuration.commandName ?? "") else { return false }
            return (try? command.parse(Array(before[(start + 1)...])))?.words.isEmpty == false
        }
    }

    /// Those of the files that the words name, or that are configured. No program is run for them.
    private static func groups(_ words: [String]) -> [String] {
        let always = ["@ssh", "@known", "@run:last:failed", "@run:last:error", "@run:last:unknown"]
        var options: [String] = []
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            let value = parts.count == 2 ? parts[1] : next
            if let name = parts.first, ["--inventory", "--groups"].contains(name) { options += [name, value] }
        }
        var surroundings = HostSelectionOptions.Surroundings.ofThisProcess()
        surroundings.runner = nil
        let sources = try? HostSelectionOptions.parse(options).sources(for: [], needsGroups: true, surroundings)
        return always + ((try? sources?.groupNames()) ?? []).map { "@" + $0 }
    }
}

/// A subcommand with words that are not its own: hosts, and what is run there.
protocol PassingCommand: ParsableCommand {
    var words: [String] { get }
}
