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

extension Substring {
    /// Without blanks around it.
    var trimmingBlanks: String {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
