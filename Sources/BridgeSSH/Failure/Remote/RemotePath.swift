/// Finding the path or host that an error line speaks of.
enum RemotePath {
    /// What a line names, given where the wording of the trouble stands in it; nil where it names nothing.
    static func named(in line: String, around wording: Range<String.Index>) -> String? {
        let after = String(line[wording.upperBound...])
        let before = String(line[..<wording.lowerBound])
        if let path = afterWording(after) { return path }
        return beforeWording(before)
    }

    /// `[Errno 2] No such file or directory: 'x'`, zsh's `no such file or directory: x`, Node's `…, open 'x'`,
    /// Ruby's `… @ rb_sysopen - x`.
    private static func afterWording(_ text: String) -> String? {
        if text.hasPrefix(": ") || text.hasPrefix(", ") || text.hasPrefix(" "), let quoted = quoted(in: text) { return quoted }
        if text.hasPrefix(": ") {
            let rest = text.dropFirst(2)
            return rest.isEmpty || rest.hasPrefix("(") ? nil : String(rest)
        }
        if text.hasPrefix(" @ "), let dash = text.firstRange(of: " - ") { return String(text[dash.upperBound...]) }
        return nil
    }

    /// `cat: x: …`, `ls: cannot access 'x': …`, `open x: …`, `FileNotFoundException: x (…)`.
    private static func beforeWording(_ text: String) -> String? {
        var text = text[...]
        while let last = text.last, " (:".contains(last) { text.removeLast() }
        var segments = split(String(text))
        while let last = segments.last, isVerb(last) { segments.removeLast() }
        guard let last = segments.last else { return nil }
        if let quoted = quoted(in: last) { return quoted }
        let path = afterVerb(last)
        // A lone first segment is the program's name, unless it looks like a path.
        if segments.count == 1, path == last, !path.contains("/") { return nil }
        if path.hasPrefix("["), path.hasSuffix("]") { return nil }
        return path.isEmpty ? nil : path
    }

    private static func split(_ text: String) -> [String] {
        var segments: [String] = []
        var rest = text[...]
        while let colon = rest.firstRange(of: ": ") {
            segments.append(String(rest[..<colon.lowerBound]))
            rest = rest[colon.upperBound...]
        }
        segments.append(String(rest))
        return segments.filter { !$0.isEmpty }
    }

    /// Whether a segment only says what was attempted: `Cannot open`, `write error`.
    private static func isVerb(_ segment: String) -> Bool {
        let lower = segment.lowercased()
        return [
            "cannot open", "can't open", "cannot stat", "cannot mkdir", "cannot write", "cannot create", "cannot unlink",
            "write error", "read error", "write failed", "read failed", "error writing", "error reading", "open failed", "open",
            "stat", "write", "read", "failed", "error", "fatal", "warning", "ioerror", "oserror", "connect", "schreibfehler",
            "lesefehler", "erreur d'écriture", "erreur de lecture", "error de escritura", "error de lectura", "写错误", "书き込みエラー",
        ].contains(lower) || lower.hasPrefix("line ") && lower.dropFirst(5).allSatisfy(\.isNumber)
            || lower.hasPrefix("zeile ") || lower.hasPrefix("ligne ") || lower.hasPrefix("línea ")
            || lower.hasPrefix("[errno") || segment.allSatisfy(\.isNumber)
    }

    /// `cannot open /x y` is `/x y`; a segment without such words is the path.
    private static func afterVerb(_ segment: String) -> String {
        let lower = segment.lowercased()
        let verbs = [
            "cannot ", "can't ", "could not ", "couldn't ", "failed ", "unable ", "error ", "open ", "stat ", "lstat ", "mkdir ",
            "read ", "write ", "remove ", "rename ", "exec ", "fork/exec ", "chdir ", "unlink ", "symlink ", "dial ",
        ]
        guard verbs.contains(where: { lower.hasPrefix($0) }) else { return segment }
        let words = segment.split(separator: " ")
        let start = words.firstIndex { word in ["/", "./", "../", "~"].contains { word.hasPrefix($0) } }
        if let start { return words[start...].joined(separator: " ") }
        return words.last.map(String.init) ?? segment
    }

    private static let quotes: [(open: Character, close: [Character])] = [
        ("'", ["'"]), ("\"", ["\""]), ("`", ["'", "`"]), ("‘", ["’"]), ("“", ["”"]), ("«", ["»"]), ("»", ["«"]),
        ("„", ["“", "”"]),
        ("‚", ["‘"]), ("「", ["」"]), ("『", ["』"]), ("‹", ["›"]), ("＂", ["＂"]),
    ]

    /// The first quoted piece. An opening quote begins a word, so that `can't` is none; Chinese and Japanese text has no
    /// spaces, and its brackets need none.
    static func quoted(in text: String) -> String? {
        var index = text.startIndex
        var previous: Character = " "
        while index < text.endIndex {
            let character = text[index]
            if let pair = quotes.first(where: { $0.open == character }), mayOpen(character, after: previous),
                let end = text[text.index(after: index)...].firstIndex(where: { pair.close.contains($0) })
            {
                let content = text[text.index(after: index)..<end].trimmingBlanks
                if !content.isEmpty { return content }
            }
            previous = character
            index = text.index(after: index)
        }
        return nil
    }

    private static func mayOpen(_ quote: Character, after previous: Character) -> Bool {
        guard quote == "'" || quote == "\"" || quote == "»" else { return true }
        return previous.isWhitespace || "(:=,".contains(previous) || !previous.isASCII
    }
}

extension Substring {
    /// Without blanks around it; French quotation marks hold some inside.
    var trimmingBlanks: String {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
