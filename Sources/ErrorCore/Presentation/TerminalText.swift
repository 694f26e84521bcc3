/// Text for a terminal: made harmless, measured and folded.
public enum TerminalText {
    /// The text with everything visible that could move the cursor, change colours or reorder what is read: control
    /// characters (ECMA-48 C0 and C1) but the line feed, and the bidirectional and invisible format characters.
    ///
    /// CR LF becomes a line feed and a tab one space.
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

    /// Whether a terminal only shows it.
    package static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x20...0x7E: true
        case 0..<0xA0: false
        // The joiners that emoji and Indic and Persian words are written with.
        case 0x200C, 0x200D: true
        case 0x2028, 0x2029: false
        case 0xA0..<0x300: scalar.value != 0xAD
        default: scalar.properties.generalCategory != .format && scalar.properties.generalCategory != .surrogate
        }
    }

    /// How many columns a text takes on one line, as terminals count: two for East Asian wide characters and emoji
    /// (Unicode Standard Annex 11), none for combining marks.
    public static func columns(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    static func columns(_ character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
        var widest = 0
        for scalar in character.unicodeScalars {
            // VARIATION SELECTOR-16 asks for the emoji form, which is wide.
            if scalar.value == 0xFE0F { return 2 }
            widest = max(widest, EastAsianWidth.columns(scalar))
        }
        return widest
    }
}
