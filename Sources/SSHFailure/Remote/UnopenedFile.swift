import ErrorCore

/// Lines that name a file that could not be opened, but give no reason.
enum UnopenedFile {
    static func cause(of line: RemoteLine, _ text: String) -> SSHRemoteCause? {
        let lower = String(line.lower)
        for phrase in phrases {
            guard let range = lower.firstRange(of: phrase.text) else { continue }
            let start = lower.distance(from: lower.startIndex, to: range.upperBound)
            guard let path = object(of: line, from: start, bare: phrase.text.hasSuffix("find or open")) else { continue }
            let reason = text.oneLine()
            return SSHRemoteCause(
                "cannot-open",
                phrase.writes ? .fileWriteError(path: path, reason: reason) : .fileReadError(path: path, reason: reason),
                "The server could not open \(path): \(reason)", .likely)
        }
        return nil
    }

    private static let phrases: [(text: String, writes: Bool)] = {
        let attempts = ["cannot ", "can't ", "can not ", "could not ", "couldn't ", "unable to ", "failed to "]
        let verbs: [(String, Bool)] = [
            ("find or open", false), ("open", false), ("access", false), ("read", false), ("cd to", false), ("chdir to", false),
            ("stat", false), ("locate", false), ("create", true), ("write to", true), ("write", true),
        ]
        return attempts.flatMap { attempt in verbs.map { (attempt + $0.0, $0.1) } }
    }()

    private static let fillers: Set<String> = [
        "the", "a", "file", "input", "output", "database", "config", "configuration", "user", "archive", "from", "directory",
        "folder", "log",
        "local", "data", "document", "script", "zipfile", "or", "and", "for", "image", "template", "named",
    ]

    /// A quoted name or a path directly after the phrase, or after words for a kind of file.
    private static func object(of line: RemoteLine, from start: Int, bare: Bool) -> String? {
        var start = start
        guard start < line.characters.count, line.characters[start].isWhitespace || line.characters[start] == ":" else {
            return nil
        }
        while start < line.characters.count {
            while start < line.characters.count, line.characters[start].isWhitespace || line.characters[start] == ":" {
                start += 1
            }
            let end = line.characters[start...].firstIndex { $0.isWhitespace || $0 == ":" } ?? line.characters.count
            guard end > start, fillers.contains(String(line.lower[start..<end])) else { break }
            start = end
        }
        guard start < line.characters.count else { return nil }
        if let quote = line.quotes.first(where: { $0.range.lowerBound == start }) {
            return quote.content.contains("://") ? nil : quote.content
        }
        let end = line.characters[start...].firstIndex { $0.isWhitespace || $0 == "," || $0 == "!" } ?? line.characters.count
        var word = line.text(start..<end)
        while let last = word.last, ".:;".contains(last) { word.removeLast() }
        let isMarked = start > 0 && line.characters[..<start].suffix(2).elementsEqual(": ")
        return RemotePath.isPath(word) || (isMarked || bare) && word.contains(".") ? word : nil
    }
}

extension RemotePrograms {
    /// `git clone` exits with 128 for every failure; its last fatal line gives the reason.
    static let clone: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        guard failure.status == 128, let words = cloneCommand(failure) else { return unreachable(failure) }
        let url = withoutPassword(cloneURL(words))
        let fatal = failure.lines.compactMap(fatalWords).last ?? failure.lines.last ?? ""
        let reason = withoutPassword(fatal.oneLine())
        var cause = SSHRemoteCause(
            "clone-failed", .projectCloneFailed(url: url, reason: reason),
            "Cloning \(url.isEmpty ? "the repository" : url) failed on the server: \(reason)", .exact)
        cause.reason = NestedSSH.words(failure, isCarrier: true) ?? RemoteLines.cause(failure) ?? missingRepository(failure)
        return cause
    }

    /// `fatal: unable to access 'https://…'` from a script, whose command line does not show that it runs git.
    private static func unreachable(_ failure: RemoteFailure) -> SSHRemoteCause? {
        let opening = "unable to access '"
        guard !failure.programs.contains("git"), let fatal = failure.lines.suffix(4).compactMap(fatalWords).last,
            fatal.hasPrefix(opening)
        else { return nil }
        let url = withoutPassword(String(fatal.dropFirst(opening.count).prefix { $0 != "'" }))
        let reason = withoutPassword(fatal.oneLine())
        var cause = SSHRemoteCause(
            "clone-failed", .projectCloneFailed(url: url, reason: reason), "Cloning \(url) failed on the server: \(reason)",
            .likely)
        cause.reason = RemoteLines.cause(failure)
        return cause
    }

    /// The line without git's prefix for a fatal error, in any of its translations; nil if it has none.
    private static func fatalWords(_ line: String) -> String? {
        let marks = ["fatal: ", "fatal : ", "fatal\u{a0}: ", "Schwerwiegend: ", "致命错误：", "致命錯誤: ", "致命的エラー: "]
        return marks.first { line.hasPrefix($0) }.map { String(line.dropFirst($0.count)) }
    }

    /// `repository 'x' does not exist` is about a local repository, even if the name looks like a remote one.
    private static func missingRepository(_ failure: RemoteFailure) -> SSHRemoteCause? {
        let absences = ["does not exist", "existiert nicht", "n'existe pas", "no existe", "不存在", "は存在しません"]
        guard let line = failure.lines.last(where: { line in absences.contains { line.contains($0) } }),
            let path = RemoteLine(line).quotes.first?.content, !path.contains("://")
        else { return nil }
        return RemoteTroubleCause.make(.fileNotFound, (path, true), reason: line.oneLine())
    }

    private static func cloneCommand(_ failure: RemoteFailure) -> [String]? {
        failure.deciding.first { words in
            words.first.map(RemoteProgram.base) == "git" && words.dropFirst().contains("clone")
        }
    }

    /// The first word after `clone` that is neither an option nor an option's value.
    private static func cloneURL(_ words: [String]) -> String {
        let valued: Set<String> = [
            "-b", "--branch", "-o", "--origin", "--depth", "-c", "--config", "-u", "--upload-pack", "-j",
            "--jobs", "--reference", "--separate-git-dir", "--template", "--filter", "--shallow-since", "--server-option",
        ]
        guard let start = words.firstIndex(of: "clone") else { return "" }
        return firstOperand(words[(start + 1)...], valued: valued) ?? ""
    }

    /// `https://user:secret@host/…` without the password.
    static func withoutPassword(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && !$0.isWhitespace }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return text[..<scheme.upperBound] + "***" + rest[at...]
    }
}
