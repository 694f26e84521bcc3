/// Finds the file that an error line is about.
enum RemotePath {
    /// A name in a line.
    struct Name: Sendable, Hashable {
        let path: String
        /// Whether the line can mean no other name.
        let isSure: Bool
    }

    /// The file in a line, given the position of the reason; nil if there is none.
    ///
    /// - Parameter programs: Names of programs that precede messages; they are not files.
    static func named(in line: RemoteLine, around match: RemoteWording.Match, programs: Set<String> = []) -> Name? {
        let reason = match.range
        if match.isPredicate { return subject(in: line, before: reason.lowerBound) }
        if let name = quotedAfter(line, reason.upperBound, match.trouble) ?? RemoteMarkedPath.named(in: line, around: match) {
            return name
        }
        return before(line, reason.lowerBound, match.trouble, programs) ?? plainAfter(line, reason)
    }

    /// Nouns that mark the following word as a file.
    private static let nouns = [
        "file", "path", "directory", "folder", "datei", "verzeichnis", "pfad", "fichier", "dossier", "chemin", "répertoire",
        "archivo",
        "fichero", "directorio", "ruta", "ファイル", "ディレクトリ", "パス", "文件", "目录", "路径", "檔案", "目錄", "路徑",
    ]

    /// The subject of a predicate such as `does not exist`, if it is a file.
    static func subject(in line: RemoteLine, before offset: Int) -> Name? {
        guard let segment = line.segments(in: 0..<offset).last else { return nil }
        if let quote = line.quotes.last(where: { segment.contains($0.range.lowerBound) }) {
            let said = String(line.lower[segment.lowerBound..<quote.range.lowerBound])
            // `ref 'refs/heads/x'` is not a file; `repository '/srv/x'` is one.
            let isFile =
                ["/", "./", "../", "~", "\\"].contains { quote.content.hasPrefix($0) } || nouns.contains { said.contains($0) }
            return isFile && !quote.content.contains("://") ? Name(path: quote.content, isSure: true) : nil
        }
        // Unquoted: the last word before the predicate.
        let word = line.text(segment).split(separator: " ").last.map(String.init) ?? ""
        return isPath(word) && word.contains(where: \.isLetter) ? Name(path: word, isSure: true) : nil
    }

    /// Whether a word can only be a path.
    static func isPath(_ word: String) -> Bool {
        !word.contains("://") && (word.contains("/") || word.contains("\\") || word.hasPrefix("~"))
    }

    // MARK: After the reason

    /// `[Errno 2] …: 'x'`, `ENOENT: no such file or directory, open 'x'`, `rename 'a' -> 'b'`.
    private static func quotedAfter(_ line: RemoteLine, _ end: Int, _ trouble: RemoteTrouble) -> Name? {
        let following = line.quotes.filter { $0.range.lowerBound >= end }
        guard let first = following.first else { return nil }
        let between = String(line.lower[end..<first.range.lowerBound])
        let words = between.split { !$0.isLetter }
        guard words.count <= 2, !words.contains("at"), !words.contains("for"), !words.contains("in") else { return nil }
        if following.count > 1, line.text(first.range.upperBound..<following[1].range.lowerBound) == " -> " {
            // For chdir, Node prints the previous directory first.
            let isSource = trouble == .fileNotFound && !words.contains("chdir")
            return Name(path: isSource ? first.content : following[1].content, isSure: words.contains("chdir"))
        }
        return Name(path: first.content, isSure: true)
    }

    /// The name in zsh's `no such file or directory: x`. It is used only if nothing before the reason is a name.
    private static func plainAfter(_ line: RemoteLine, _ reason: Range<Int>) -> Name? {
        let rest = line.text(reason.upperBound..<line.characters.count)
        for lead in [": ", " /", " ~", " ./"] where rest.hasPrefix(lead) {
            let path = rest[rest.index(rest.startIndex, offsetBy: lead == ": " ? 2 : 1)...].trimmingBlanks
            let isWords = path.contains(" ") && !isPath(path) && line.characters.first != "z"
            return path.isEmpty || path.hasPrefix("(") || path.contains("://") || isWords ? nil : Name(path: path, isSure: true)
        }
        // git: `insufficient permission for adding an object to repository database .git/objects`.
        guard rest.hasPrefix(" for "), let segment = line.segments(in: reason.upperBound..<line.characters.count).first else {
            return nil
        }
        return RemotePhrase.pathToken(in: line, segment).map { Name(path: $0, isSure: true) }
    }

    // MARK: Before the reason

    private static let shells: Set<String> = [
        "bash", "sh", "dash", "ash", "zsh", "ksh", "ksh93", "mksh", "tcsh", "csh", "fish", "rbash",
    ]
    private static let builtins: Set<String> = [
        "cd", "pushd", "popd", "source", ".", "echo", "printf", "read", "exec", "ulimit", "umask", "wait", "kill", "eval",
        "export",
    ]

    /// The last quoted name in a line, for a message that continues in the next line.
    static func lastQuoted(in line: RemoteLine) -> Name? { line.quotes.last.map { Name(path: $0.content, isSure: true) } }

    /// The name in `cat: x: …`, `ls: cannot access 'x': …`, `tar: x: Cannot open: …` or `open x: …`: the segment nearest to the
    /// reason that is not only a description of the attempt.
    private static func before(_ line: RemoteLine, _ start: Int, _ trouble: RemoteTrouble, _ programs: Set<String>) -> Name? {
        var end = start
        while end > 0, line.characters[end - 1].isWhitespace || "([,-–:：=".contains(line.characters[end - 1]) { end -= 1 }
        let segments = line.segments(in: 0..<end)
        let isShell = segments.first.map { shells.contains(RemoteProgram.base(line.text($0))) } ?? false
        // These shell builtins open no file.
        if isShell, segments.contains(where: { ["ulimit", "kill", "wait", "umask", "trap"].contains(line.text($0)) }) {
            return nil
        }
        for (index, segment) in segments.enumerated().reversed() {
            if RemotePhrase.isPosition(line.text(segment)) { continue }
            if let name = quoted(line, segment, trouble) { return name }
            if let name = TwoFileMessage.unquoted(line, segment) { return name }
            if index == 0, segments.count > 1, isProgram(line, segments) { return nil }
            if let path = RemotePhrase.pathToken(in: line, segment) { return Name(path: path, isSure: true) }
            let (rest, hadVerb) = RemotePhrase.withoutAttempt(line.text(segment))
            if rest.isEmpty { continue }
            if index == 0 { return lone(line, segments.count, start, programs) }
            return isName(rest, inShell: isShell, hadVerb: hadVerb) ? Name(path: rest, isSure: true) : nil
        }
        return nil
    }

    /// Whether the first segment is the program: then all others are positions, as in `./deploy.sh: line 3: …`.
    private static func isProgram(_ line: RemoteLine, _ segments: [Range<Int>]) -> Bool {
        segments.dropFirst().allSatisfy { RemotePhrase.isPosition(line.text($0)) }
    }

    /// A single segment is the program, except in tcsh's `x: No such file or directory.`, which ends with a full stop.
    private static func lone(_ line: RemoteLine, _ count: Int, _ start: Int, _ programs: Set<String>) -> Name? {
        guard count == 1, start > 0, line.characters.last == "." else { return nil }
        let text = line.text(line.segments(in: 0..<start)[0])
        return shells.contains(text) || programs.contains(text) || text.contains("(") ? nil : Name(path: text, isSure: true)
    }

    private static func isName(_ text: String, inShell: Bool, hadVerb: Bool) -> Bool {
        if inShell, builtins.contains(text) { return false }
        if text.hasSuffix("Error") || text.hasSuffix("Exception") || text.hasPrefix("<") || text.hasPrefix("(") { return false }
        if text.hasSuffix(")") || text.contains("://") || text.allSatisfy({ $0.isNumber || "()".contains($0) }) { return false }
        guard text.contains(where: \.isWhitespace) else { return true }
        return inShell || hadVerb || text.split(separator: " ").last?.contains(".") == true && !text.hasSuffix(".")
    }

    private static func quoted(_ line: RemoteLine, _ segment: Range<Int>, _ trouble: RemoteTrouble) -> Name? {
        let quotes = line.quotes.filter { segment.contains($0.range.lowerBound) }
        guard let last = quotes.last, let first = quotes.first else { return nil }
        if quotes.count == 1 { return RemotePhrase.isCall(last.content) ? nil : Name(path: last.content, isSure: true) }
        // Spanish messages also quote the system call: «no se puede efectuar `stat' sobre 'x'».
        if quotes.count == 2, RemotePhrase.isCall(first.content) { return Name(path: last.content, isSure: true) }
        return TwoFileMessage.quoted(line, quotes, trouble)
    }
}

/// Names in message formats of particular languages and programs.
enum RemoteMarkedPath {
    static func named(in line: RemoteLine, around match: RemoteWording.Match) -> RemotePath.Name? {
        let after = line.text(match.range.upperBound..<line.characters.count)
        if after.hasPrefix(" @ ") || after.hasPrefix(" -- ") { return ruby(after, match.trouble) }
        if let call = after.firstRange(of: ":calling ") { return openssl(after[call.upperBound...]) }
        if after.hasPrefix(" trying to connect") || after.hasPrefix(" while trying to connect") { return socket(after) }
        return nil
    }

    /// Ruby: `… @ rb_sysopen - x (Errno::ENOENT)`, `… @ rb_file_s_rename - (a, b)`, `… -- x.rb (LoadError)`.
    private static func ruby(_ text: String, _ trouble: RemoteTrouble) -> RemotePath.Name? {
        guard let dash = text.firstRange(of: text.hasPrefix(" -- ") ? " -- " : " - ") else { return nil }
        var path = text[dash.upperBound...]
        if path.hasSuffix(")"), let open = path.lastIndex(of: "("), open > path.startIndex { path = path[..<open] }
        let name = path.trimmingBlanks
        guard name.hasPrefix("("), name.hasSuffix(")") else {
            return name.isEmpty ? nil : RemotePath.Name(path: name, isSure: true)
        }
        let names = name.dropFirst().dropLast().split(separator: ", ")
        return (trouble == .fileNotFound ? names.first : names.last).map { RemotePath.Name(path: String($0), isSure: false) }
    }

    /// OpenSSL 3: `…:No such file or directory:file.c:266:calling stat(x)`.
    private static func openssl(_ text: Substring) -> RemotePath.Name? {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
        return RemotePath.Name(path: String(text[text.index(after: open)..<close].prefix { $0 != "," }), isSure: true)
    }

    /// Docker: `… while trying to connect to the Docker daemon socket at unix:///run/docker.sock: …`.
    private static func socket(_ text: String) -> RemotePath.Name? {
        guard let scheme = text.firstRange(of: "unix://") else { return nil }
        let path = text[scheme.upperBound...].prefix { !$0.isWhitespace }
        return RemotePath.Name(path: String(path.last == ":" ? path.dropLast() : path), isSure: true)
    }
}

/// Messages that name two files, of a copy, a move or a link.
enum TwoFileMessage {
    /// The created file is the last one, except in `ln`'s `'new' => 'old'`. A missing or forbidden file may be either.
    static func quoted(_ line: RemoteLine, _ quotes: [RemoteLine.Quote], _ trouble: RemoteTrouble) -> RemotePath.Name? {
        let pair = quotes.suffix(2)
        guard let first = pair.first, let last = pair.last else { return nil }
        let between = line.text(first.range.upperBound..<last.range.lowerBound)
        let isWritten = ![.fileNotFound, .permissionDenied, .badPath].contains(trouble)
        return RemotePath.Name(path: between.contains("=>") ? first.content : last.content, isSure: isWritten)
    }

    /// The names in `mv: rename a to b: …` (macOS) or `rename a b: …` (Go).
    static func unquoted(_ line: RemoteLine, _ segment: Range<Int>) -> RemotePath.Name? {
        let words = line.text(segment).split(separator: " ").map(String.init)
        guard let verb = words.first, ["rename", "link", "symlink"].contains(verb) else { return nil }
        guard words.count == 3 || words.count == 4 && words[2] == "to", let last = words.last else { return nil }
        return RemotePath.Name(path: last, isSure: false)
    }
}
