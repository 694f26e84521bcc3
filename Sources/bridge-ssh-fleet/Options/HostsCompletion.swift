internal import ArgumentParser
internal import SSHCommandLine

extension CompletionKind {
    /// Hosts and groups.
    static let fleetHosts = CompletionKind.hostSet(groups: { Self.groups })

    /// The same for a subcommand where what follows the hosts is a command or a file.
    static func hosts(of command: (some PassingCommand).Type) -> CompletionKind {
        .hostSet(groups: { Self.groups }) { before in
            guard let start = before.firstIndex(of: command.configuration.commandName ?? "") else { return false }
            return (try? command.parse(Array(before[(start + 1)...])))?.words.isEmpty == false
        }
    }

    /// Sources that are always there. Others may take a program to be run.
    private static var groups: [String] {
        ["@ssh", "@known", "@run:last:failed", "@run:last:error", "@run:last:unknown"]
    }
}

/// A subcommand with words that are not its own: hosts, and what is run there.
protocol PassingCommand: ParsableCommand {
    var words: [String] { get }
}
