extension TerminalText {
    /// A text that others wrote, as a value that says what they said and does nothing: escaped as ``escape(_:)`` does, and cut.
    ///
    /// - Parameters:
    ///   - limit: the greatest number of UTF-8 bytes that is taken of the text; escapes may make it longer.
    ///   - keepsLines: whether line feeds stay; else they become spaces, as in a sentence or a name.
    package static func inert(_ text: String, limit: Int, keepsLines: Bool = false) -> String {
        if text.utf8.count <= limit, isPlain(text, keepsLines) { return text }
        let isCut = text.utf8.count > limit
        let start = isCut ? String(text[..<text.utf8.index(text.startIndex, offsetBy: limit)]) + "…" : text
        let escaped = escape(start)
        return keepsLines ? escaped : escaped.replacing("\n", with: " ")
    }

    /// Whether all characters are ASCII that shows; fast, as nearly every text of an error is.
    private static func isPlain(_ text: String, _ keepsLines: Bool) -> Bool {
        let lineFeed: UInt8 = keepsLines ? 0x0A : 0x20
        let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.reduce(into: true) { $0 = $0 && (($1 >= 0x20 && $1 <= 0x7E) || $1 == lineFeed) }
        }
        return isPlain ?? text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == lineFeed }
    }
}
