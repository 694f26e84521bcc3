/// Finds the words of the C library in a line, where they say what happened and are not merely mentioned.
enum RemoteWording {
    /// A wording that was found.
    struct Match: Sendable {
        let trouble: RemoteTrouble
        /// Where it stands, quotation marks around it included.
        let range: Range<Int>
        let isPredicate: Bool
    }

    /// The words that say what happened: bounded on both sides as reasons are. The last such words count, because what stands
    /// before them is a name; but zsh gives the reason first.
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

    /// Where words stand that say what happened; nil where they are only mentioned.
    private static func reason(_ range: Range<Int>, _ kind: RemoteTrouble.Wording.Kind, in line: RemoteLine) -> Range<Int>? {
        guard let quote = line.quotes.first(where: { $0.range.dropFirst().contains(range.lowerBound) }) else {
            guard ends(range.upperBound, kind, in: line) else { return nil }
            if kind == .predicate { return RemotePath.subject(in: line, before: range.lowerBound) == nil ? nil : range }
            return begins(range.lowerBound, kind, in: line) ? range : nil
        }
        // Perl's autodie and Rust's debug form quote the reason as a whole, and nothing but it.
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
        // Columns are set apart by blanks.
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
