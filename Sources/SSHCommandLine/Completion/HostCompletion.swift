import ArgumentParser
import BridgeSSH

extension CompletionKind {
    /// The hosts that ssh's configuration and known_hosts name.
    static let hosts = CompletionKind.custom { HostCompletion.offered($0, $1, $2) }

    /// The same for `run`, where what follows the host is the command.
    static let hostOfRun = CompletionKind.custom { words, index, word in
        HostCompletion.hasHost(words, before: index) ? [] : HostCompletion.offered(words, index, word)
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
    /// What is offered for a word of a command line.
    static func offered(_ words: [String], _ index: Int, _ word: String) -> [String] {
        let names = candidates(for: word, KnownNames.all())
        // bash splits "user@host" into three words, and takes "@host" for the one that is typed: it drops the form that does not fit.
        guard index > 0, index < words.count, words[index - 1] == "@" else { return names }
        return names + names.map { "@" + $0 }
    }

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
        // To bash "user@host" is three words.
        var end = index
        while end > 1, words[end - 1] == "@" || end < words.count && words[end].hasPrefix("@") {
            end -= words[end - 1] == "@" ? 2 : 1
        }
        var rest = words.prefix(end)
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
