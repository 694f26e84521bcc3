import ArgumentParser
import BridgeSSH

extension CompletionKind {
    /// The hosts that ssh's configuration and known_hosts name.
    static let hosts = CompletionKind.custom { _, _, word in HostCompletion.candidates(for: word, KnownNames.all()) }

    /// The same for `run`, where what follows the host is the command.
    static let hostOfRun = CompletionKind.custom { words, index, word in
        HostCompletion.hasHost(words, before: index) ? [] : HostCompletion.candidates(for: word, KnownNames.all())
    }

    /// The last of several hosts with commas between.
    static let jumpHosts = CompletionKind.custom { _, _, word in
        guard let comma = word.lastIndex(of: ",") else { return HostCompletion.candidates(for: word, KnownNames.all()) }
        let before = word[...comma]
        return HostCompletion.candidates(for: String(word[word.index(after: comma)...]), KnownNames.all()).map { before + $0 }
    }

    /// The codes and statuses that `explain` explains.
    static let explained = CompletionKind.list(CodeExplanation.all.map(\.code.rawValue) + (193...199).map { "\($0)" })
}

/// Hosts for a word that is being typed.
enum HostCompletion {
    /// The names that the word begins; a user before the host stays.
    static func candidates(for word: String, _ names: [String]) -> [String] {
        let user = word.lastIndex(of: "@").map { word[...$0] } ?? ""
        let start = word.dropFirst(user.count)
        return names.filter { $0.hasPrefix(start) }.map { user + $0 }
    }

    /// Whether the host of `run` stands before a word.
    ///
    /// - Parameter words: from the program's name on.
    static func hasHost(_ words: [String], before index: Int) -> Bool {
        var rest = words.prefix(index)
        guard let start = rest.firstIndex(of: "run") else { return false }
        rest = rest[(start + 1)...]
        var ignored = RunOptions()
        while let word = rest.first {
            guard word.hasPrefix("-") else { return true }
            rest.removeFirst()
            if word == "--" { return !rest.isEmpty }
            _ = ignored.take(word, &rest)
        }
        return false
    }
}
