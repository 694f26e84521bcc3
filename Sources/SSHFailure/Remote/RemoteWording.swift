/// Finds the C library's messages in a line, where they report a failure and are not only mentioned.
enum RemoteWording {
    /// A wording found in a line.
    struct Match: Sendable {
        let trouble: RemoteTrouble
        /// The position, including quotation marks around it.
        let range: Range<Int>
        let isPredicate: Bool
    }

    /// The wording that reports the failure. It must be delimited on both sides as a reason is. The last one counts, since names
    /// come before it; zsh prints the reason first.
    static func match(in line: RemoteLine) -> Match? {
        var matches: [Match] = []
        var offset = 0
        while offset < line.lower.count {
            if let match = match(in: line, at: offset) {
                matches.append(match)
                offset = match.range.upperBound
            } else {
                offset += 1
            }
        }
        return String(line.lower.prefix(4)) == "zsh:" ? matches.first : matches.last
    }

    /// Wordings by their first character, longer ones first.
    private static let index: [Character: [(characters: [Character], wording: RemoteTrouble.Wording)]] = {
        let entries = RemoteTrouble.wordings.map { (characters: Array($0.text), wording: $0) }
        return Dictionary(grouping: entries) { $0.characters.first ?? " " }
    }()

    private static func match(in line: RemoteLine, at start: Int) -> Match? {
        guard let candidates = index[line.lower[start]] else { return nil }
        for (characters, wording) in candidates where line.lower[start...].starts(with: characters) {
            let range = start..<(start + characters.count)
            if wording.kind == .code, !line.characters[range].allSatisfy({ $0.isUppercase || $0 == "_" }) { continue }
            if let reason = reason(range, wording.kind, in: line) {
                return Match(trouble: wording.trouble, range: reason, isPredicate: wording.kind == .predicate)
            }
        }
        return nil
    }

    /// The range of a wording that reports a failure; nil if it is only mentioned.
    private static func reason(_ range: Range<Int>, _ kind: RemoteTrouble.Wording.Kind, in line: RemoteLine) -> Range<Int>? {
        guard let quote = line.quotes.first(where: { $0.range.dropFirst().contains(range.lowerBound) }) else {
            guard ends(range.upperBound, kind, in: line) else { return nil }
            if kind == .predicate { return RemotePath.subject(in: line, before: range.lowerBound) == nil ? nil : range }
            return begins(range.lowerBound, kind, in: line) ? range : nil
        }
        // Perl's autodie and Rust's debug format quote the whole reason, and nothing else.
        guard kind == .reason, quote.content.count - range.count <= 1, range.lowerBound == quote.range.lowerBound + 1 else {
            return nil
        }
        let before = String(line.lower[..<quote.range.lowerBound].suffix(11))
        return ["ing: ", "message: "].contains { before.hasSuffix($0) } ? quote.range : nil
    }

    // MARK: Before

    private static let leads: Set<String> = [
        "got", "with", "to", "due", "because", "of", "error", "errors", "failed", "reason", "returned", "fatal",
    ]
    private static let codeLeads: Set<String> = ["connect", "read", "write", "getaddrinfo", "send", "open", "error"]

    private static func begins(_ start: Int, _ kind: RemoteTrouble.Wording.Kind, in line: RemoteLine) -> Bool {
        var last = start - 1
        while last >= 0, line.characters[last].isWhitespace { last -= 1 }
        guard last >= 0 else { return true }
        let spaced = last < start - 1
        let character = line.characters[last]
        switch character {
        case ":": return spaced || line.characters[..<last].contains(":")
        case "：", "(", "（", "[", "=", "|", "…", "【", ";", "。", "；": return true
        case ",", ")", "]", ">": if spaced { return kind != .code } else { return character == "," && kind != .code }
        case "，": return true
        case "-", "–", "—": return spaced && last > 0 && line.characters[last - 1].isWhitespace
        case ".": return line.characters[..<last].suffix(2).elementsEqual("..")
        default: break
        }
        guard spaced else { return false }
        // Two or more spaces separate columns.
        if kind == .opening, start - last > 2 { return true }
        let word = line.lower[...last].reversed().prefix { !$0.isWhitespace && !"([".contains($0) }.reversed()
        return (kind == .code ? codeLeads : leads).contains(String(word))
    }

    // MARK: After

    private static let followers: [String] = [
        "(", "[", "{", "'", "\"", "‘", "“", "«", "„", "「", "`", "@ ", "- ", "-- ", "– ", "| ", "/", "at ", "in ", "while ",
        "when ", "for ", "on ", "and ", "und ", "et ", "y ", "trying ", "accessing ", "opening ", "writing ", "reading ",
        "creating ", "executing ", "os error",
    ]

    private static func ends(_ end: Int, _ kind: RemoteTrouble.Wording.Kind, in line: RemoteLine) -> Bool {
        guard end < line.characters.count else { return true }
        if kind == .opening { return !line.characters[end].isLetter }
        let next = line.characters[end]
        if kind == .code { return next == ":" || next.isWhitespace }
        switch next {
        case ",", ";", ":", ")", "]", "}", ">", "'", "\"", "”", "»", "」", "’", "，", "；", "：", "！", "!", "）", "。", "、": return true
        case ".": return end + 1 == line.characters.count || !line.characters[end + 1].isLetter
        default: break
        }
        guard next.isWhitespace else { return false }
        let rest = String(line.lower[end...].drop { $0.isWhitespace }.prefix(12))
        return rest.isEmpty || followers.contains { rest.hasPrefix($0) }
    }
}

/// The words around a name in an error message: the attempted operation, a position in a script, a system call.
enum RemotePhrase {
    /// Whether a segment is only a position in a script or an error number: `line 3`, `12`, `[Errno 2]`, `zsh:1`.
    static func isPosition(_ text: String) -> Bool {
        let lower = text.lowercased()
        if lower.hasPrefix("[errno") || text.allSatisfy(\.isNumber) { return true }
        let words = lower.split(separator: " ")
        let lines: Set<Substring> = ["line", "zeile", "ligne", "línea", "linea", "行", "第"]
        return words.count <= 3 && words.contains { lines.contains($0) } && words.contains { $0.contains { $0.isNumber } }
            || lower.hasSuffix("行") && lower.contains { $0.isNumber }
    }

    /// Whether quoted text is the name of a system call, not a file.
    static func isCall(_ word: String) -> Bool { calls.contains(word) || word.hasSuffix("()") }

    private static let calls: Set<String> = [
        "stat", "fstat", "lstat", "open", "openat", "opendir", "creat", "touch", "mkdir", "rmdir", "unlink", "rename", "link",
        "symlink",
        "readlink", "chdir", "fchdir", "chmod", "chown", "fork", "clone", "exec", "execve", "execvp", "socket", "connect", "bind",
        "listen", "accept", "send", "sendto", "sendmsg", "recv", "read", "write", "close", "seek", "lseek", "ioctl", "mmap",
        "mount",
        "umount", "setuid", "setgid", "setgroups", "setresuid", "chroot", "ptrace", "prctl", "kill", "setns", "unshare", "bpf",
        "getaddrinfo", "dial", "lookup", "tcp", "udp", "unix", "truncate", "ftruncate", "mkstemp", "utime", "getcwd", "scandir",
    ]

    /// Words that describe the attempted operation, in any order.
    private static let attempts: Set<String> = calls.union([
        "cannot", "can't", "could", "couldn't", "not", "failed", "to", "unable", "error", "errors", "fatal", "warning", "while",
        "when",
        "opening", "reading", "writing", "create", "creating", "remove", "removing", "access", "accessing", "load", "loading",
        "cd",
        "change", "find", "delete", "deleting", "copy", "copying", "output", "input", "temporary", "temp", "regular", "special",
        "the",
        "file", "directory", "dir", "script", "program", "module", "config", "configuration", "archive", "patch", "for", "from",
        "in",
        "of", "on", "perl", "source", "leading", "directories", "execute", "exec", "run", "start", "lock", "database", "stream",
        "***", "****", "panic", "ioerror", "oserror", "error:", "make", "up", "get", "into", "w", "e",
        "funktion", "fehlgeschlagen", "konnte", "kann", "nicht", "werden", "geöffnet", "schreibfehler", "lesefehler", "beim",
        "datei",
        "temporäre", "sperrdatei", "fehler", "gelesen",
        "impossible", "d'ouvrir", "de", "lire", "le", "fichier", "temporaire", "verrou", "erreur", "d'écriture", "lecture",
        "échec",
        "no", "se", "puede", "efectuar", "pudo", "abrir", "leer", "el", "fichero", "temporal", "escritura", "lectura", "error",
        "不能", "エラー", "書き込みエラー", "読み込みエラー", "一時ファイル", "ロックファイル", "无法", "写入错误", "写错误", "读取错误",
        "無法", "寫入錯誤", "寫入時發生錯誤", "错误", "錯誤", "打开", "读取", "无法读取", "无法打开临时文件", "无法打开锁文件",
    ])

    /// Verbs that take a file as their object.
    private static let verbs: Set<String> = [
        "open", "opening", "create", "creating", "stat", "lstat", "access", "read", "reading", "write", "writing", "remove",
        "unlink",
        "rename", "find", "load", "execute", "exec", "mkdir", "rmdir", "opendir", "chdir", "cd", "file", "directory", "source",
    ]

    /// Endings of phrases without a file: `clear kernel buffer failed`.
    private static let ends = ["failed", "fehlgeschlagen", "impossible", "error", "denied", "refused", "不能", "失敗しました", "失败"]

    /// A segment without the leading words about the attempt; empty if there is nothing else. `hadVerb` is true if the last of
    /// these words is a verb that takes a file.
    static func withoutAttempt(_ segment: String) -> (rest: String, hadVerb: Bool) {
        var words = segment.split(whereSeparator: \.isWhitespace)[...]
        var last: Substring?
        while let word = words.first, attempts.contains(word.lowercased()) { last = words.popFirst() }
        let rest = words.joined(separator: " ")
        if ends.contains(where: { rest.lowercased().hasSuffix($0) }), words.count > 1 || last != nil { return ("", false) }
        guard let last, !words.isEmpty else { return (rest, false) }
        let hadVerb = verbs.contains(last.lowercased())
        // `failed to set priority for 1` is not about a file.
        return hadVerb || words.count == 1 ? (rest, hadVerb) : ("", false)
    }

    /// Words that may follow a path.
    private static let tails = [
        " for writing", " for reading", " for append", " failed", " kann nicht", " konnte nicht", " could not", " cannot",
        " nicht ",
        " を", " に", " の", " が", " は", " - ", " (", " -> ", " => ", " n'a pas", " no se", " as ", " does not",
    ]

    /// The path in a segment, from the first word that can only be a path. It extends to the words in `tails` or the end of the
    /// segment, because names may contain spaces.
    static func pathToken(in line: RemoteLine, _ segment: Range<Int>) -> String? {
        var start = segment.lowerBound
        while start < segment.upperBound {
            var end = start
            while end < segment.upperBound, !line.characters[end].isWhitespace { end += 1 }
            let word = line.text(start..<end)
            if isPathWord(word) { return path(String(line.text(start..<segment.upperBound))) }
            start = end + 1
        }
        return nil
    }

    private static func isPathWord(_ word: String) -> Bool {
        let bare = word.drop { "([\"'`".contains($0) }
        if bare.contains("://") || bare.contains("()") { return false }
        if ["/", "./", "../", "~/"].contains(where: { bare.hasPrefix($0) }) { return bare.count > 1 || bare == "/" }
        if bare.count > 3, bare.dropFirst().hasPrefix(":\\") { return true }
        guard bare.contains("/"), !bare.hasSuffix("/O") else { return callArgument(bare) != nil }
        if let argument = callArgument(bare) { return argument.contains("/") }
        return bare.contains { $0.isLetter }
            && !["fork/exec", "read/write", "and/or", "n/a", "tcp/ip"].contains(bare.lowercased())
    }

    /// The argument of a call: `/srv/x` in `fopen(/srv/x)`.
    private static func callArgument(_ word: Substring) -> Substring? {
        guard let open = word.firstIndex(of: "("), open > word.startIndex, word[..<open].allSatisfy({ $0.isLetter || $0 == "_" })
        else {
            return nil
        }
        let argument = word[word.index(after: open)...].prefix { $0 != ")" }
        return argument.isEmpty || !argument.contains("/") ? nil : argument
    }

    private static func path(_ text: String) -> String {
        if let argument = callArgument(text[...]) { return String(argument) }
        var text = text[...]
        let opening = text.first
        text = text.drop { "([\"'`".contains($0) }
        if opening == "(" || opening == "[" { text = text.prefix { $0 != ")" && $0 != "]" } }
        for tail in tails { if let range = text.firstRange(of: tail) { text = text[..<range.lowerBound] } }
        while let last = text.last, ",;".contains(last) || last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
