import ErrorCore
import Testing

@Suite struct TerminalTextTests {
    static let escapeRows: [(String, String)] = [
        ("plain – ünï 日本 👩‍👩‍👧", "plain – ünï 日本 👩‍👩‍👧"),
        ("\u{1B}[31mred\u{1B}[0m", "\\x1b[31mred\\x1b[0m"),
        ("\u{9B}31m\u{07}\u{7F}\u{00}", "\\x9b31m\\x07\\x7f\\x00"),
        ("a\tb\r\nc\rd\r", "a b\nc\\x0dd\\x0d"),
        ("abc\u{202E}gpj.exe", "abc\\u{202e}gpj.exe"),
        ("a\u{200B}b\u{2066}c\u{FEFF}\u{AD}\u{2028}", "a\\u{200b}b\\u{2066}c\\u{feff}\\xad\\u{2028}"),
    ]

    @Test("terminal escapes are removed", arguments: escapeRows) func escapes(_ text: String, _ safe: String) {
        #expect(TerminalText.escape(text) == safe)
    }

    @Test("no control character remains") func noControlCharacterIsEverLeft() {
        for value in UInt32(0)..<0x3000 {
            guard let scalar = Unicode.Scalar(value), value != 0x0A else { continue }
            let safe = TerminalText.escape("\(scalar)").unicodeScalars
            #expect(safe.allSatisfy { $0.properties.generalCategory != .control }, "U+\(String(value, radix: 16))")
        }
    }

    static let widthRows: [(String, Int)] = [
        ("abc", 3), ("日本語", 6), ("é", 1), ("e\u{301}", 1), ("👍", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("❤", 1), ("🇩🇪", 2),
        ("한국", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("ＡＢ", 4), ("ｱ", 1), ("→✖▲■•…“”", 8), ("", 0), ("⌚", 2), ("〈", 2),
    ]

    @Test("columns of a text", arguments: widthRows) func columns(_ text: String, _ columns: Int) {
        #expect(TerminalText.columns(text) == columns)
    }

    static let foldRows: [(text: String, width: Int, lines: [String])] = [
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 80, ["one two three"]),
        ("one  two", 4, ["one", "two"]),
        ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]),
        ("日本語の文", 4, ["日本", "語の", "文"]),
        ("日本語の文", 5, ["日本", "語の", "文"]),
        ("日本。語", 4, ["日", "本。", "語"]),
        ("a\n\nb", 10, ["a", "", "b"]),
        ("", 10, [""]),
        ("日", 1, ["日"]),
        ("ab 日本 cd", 5, ["ab 日", "本 cd"]),
        ("Run `ls -l /tmp` now.", 12, ["Run", "`ls -l /tmp`", "now."]),
        ("Run (`ls -l a`, `id`).", 12, ["Run", "(`ls -l a`,", "`id`)."]),
        ("a `b c d e f g` h", 5, ["a", "`b c d e f g`", "h"]),
        ("the ` alone here", 6, ["the `", "alone", "here"]),
    ]

    @Test("folding into lines", arguments: foldRows) func folds(_ text: String, _ width: Int, _ lines: [String]) {
        #expect(TerminalText.fold(text, width: width) == lines)
    }

    @Test(
        "in ASCII",
        arguments: [
            ("a – b “c” ‘d’ … → e", "a - b \"c\" 'd' ... -> e"), ("plain", "plain"), ("naïve\u{1F600}", "na\\u{ef}ve\\u{1f600}"),
            ("✔ ok\n", "* ok\n"), ("3 × 4 ≥ 5", "3 x 4 >= 5"),
        ])
    func inASCII(_ text: String, _ ascii: String) { #expect(TerminalText.ascii(text) == ascii) }

    @Test("folding keeps the text and the width") func foldingKeepsTheTextAndTheWidth() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("ab cd  日本。「」👍é\u{301}-/")
        for _ in 0..<500 {
            let text = String((0..<Int.random(in: 0...60, using: &generator)).compactMap { _ in alphabet.randomElement() })
            let width = Int.random(in: 2...20, using: &generator)
            let lines = TerminalText.fold(text, width: width)
            #expect(lines.allSatisfy { TerminalText.columns($0) <= width }, "\(text) at \(width)")
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        }
    }
}
