/// A line of standard error, cut where error messages are jointed: at colons, and at quotation marks in any language.
struct RemoteLine: Sendable {
    /// Something in quotation marks.
    struct Quote: Sendable {
        /// Where it stands, the marks included.
        let range: Range<Int>
        /// What stands inside, a shell's escapes undone.
        let content: String
    }

    let characters: [Character]
    /// `characters`, each in lower case, so that offsets carry over.
    let lower: [Character]
    let quotes: [Quote]

    /// No error message worth reading is longer; a program can print lines of any length.
    private static let limit = 4096

    init(_ text: String) {
        characters = Array(RemoteLogPrefix.body(of: text).prefix(Self.limit))
        lower = characters.map { $0.lowercased().first ?? $0 }
        quotes = RemoteQuotes.all(in: characters)
    }

    /// The text of a range.
    func text(_ range: Range<Int>) -> String { String(characters[range]) }

    /// The first quoted piece that begins in a range.
    func quote(in range: Range<Int>) -> Quote? { quotes.first { range.contains($0.range.lowerBound) } }

    /// Whether the character at an offset stands in quotation marks.
    func isQuoted(_ offset: Int) -> Bool { quotes.contains { $0.range.contains(offset) } }

    /// The pieces between colons, blanks off. A colon counts before a blank or the end, the full-width one always, none in quotes.
    func segments(in range: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = range.lowerBound
        for offset in range where isJoint(offset) {
            found.append(start..<offset)
            start = offset + 1
        }
        found.append(start..<range.upperBound)
        return found.map(trimmed).filter { !$0.isEmpty }
    }

    /// A range without the blanks at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, characters[first].isWhitespace { range = (first + 1)..<range.upperBound }
        while let last = range.last, characters[last].isWhitespace { range = range.lowerBound..<last }
        return range
    }

    private func isJoint(_ offset: Int) -> Bool {
        guard !isQuoted(offset) else { return false }
        if characters[offset] == "：" { return true }
        guard characters[offset] == ":" else { return false }
        return offset + 1 == characters.count || characters[offset + 1].isWhitespace
    }
}

/// Finds what stands in quotation marks, in all the ways in which programs and languages quote.
enum RemoteQuotes {
    private static let marks: [Character: Set<Character>] = [
        "'": ["'"], "\"": ["\""], "`": ["'", "`"], "‘": ["’"], "“": ["”"], "«": ["»"], "»": ["«"], "„": ["“", "”"], "‚": ["‘"],
        "「": ["」"], "『": ["』"], "‹": ["›"], "›": ["‹"], "＂": ["＂"], "《": ["》"],
    ]

    /// In order, none inside of another.
    static func all(in text: [Character]) -> [RemoteLine.Quote] {
        var found: [RemoteLine.Quote] = []
        var offset = 0
        while offset < text.count {
            if let quote = quote(in: text, at: offset) {
                found.append(quote)
                offset = quote.range.upperBound
            } else {
                offset += 1
            }
        }
        return found
    }

    private static func quote(in text: [Character], at start: Int) -> RemoteLine.Quote? {
        guard let closing = marks[text[start]], mayOpen(text, start) else { return nil }
        var end = start + 1
        while end < text.count, !(closing.contains(text[end]) && mayClose(text, end)) { end += 1 }
        guard end < text.count else { return nil }
        var content = String(text[(start + 1)..<end])
        // French marks hold blanks inside.
        if text[start] != "'", text[start] != "\"" { content = content[...].trimmingBlanks }
        end += 1
        if text[start] == "'" { join(text, &content, &end) }
        return content.isEmpty ? nil : RemoteLine.Quote(range: start..<end, content: content)
    }

    /// GNU programs quote as a shell does: `'a'$'\t''b'` is one name.
    private static func join(_ text: [Character], _ content: inout String, _ end: inout Int) {
        while end < text.count {
            let escapes = text[end...].starts(with: ["$", "'"])
            guard escapes || text[end] == "'" else { return }
            let start = end + (escapes ? 2 : 1)
            guard let close = text[start...].firstIndex(of: "'") else { return }
            let piece = Array(text[start..<close])
            content += escapes ? unescaped(piece) : String(piece)
            end = close + 1
        }
    }

    private static func unescaped(_ text: [Character]) -> String {
        let simple: [Character: UInt8] = ["a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "e": 27]
        var bytes: [UInt8] = []
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.first else {
                bytes += Array(String(character).utf8)
                continue
            }
            let digits = rest.prefix(3).prefix { ("0"..."7").contains($0) }
            if let value = UInt8(String(digits), radix: 8) {
                bytes.append(value)
                rest = rest.dropFirst(digits.count)
            } else {
                bytes += simple[next].map { [$0] } ?? Array(String(next).utf8)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An opening mark begins a word, so that the one of `can't` is none; text without spaces needs none before it.
    private static func mayOpen(_ text: [Character], _ offset: Int) -> Bool {
        guard offset > 0, "'\"`»›".contains(text[offset]) else { return true }
        let previous = text[offset - 1]
        return previous.isWhitespace || "(:=,[{<".contains(previous) || !previous.isASCII
    }

    private static func mayClose(_ text: [Character], _ offset: Int) -> Bool {
        guard text[offset] == "'", offset + 1 < text.count else { return true }
        return !(text[offset + 1].isLetter && text[offset + 1].isASCII || text[offset + 1].isNumber)
    }
}

/// What logging puts before a message.
enum RemoteLogPrefix {
    /// The message: without a time and a level in front, or what `msg="…"` of a structured line holds.
    static func body(of line: String) -> String {
        for key in ["msg=\"", "\"msg\":\"", "\"message\":\"", "\"error\":\""] {
            if let start = line.firstRange(of: key), let end = line[start.upperBound...].firstIndex(of: "\"") {
                return String(line[start.upperBound..<end])
            }
        }
        var rest = line[...]
        while let word = rest.split(separator: " ", maxSplits: 1).first, isPrefix(word), word.endIndex < rest.endIndex {
            rest = rest[word.endIndex...].drop { $0 == " " }
        }
        return String(rest)
    }

    private static func isPrefix(_ word: Substring) -> Bool {
        let levels: Set<String> = [
            "INFO", "ERROR", "ERRO", "ERR", "WARN", "WARNING", "FATAL", "CRITICAL", "PANIC", "E:", "W:", "N:", "ERR!", "npm", "error",
        ]
        let bare = word.trimmingPrefix("[").prefix { $0 != "]" }
        if levels.contains(String(bare)) { return true }
        return bare.count >= 8 && bare.first?.isNumber == true
            && bare.allSatisfy { $0.isASCII && ($0.isNumber || "-/:.,TZ+".contains($0)) }
    }
}

extension Substring {
    /// Without blanks around it.
    var trimmingBlanks: String {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
