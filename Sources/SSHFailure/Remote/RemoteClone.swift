import ErrorCore

extension RemotePrograms {
    /// `git clone` ends with 128 for every failure; its last fatal line is the reason.
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

    /// `fatal: unable to access 'https://…'` of a script whose command line does not show that it runs git.
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

    /// Git's words for a fatal error in its translations, off.
    private static func fatalWords(_ line: String) -> String? {
        let marks = ["fatal: ", "fatal : ", "fatal\u{a0}: ", "Schwerwiegend: ", "致命错误：", "致命錯誤: ", "致命的エラー: "]
        return marks.first { line.hasPrefix($0) }.map { String(line.dropFirst($0.count)) }
    }

    /// `repository 'x' does not exist`: a local one, whatever its name looks like.
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

    /// The first word after `clone` that is neither an option nor its value.
    private static func cloneURL(_ words: [String]) -> String {
        let valued: Set<String> = [
            "-b", "--branch", "-o", "--origin", "--depth", "-c", "--config", "-u", "--upload-pack", "-j",
            "--jobs", "--reference", "--separate-git-dir", "--template", "--filter", "--shallow-since", "--server-option",
        ]
        guard let start = words.firstIndex(of: "clone") else { return "" }
        return firstOperand(words[(start + 1)...], valued: valued) ?? ""
    }

    /// `https://user:secret@host/…` without the secret.
    static func withoutPassword(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && !$0.isWhitespace }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return text[..<scheme.upperBound] + "***" + rest[at...]
    }
}
