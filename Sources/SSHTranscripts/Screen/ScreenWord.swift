/// A word that the screen looks for.
struct ScreenWord: Sendable {
    let text: String
    /// Whether it counts only where the line begins.
    var opens = false
    /// Whether it alone makes the line noise.
    var isNoise = false
    /// The row whose words these are; nil for a word of another rule.
    var row: Int?
    /// The rule of which the word is.
    var marks: LineMarks = []
    /// Whether the word alone is no reason to read the line.
    var onlyMarks = false

    /// How much of a word is looked for: enough to be rare.
    static let longest = 16

    init(
        _ text: String, opens: Bool = false, isNoise: Bool = false, row: Int? = nil, _ marks: LineMarks = [],
        onlyMarks: Bool = false
    ) {
        (self.marks, self.onlyMarks) = (marks, onlyMarks)
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
    static let others: [Self] = asides + texts + LogLine.words.map { Self($0) }

    private static let asides: [Self] =
        RemoteText.noise.map { Self($0, isNoise: true, .aside) }
        + RemoteText.noiseStarts.map { Self($0, opens: true, isNoise: true, .aside) }
        + RemoteText.tellingWarnings.map { Self($0, opens: true, .aside) }
        + Asides.epilogueStarts.map { Self($0, opens: true, .aside) } + [Self(Asides.epilogueEnd, .aside)]
        + AnsibleWords.noiseStarts.map { Self($0, opens: true, isNoise: $0.count == 1, .aside) }
        + AnsibleWords.noise.map { Self($0, .aside) }
        + AnsibleWords.quoteEnds.map { Self($0) } + AnsibleWords.quoteEndStarts.map { Self($0, opens: true) }
        + Asides.leads.map { Self($0, opens: true, .aside) }
        + Asides.explanations.map { Self($0, opens: true, .aside) }

    private static let texts: [Self] =
        PythonTraceback.words.map { Self($0, .python) } + PythonTraceback.openings.map { Self($0, opens: true, .python) }
        + TranscriptFacts.tellingWords.map { Self($0, .telling) }
        + SpeakerFamily.allCases.flatMap { $0.words.map { Self($0.text, .family) } }
        + AnyClient.words.map { Self($0, .anyClient) }
        + Prose.words.map { Self($0, .prose, onlyMarks: true) }
        + Prose.openings.map { Self($0, opens: true, .prose, onlyMarks: true) }
        + Echoes.words.map { Self($0, .echo, onlyMarks: true) }
}
