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
