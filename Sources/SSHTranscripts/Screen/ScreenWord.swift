/// A word that the screen looks for.
struct ScreenWord: Sendable {
    let text: String
    /// Whether it counts only where the line begins.
    var opens = false
    /// Whether it alone makes the line noise.
    var isNoise = false
    /// The row whose words these are; nil for a word of another rule.
    var row: Int?

    /// How much of a word is looked for: enough to be rare.
    static let longest = 16

    init(_ text: String, opens: Bool = false, isNoise: Bool = false, row: Int? = nil) {
        self.text = text
        self.opens = opens
        // Of a longer word only the beginning is looked for.
        self.isNoise = isNoise && text.utf8.count <= Self.longest
        self.row = row
    }

    var bytes: [UInt8] { Array(text.utf8.prefix(Self.longest)) }

    /// The words of the rows.
    static func all(of rows: [TranscriptRow]) -> [Self] {
        rows.enumerated().map { ScreenWord($1.template.longestWords, row: $0) }
    }

    /// The words of the rules that are no rows.
    static let others: [Self] =
        RemoteText.noise.map { Self($0, isNoise: true) }
        + RemoteText.noiseStarts.map { Self($0, opens: true, isNoise: true) }
        + RemoteText.tellingWarnings.map { Self($0, opens: true) }
        + Asides.epilogueStarts.map { Self($0, opens: true) } + [Self(Asides.epilogueEnd)]
        + AnsibleWords.noiseStarts.map { Self($0, opens: true, isNoise: $0.count == 1) }
        + AnsibleWords.noise.map { Self($0) }
        + AnsibleWords.quoteEnds.map { Self($0) } + AnsibleWords.quoteEndStarts.map { Self($0, opens: true) }
        + Asides.leads.map { Self($0, opens: true) }
        + Asides.explanations.map { Self($0, opens: true) }
        + PythonTraceback.words.map { Self($0) } + PythonTraceback.openings.map { Self($0, opens: true) }
        + TranscriptFacts.tellingWords.map { Self($0) } + LogLine.words.map { Self($0) }
}
