extension TerminalText {
    /// The text for a terminal that shows nothing but ASCII: typographic signs by what they are typed as, and any other
    /// character as its number, as in `\u{e9}`.
    public static func ascii(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var output = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                output.unicodeScalars.append(scalar)
            } else if let typed = typed[scalar] {
                output += typed
            } else {
                output += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return output
    }

    private static let typed: [Unicode.Scalar: String] = [
        "\u{A0}": " ", "\u{202F}": " ", "–": "-", "—": "-", "−": "-", "‐": "-", "“": "\"", "”": "\"", "„": "\"", "‘": "'",
        "’": "'",
        "…": "...", "→": "->", "←": "<-", "×": "x", "±": "+-", "≥": ">=", "≤": "<=", "•": "*", "·": "*", "▲": "!", "✖": "x",
        "✔": "*", "■": "#", "│": "|", "─": "-", "█": "#",
    ]
}
