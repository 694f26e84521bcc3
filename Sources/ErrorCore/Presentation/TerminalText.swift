/// Escapes, measures and folds text for a terminal.
public enum TerminalText {
    /// Makes visible every character that could move the cursor, change colours or reorder the text: control characters (ECMA-48
    /// C0 and C1) except the line feed, and bidirectional and invisible format characters.
    ///
    /// CR LF becomes a line feed, and a tab becomes a space.
    public static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { !isHarmless($0) }) else { return text }
        var output = ""
        var afterReturn = false
        for scalar in text.unicodeScalars {
            if afterReturn, scalar != "\n" { output += "\\x0d" }
            afterReturn = scalar == "\r"
            if scalar == "\t" {
                output += " "
            } else if isHarmless(scalar) {
                output.unicodeScalars.append(scalar)
            } else if scalar != "\r" {
                let digits = String(scalar.value, radix: 16)
                output += scalar.value < 0x100 ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
            }
        }
        return afterReturn ? output + "\\x0d" : output
    }

    /// Whether a terminal displays the character and does nothing else.
    package static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x20...0x7E: true
        case 0..<0xA0: false
        // The joiners that emoji and Indic and Persian words need.
        case 0x200C, 0x200D: true
        case 0x2028, 0x2029: false
        case 0xA0..<0x300: scalar.value != 0xAD
        default: scalar.properties.generalCategory != .format && scalar.properties.generalCategory != .surrogate
        }
    }

    /// The width of one line of text in columns, as terminals count: two for East Asian wide characters and emoji (Unicode
    /// Standard Annex 11), none for combining marks.
    public static func columns(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    static func columns(_ character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
        var widest = 0
        for scalar in character.unicodeScalars {
            // VARIATION SELECTOR-16 selects the emoji form, which is wide.
            if scalar.value == 0xFE0F { return 2 }
            widest = max(widest, EastAsianWidth.columns(scalar))
        }
        return widest
    }
}

extension TerminalText {
    /// The text in ASCII only. Typographic signs become their ASCII equivalents; other characters become escapes such as
    /// `\u{e9}`.
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

extension TerminalText {
    /// Escapes and cuts text from an untrusted source, so that a terminal only displays it.
    ///
    /// - Parameters:
    ///   - limit: the greatest number of UTF-8 bytes taken from the text; escapes may make the result longer.
    ///   - keepsLines: whether to keep line feeds; otherwise they become spaces.
    package static func inert(_ text: String, limit: Int, keepsLines: Bool = false) -> String {
        if text.utf8.count <= limit, isPlain(text, keepsLines) { return text }
        let isCut = text.utf8.count > limit
        let start = isCut ? String(text[..<text.utf8.index(text.startIndex, offsetBy: limit)]) + "…" : text
        let escaped = escape(start)
        return keepsLines ? escaped : escaped.replacing("\n", with: " ")
    }

    /// Whether all characters are printable ASCII. This test is fast, and nearly every text passes it.
    private static func isPlain(_ text: String, _ keepsLines: Bool) -> Bool {
        let lineFeed: UInt8 = keepsLines ? 0x0A : 0x20
        let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.reduce(into: true) { $0 = $0 && (($1 >= 0x20 && $1 <= 0x7E) || $1 == lineFeed) }
        }
        return isPlain ?? text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == lineFeed }
    }
}

/// The width of a scalar on a terminal (Unicode Standard Annex 11).
enum EastAsianWidth {
    /// The blocks of wide and full-width characters, besides the emoji that the standard library knows.
    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initial consonants
        0x2329...0x232A,  // angle brackets
        0x2E80...0x303E,  // CJK radicals, Kangxi, ideographic punctuation
        0x3041...0x3247,  // Kana, Bopomofo, Hangul compatibility, enclosed CJK
        0x3250...0x4DBF,  // CJK compatibility, extension A
        0x4DC0...0x4DFF,  // hexagrams, wide since Unicode 16
        0x4E00...0xA4CF,  // CJK unified ideographs, Yi
        0xA960...0xA97F,  // Hangul extended A
        0xAC00...0xD7A3,  // Hangul syllables
        0xF900...0xFAFF,  // CJK compatibility ideographs
        0xFE10...0xFE19,  // vertical forms
        0xFE30...0xFE6F,  // CJK compatibility and small forms
        0xFF01...0xFF60,  // full-width forms
        0xFFE0...0xFFE6,  // full-width signs
        0x16FE0...0x18DFF,  // Tangut, Khitan
        0x1AFF0...0x1B2FF,  // Kana extensions, Nüshu
        0x1F200...0x1F265,  // enclosed ideographs
        0x20000...0x3FFFD,  // supplementary ideographic planes
    ]

    static func columns(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        // Hangul vowels and final consonants join the preceding syllable.
        if (0x1160...0x11FF).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wideBlocks.contains { $0.contains(value) } ? 2 : 1
    }
}

extension TerminalText {
    /// Folds a text into lines of at most `width` columns. A line breaks at spaces and between East Asian characters, and inside
    /// a word only if the word is longer than a line. Line feeds are kept as breaks. A character wider than `width` gets its own
    /// line.
    ///
    /// A command in backquotes is never broken, so that it can be copied from the terminal. If it does not fit, it starts a new
    /// line, which may be longer than `width`.
    public static func fold(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { foldLine($0, width: max(1, width)) }
    }

    private static func foldLine(_ line: Substring, width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var used = 0
        for piece in pieces(of: line) {
            let needed = columns(piece)
            let blank = piece.allSatisfy { $0 == " " }
            if used + needed <= width {
                current += piece
                used += needed
                continue
            }
            // Drop the spaces at a break.
            if blank {
                if !current.isEmpty { lines.append(current.droppingTrailingSpaces) }
                (current, used) = ("", 0)
                continue
            }
            let head = current.droppingTrailingSpaces
            if !head.isEmpty { lines.append(head) }
            (current, used) = ("", 0)
            if piece.contains("`") {
                (current, used) = (String(piece), needed)
                continue
            }
            for character in piece {
                let wide = columns(character)
                if used + wide > width, !current.isEmpty {
                    lines.append(current)
                    (current, used) = ("", 0)
                }
                current.append(character)
                used += wide
            }
        }
        let tail = current.droppingTrailingSpaces
        return tail.isEmpty && !lines.isEmpty ? lines : lines + [tail]
    }

    /// The pieces of a line; it can be broken between them.
    private static func pieces(of line: Substring) -> [Substring] {
        var result: [Substring] = []
        var start = line.startIndex
        var previous: Character?
        var isCommand = false
        for index in line.indices {
            let character = line[index]
            if !isCommand, let last = previous, mayBreak(between: last, and: character) {
                result.append(line[start..<index])
                start = index
            }
            if character == "`" { isCommand = !isCommand && isClosed(line[index...]) }
            previous = character
        }
        if start < line.endIndex { result.append(line[start...]) }
        return result
    }

    /// Whether the backquote at the start has its partner within the length of a command.
    private static func isClosed(_ text: Substring) -> Bool { text.dropFirst().prefix(maximumCommandLength).contains("`") }

    private static let maximumCommandLength = 1000

    private static func mayBreak(between left: Character, and right: Character) -> Bool {
        if (left == " ") != (right == " ") { return true }
        if left == " " { return false }
        // A closing mark cannot begin a line, and an opening mark cannot end one.
        if "、。，．！？：；）」』】》〉”’…ー".contains(right) || "（「『【《〈“‘".contains(left) { return false }
        return columns(left) == 2 || columns(right) == 2
    }
}

extension String {
    fileprivate var droppingTrailingSpaces: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}

/// A terminal line that is redrawn in place.
///
/// The cursor stays in the first column. When the window shrinks, some terminals (tmux, VTE, kitty, iTerm) fold the line into
/// several rows, others (xterm) cut it; both keep the cursor at its first character. So erasing from the cursor removes the whole
/// line, however many rows it has, and nothing above it.
package enum ProgressLine {
    /// Draws a line over the previous one. It must fit the window.
    package static func drawn(_ text: String) -> String { "\r" + text + eraseRest + "\r" }

    /// Erases the line.
    package static let erased = "\r" + eraseRest

    /// Erases from the cursor to the end of the screen (ECMA-48, ED 0).
    private static let eraseRest = "\u{1B}[J"
}
