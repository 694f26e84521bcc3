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

    /// What stands in the places; nil where the line says something else.
    func match(_ line: String) -> [String: String]? {
        guard case .words(let opening)? = parts.first else { return fill(line[...], parts[...]) }
        var search = line[...]
        while let range = search.firstRange(of: opening) {
            if floats || range.lowerBound == line.startIndex || Self.endsPrefix(line[..<range.lowerBound]) {
                if let values = fill(line[range.upperBound...], parts.dropFirst()) { return values }
            }
            search = search[range.upperBound...]
        }
        return nil
    }

    private func fill(_ text: Substring, _ parts: ArraySlice<Part>) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = text
        var place: String?
        for part in parts {
            switch part {
            case .place(let name): place = name
            case .words(let words):
                guard let range = rest.firstRange(of: words) else { return nil }
                if let name = place {
                    values[name] = String(rest[..<range.lowerBound])
                } else if range.lowerBound != rest.startIndex {
                    return nil
                }
                place = nil
                rest = rest[range.upperBound...]
            }
        }
        if let name = place { values[name] = String(rest) }
        return values
    }

    /// Whether a message may begin after this: `backup[412]: `, `2026-11-21T04:00:00Z `, `[web1] `, `web1 | `.
    private static func endsPrefix(_ text: Substring) -> Bool {
        [": ", "] ", "| ", "> ", "Z ", "\t", "\""].contains { text.hasSuffix($0) }
            || text.last == " " && text.dropLast().last?.isNumber == true
    }
}
