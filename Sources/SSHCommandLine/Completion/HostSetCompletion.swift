package import ArgumentParser

extension CompletionKind {
    /// The last name of an expression for hosts: those that ssh's configuration and known_hosts name, and groups.
    ///
    /// - Parameters:
    ///   - groups: the groups that are known, each with its `@`; the words of the command line so far may name their files.
    ///   - isOver: whether the expression stands before the word already.
    package static func hostSet(
        groups: @escaping @Sendable (_ words: [String]) -> [String],
        unless isOver: @escaping @Sendable (_ before: [String]) -> Bool = { _ in false }
    ) -> CompletionKind {
        .custom { words, index, word in
            if isOver(Array(words.prefix(max(0, index)))) { return [] }
            return HostSetCompletion.candidates(for: word, KnownNames.all() + groups(words))
        }
    }
}

/// Hosts for the last part of an expression that is being typed.
enum HostSetCompletion {
    private static let signs: Set<Character> = [",", "!", "&", "^", " "]

    /// The whole words, with what stands before the last part.
    static func candidates(for word: String, _ names: [String]) -> [String] {
        let start = word.lastIndex(where: signs.contains).map(word.index(after:)) ?? word.startIndex
        let part = String(word[start...])
        let hosts = HostCompletion.candidates(for: part, names.filter { !$0.hasPrefix("@") })
        let groups = names.filter { $0.hasPrefix("@") && $0.hasPrefix(part) }
        return (hosts + groups).map { word[..<start] + $0 }
    }
}
