/// One message of a client: its template, its place in the client's source, and its meaning.
struct TranscriptRow: Sendable {
    let template: TranscriptTemplate
    /// OpenSSH's source file and releases, or the library.
    let source: String
    /// Whether the client ends after this message, except for consequences.
    let ends: Bool
    /// Whether it reads debug messages.
    let isDebug: Bool
    /// Whether it is the message of a library in another program, and not of a client.
    var isLibrary = false
    /// Whether the row only notes facts, and leaves the line to other rows.
    var onlyNotesFacts = false
    /// The client's name, from its `TranscriptFormat`.
    var client = ""
    let read: @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading?

    init(
        _ text: String, _ source: String, ends: Bool = false,
        _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading? = { _, _ in nil }
    ) {
        template = TranscriptTemplate(text)
        isDebug = text.hasPrefix("debug")
        self.source = source
        self.ends = ends
        self.read = read
    }

    /// A library's message. Its exception may be the cause of another one.
    static func library(
        _ text: String, _ source: String,
        _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading? = { _, _ in nil }
    ) -> Self {
        var row = Self(text, source, ends: true, read)
        row.isLibrary = true
        return row
    }

    /// A library's message whose meaning does not depend on its placeholders.
    static func says(_ text: String, _ source: String, _ reading: @autoclosure @escaping @Sendable () -> TranscriptReading)
        -> Self
    {
        library(text, source) { _, _ in reading() }
    }

    /// A library's message after which the line ends. Other texts go on after these words.
    static func whole(_ text: String, _ source: String, _ reading: @autoclosure @escaping @Sendable () -> TranscriptReading)
        -> Self
    {
        library("\(text){rest}", source) { found, facts in (found["rest"] ?? "").isEmpty ? reading() : facts.decline() }
    }

    /// A row that only notes facts, and leaves the line to other rows.
    static func noting(
        _ text: String, _ source: String, _ note: @escaping @Sendable ([String: String], inout TranscriptFacts) -> Void
    ) -> Self {
        var row = Self(text, source) { found, facts in
            note(found, &facts)
            return nil
        }
        row.onlyNotesFacts = true
        return row
    }

    /// A line that shows that a retry has succeeded.
    static func recovers(_ text: String, _ source: String) -> Self {
        Self(text, source) { _, facts in
            facts.hasRecovered = true
            return nil
        }
    }
}

/// A client or library, and its messages.
struct TranscriptFormat: Sendable {
    /// The name in verdicts.
    let name: String
    let rows: [TranscriptRow]

    init(_ name: String, _ rows: [TranscriptRow]) {
        self.name = name
        self.rows = rows.map { row in
            var row = row
            row.client = name
            return row
        }
    }
}

/// A message with placeholders: `ssh: connect to host {host} port {port}: {reason}`.
///
/// A placeholder matches as little as possible; the last one matches the rest of the line. A template that begins with `…`
/// matches anywhere in a line. Any other is at the start, or after a log's prefix.
struct TranscriptTemplate: Sendable {
    private enum Part: Sendable {
        case words(String)
        case place(String)
    }

    private let parts: [Part]
    private let floats: Bool
    /// The rarest of its fixed texts with the quotation marks that a program writes, if they are no plain ones.
    let writtenWords: String?

    init(_ written: String) {
        let text = PastedText.withPlainMarks(written)
        self = Self(text, text == written ? nil : Self(written, nil).rarestWords)
    }

    private init(_ text: String, _ writtenWords: String?) {
        self.writtenWords = writtenWords
        floats = text.hasPrefix("…")
        var parts: [Part] = []
        var rest = (floats ? text.dropFirst() : text[...])
        // Bytes: looking for whole characters would take most of the time of making the rows.
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            if open > rest.startIndex { parts.append(.words(String(rest[..<open]))) }
            parts.append(.place(String(rest[rest.utf8.index(after: open)..<close])))
            rest = rest[rest.utf8.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.words(String(rest))) }
        self.parts = parts
    }

    /// The fixed text that is likely to be the rarest in other programs' output: a long one, or one with the name of SSH or SFTP. Every
    /// matching line contains it.
    var rarestWords: String {
        texts.max { Self.rarity(of: $0) < Self.rarity(of: $1) } ?? ""
    }

    /// Whether every match begins with the rarest text, at the start of a line or after a log's prefix.
    var beginsWithRarest: Bool {
        if floats { return false }
        if case .words(let words)? = parts.first { return words == rarestWords }
        return false
    }

    private var texts: [String] { parts.compactMap { part in if case .words(let words) = part { words } else { nil } } }

    private static func rarity(of words: String) -> Int {
        words.utf8.count + (words.mentions("ssh") || words.mentions("sftp") ? 8 : 0)
    }

    /// The values of the placeholders; nil if the line does not match.
    func match(_ line: String) -> [String: String]? { find(line)?.values }

    /// The values of the placeholders, and the rest of the line after the message. There is no rest if the template ends with a
    /// placeholder.
    func find(_ line: String) -> (values: [String: String], rest: Substring)? {
        guard case .words(let opening)? = parts.first else { return fill(line[...], parts[...]) }
        var search = line[...]
        while let range = search.firstPlace(of: opening) {
            let isHere =
                floats
                ? !Self.isQuoted(line[..<range.lowerBound], line[range.upperBound...])
                : range.lowerBound == line.startIndex || Self.endsPrefix(line[..<range.lowerBound])
            if isHere {
                // If the rest does not match here, it does not match later either.
                return fill(line[range.upperBound...], parts.dropFirst())
            }
            search = search[range.upperBound...]
        }
        return nil
    }

    private func fill(_ text: Substring, _ parts: ArraySlice<Part>) -> (values: [String: String], rest: Substring)? {
        var values: [String: String] = [:]
        var rest = text
        var place: String?
        for part in parts {
            switch part {
            case .place(let name): place = name
            case .words(let words):
                guard let range = rest.firstPlace(of: words) else { return nil }
                if let name = place { values[name] = String(rest[..<range.lowerBound]) }
                place = nil
                rest = rest[range.upperBound...]
            }
        }
        guard let name = place else { return (values, rest) }
        values[name] = String(rest)
        return (values, "")
    }

    /// Whether a sentence quotes the text between these parts: `hints for "Connection refused" above apply here too`.
    private static func isQuoted(_ before: Substring, _ rest: Substring) -> Bool {
        guard let mark = before.utf8.last, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") || mark == UInt8(ascii: "`"),
            !opensQuote(before.dropLast()), let end = rest.utf8.firstIndex(of: mark)
        else { return false }
        var behind = rest.utf8[rest.utf8.index(after: end)...]
        if behind.first == UInt8(ascii: ",") { behind = behind.dropFirst() }
        return behind.first == UInt8(ascii: " ") && behind.dropFirst().first.map { (0x61...0x7A).contains($0) } == true
    }

    /// The line without the text that a sentence quotes: `It says "Connection refused" and ends.`
    static func withoutQuotations(_ line: String) -> String {
        var line = line
        for mark in ["\"", "'", "`"] {
            var search = line[...]
            while let open = search.firstPlace(of: mark), let close = search[open.upperBound...].firstPlace(of: mark) {
                let words = search[open.upperBound..<close.lowerBound]
                if words.contains(" "), isQuoted(line[..<open.upperBound], line[open.upperBound...]) {
                    line.removeSubrange(open.lowerBound..<close.upperBound)
                    search = line[...]
                } else {
                    search = search[close.upperBound...]
                }
            }
        }
        return line
    }

    /// Whether a message may begin after this text: `backup[412]: `, `2026-11-21T04:00:00Z `, `[web1] `, `web1 | `, `stderr=`,
    /// `"msg": "`, or after another line that was joined to it.
    static func endsPrefix(_ text: Substring) -> Bool {
        guard let last = text.utf8.last else { return false }
        switch last {
        // Buildkite ends a line's time with BEL.
        case UInt8(ascii: "\t"), 0x07, UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: ">"):
            return true
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return opensQuote(text.dropLast())
        case UInt8(ascii: " "): break
        // `ERROR:root:`, as Python's logging writes it.
        case UInt8(ascii: ":"): return levels.contains(String(text.prefix { $0 != ":" })) && !text.contains(" ")
        // A tab, as rsyslog writes it.
        default: return text.hasSuffix("#011")
        }
        guard let end = text.utf8.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return false }
        let before = text[...end].last ?? " "
        if ":]|><Z│}.)-;[!*#$".contains(before) || before.isNumber { return true }
        // `❌ Host key verification failed.`
        if !before.isASCII { return !before.isLetter }
        let opening = text.utf8[..<end].lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return levels.contains(String(text[(opening.map { text.utf8.index(after: $0) } ?? text.startIndex)...end]))
    }

    /// The names of log levels and streams, and the ends of times.
    private static let levels: Set<String> = [
        "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "FATAL", "CRITICAL", "ERR", "Error", "error", "err", "stderr", "STDERR",
        "out",
        "stdout", "E", "W", "I", "F", "SEVERE", "NOTICE", "00E", "00O", "01E", "01O", "AM", "PM", "UTC", "GMT",
    ]

    /// Whether a quotation mark after this text begins a value, and not a quotation in a sentence.
    private static func opensQuote(_ text: Substring) -> Bool {
        var text = text
        // Python writes bytes as b'…', JSON within JSON a mark as \".
        while let last = text.last, last == "\\" || last == "b" { text.removeLast() }
        let isTight = text.last.map { ":=(,[{>".contains($0) } ?? true
        while text.last == " " { text.removeLast() }
        return isTight || text.last.map { ":=,>".contains($0) } ?? true
    }
}
