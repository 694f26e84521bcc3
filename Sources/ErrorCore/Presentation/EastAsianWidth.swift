/// The width of a scalar on a terminal, after Unicode Standard Annex 11.
enum EastAsianWidth {
    /// The blocks whose characters are wide or full-width, besides the emoji that the standard library knows.
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
        // Vowels and final consonants of Hangul join the syllable before them.
        if (0x1160...0x11FF).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wideBlocks.contains { $0.contains(value) } ? 2 : 1
    }
}
