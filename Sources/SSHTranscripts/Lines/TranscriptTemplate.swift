/// A message with places for what varies: `ssh: connect to host {host} port {port}: {reason}`.
///
/// A place takes as little as it can; the last one takes the rest of the line. A template that begins with `…` may stand
/// anywhere in a line, any other at its start or behind a log's own prefix.
struct TranscriptTemplate: Sendable {
    private enum Part: Sendable {
        case words(String)
        case place(String)
    }

    private let parts: [Part]
    private let floats: Bool

    init(_ text: String) {
        floats = text.hasPrefix("…")
        var parts: [Part] = []
        var rest = (floats ? text.dropFirst() : text[...])
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.words(String(rest[..<open]))) }
            parts.append(.place(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.words(String(rest))) }
        self.parts = parts
    }

    /// The longest of its fixed words, which stand in every line that it matches.
    var longestWords: String {
        let words = parts.compactMap { part in if case .words(let words) = part { words } else { nil } }
        return words.max { $0.utf8.count < $1.utf8.count } ?? ""
    }

    /// What stands in the places; nil where the line says something else.
    func match(_ line: String) -> [String: String]? { find(line)?.values }

    /// What stands in the places, and what the line says behind the message: nothing where it ends with a place.
    func find(_ line: String) -> (values: [String: String], rest: Substring)? {
        guard case .words(let opening)? = parts.first else { return fill(line[...], parts[...]) }
        var search = line[...]
        while let range = search.firstPlace(of: opening) {
            if floats || range.lowerBound == line.startIndex || Self.endsPrefix(line[..<range.lowerBound]) {
                // What does not follow here follows nowhere later either.
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

    /// Whether a message may begin after this: `backup[412]: `, `2026-11-21T04:00:00Z `, `[web1] `, `web1 | `, `stderr=`,
    /// `"msg": "`, and behind a line that was joined to it.
    static func endsPrefix(_ text: Substring) -> Bool {
        guard let last = text.utf8.last else { return false }
        switch last {
        case UInt8(ascii: "\t"), UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: ">"): return true
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return opensQuote(text.dropLast())
        case UInt8(ascii: " "): break
        default: return false
        }
        guard let before = text.dropLast().last else { return false }
        if ":]|>Z│}.)-;[".contains(before) || before.isNumber { return true }
        // `❌ Host key verification failed.`
        if !before.isASCII { return !before.isLetter }
        return levels.contains(String(text.split(whereSeparator: { $0 == " " || $0 == "\t" }).last ?? ""))
    }

    /// What logs call the importance of a line, and a stream that it came from.
    private static let levels: Set<String> = [
        "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "FATAL", "CRITICAL", "ERR", "Error", "error", "err", "stderr", "STDERR",
        "out",
        "stdout", "E", "W", "I", "F", "SEVERE", "NOTICE",
    ]

    /// Whether a quotation mark behind this is a value's and not that of a sentence which speaks of words.
    private static func opensQuote(_ text: Substring) -> Bool {
        var text = text
        // Python writes bytes as b'…', JSON within JSON a mark as \".
        while let last = text.last, last == "\\" || last == "b" { text.removeLast() }
        let isTight = text.last.map { ":=(,[{>".contains($0) } ?? true
        while text.last == " " { text.removeLast() }
        return isTight || text.last.map { ":=,>".contains($0) } ?? true
    }
}
