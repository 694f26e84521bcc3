extension TerminalText {
    /// A text that others wrote, as a value that says what they said and does nothing: escaped as ``escape(_:)`` does, and cut.
    ///
    /// - Parameters:
    ///   - limit: the greatest number of UTF-8 bytes that is taken of the text; escapes may make it longer.
    ///   - keepsLines: whether line feeds stay; else they become spaces, as in a sentence or a name.
    package static func inert(_ text: String, limit: Int, keepsLines: Bool = false) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) || keepsLines && $0 == 0x0A }) {
            return text
        }
        let isCut = text.utf8.count > limit
        let start = isCut ? String(text[..<text.utf8.index(text.startIndex, offsetBy: limit)]) + "…" : text
        let escaped = escape(start)
        return keepsLines ? escaped : escaped.replacing("\n", with: " ")
    }
}
