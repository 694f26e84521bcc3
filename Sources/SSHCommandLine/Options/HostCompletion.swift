package import ArgumentParser
import BridgeSSH
import SSHRun

extension CompletionKind {
    /// Completes hosts from ssh's configuration and known_hosts.
    static let hosts = CompletionKind.custom { HostCompletion.offered($0, $1, $2) }

    /// Completes the host of `run`. The words after it are the command.
    static let hostOfRun = CompletionKind.custom { words, index, word in
        HostCompletion.hasHost(words, before: index) ? [] : HostCompletion.offered(words, index, word)
    }

    /// Completes the last of several hosts with commas between.
    static let jumpHosts = CompletionKind.custom { _, _, word in
        guard let comma = word.lastIndex(of: ",") else { return HostCompletion.candidates(for: word, CompletionHostNames.all()) }
        let before = word[...comma]
        return HostCompletion.candidates(for: String(word[word.index(after: comma)...]), CompletionHostNames.all()).map {
            before + $0
        }
    }

    /// Completes the codes and statuses for `explain`.
    static let explained = CompletionKind.list(CodeExplanation.all.map(\.code.rawValue) + (193...199).map { "\($0)" })
}

/// Completes the name of a host.
enum HostCompletion {
    /// The suggestions for a word of a command line.
    static func offered(_ words: [String], _ index: Int, _ word: String) -> [String] {
        let names = candidates(for: word, CompletionHostNames.all())
        // bash splits "user@host" into three words and completes "@host". Offer both forms: bash drops the one that does not
        // match.
        guard index > 0, index < words.count, words[index - 1] == "@" else { return names }
        return names + names.map { "@" + $0 }
    }

    /// The names that start with the word. Keeps a user before the host.
    static func candidates(for word: String, _ names: [String]) -> [String] {
        let user = word.lastIndex(of: "@").map { word[...$0] } ?? ""
        let start = word.dropFirst(user.count)
        return names.filter { $0.hasPrefix(start) }.map { user + $0 }
    }

    /// Whether the host of `run` is before a word.
    ///
    /// - Parameter words: the command line, starting with the program's name.
    static func hasHost(_ words: [String], before index: Int) -> Bool {
        // bash splits "user@host" into three words.
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

extension CompletionKind {
    /// Completes the last name of an expression for hosts: names from ssh's configuration and known_hosts, and groups.
    ///
    /// - Parameters:
    ///   - groups: returns the known groups, each with its `@`, for the words of the command line, which may name their files.
    ///   - isOver: returns whether the expression is before the word.
    package static func hostSet(
        groups: @escaping @Sendable (_ words: [String]) -> [String],
        unless isOver: @escaping @Sendable (_ before: [String]) -> Bool = { _ in false }
    ) -> CompletionKind {
        .custom { words, index, word in
            if isOver(Array(words.prefix(max(0, index)))) { return [] }
            return HostSetCompletion.candidates(for: word, CompletionHostNames.all() + groups(words))
        }
    }
}

/// Completes the last part of an expression for hosts.
enum HostSetCompletion {
    private static let operators: Set<Character> = [",", "!", "&", "^", " "]

    /// The complete words, with the text before the last part.
    static func candidates(for word: String, _ names: [String]) -> [String] {
        let start = word.lastIndex(where: operators.contains).map(word.index(after:)) ?? word.startIndex
        let part = String(word[start...])
        let hosts = HostCompletion.candidates(for: part, names.filter { !$0.hasPrefix("@") })
        let groups = names.filter { $0.hasPrefix("@") && $0.hasPrefix(part) }
        return (hosts + groups).map { word[..<start] + $0 }
    }
}

/// The host names in this machine's ssh files.
enum CompletionHostNames {
    /// All names, sorted, without patterns, hashed names and names with a port.
    static func all(home: String = LaunchEnvironment.current().home) -> [String] {
        var configured: Set<String> = []
        var seen: Set<String> = []
        read("\(home)/.ssh/config", in: "\(home)/.ssh", &configured, &seen)
        read("/etc/ssh/ssh_config", in: "/etc/ssh", &configured, &seen)
        for path in ["\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts"] {
            for line in lines(of: path) { configured.formUnion(namesOfKey(in: line)) }
        }
        return configured.sorted()
    }

    /// Reads the names of `Host` lines, also in files that `Include` names.
    private static func read(_ path: String, in directory: String, _ names: inout Set<String>, _ seen: inout Set<String>) {
        guard seen.insert(path).inserted, seen.count < 100 else { return }
        for line in lines(of: path) {
            let words = line.split(whereSeparator: { " \t=\"".contains($0) }).map(String.init)
            switch words.first?.lowercased() {
            case "host": names.formUnion(words.dropFirst().filter { !$0.contains(where: "*?!".contains) })
            case "include":
                for pattern in words.dropFirst() {
                    let path = pattern.hasPrefix("~/") ? directory + "/.." + pattern.dropFirst() : pattern
                    let matches = SSHConfigFiles.system.matching(path.hasPrefix("/") ? path : "\(directory)/\(path)")
                    for match in matches { read(match, in: directory, &names, &seen) }
                }
            default: break
            }
        }
    }

    private static func namesOfKey(in line: Substring) -> [String] {
        guard let first = line.split(separator: " ").first, !"#@|".contains(first.prefix(1)) else { return [] }
        return first.split(separator: ",").map(String.init).filter { !$0.contains(where: "*?!|[".contains) }
    }

    /// The lines of a file; empty if it cannot be read.
    private static func lines(of path: String) -> [Substring] {
        guard case .bytes(let bytes) = SSHConfigFiles.system.read(path, false) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }
}
