import SSHFailure

/// Finds, in one pass over a line's bytes, the rows that could match it and the other rules whose words occur in it.
///
/// Nearly every line of a log has no such words and costs no more than this pass. A hit is a candidate, not a verdict.
final class TranscriptScreen: Sendable {
    static let shared = TranscriptScreen(rows: TranscriptRows.all, others: ScreenWord.others)
    /// The rows of OpenSSH's ssh alone, for a log that only ssh writes. Making all would cost a run more than the rest of it. A
    /// log has few lines, so shorter words, which match more lines, cost less than a larger table of longer words.
    static let openSSH = TranscriptScreen(rows: TranscriptRows.openSSHClient, others: ScreenWord.accounts, wordLength: 8)

    typealias Bytes = WordAutomaton.Bytes

    /// The result of the pass over a line.
    enum ScreenResult: Sendable {
        /// No known words: the line is not a client's.
        case nothing
        /// The line is noise.
        case noise
        /// The line must be read.
        case words
    }

    private let words: [ScreenWord]
    private let automaton: WordAutomaton
    let rows: [TranscriptRow]

    /// - Parameter wordLength: how many bytes of each word are searched for.
    init(rows: [TranscriptRow], others: [ScreenWord], wordLength: Int = ScreenWord.maximumLength) {
        words = ScreenWord.all(of: rows) + others
        automaton = WordAutomaton(words.map { $0.bytes(wordLength) })
        self.rows = rows
    }

    var noCandidates: CandidateRows { CandidateRows(rows: rows.count) }

    /// Examines a trimmed line. The rows whose words occur in it become candidates.
    func look(at line: Bytes, _ candidates: inout CandidateRows, _ marks: inout LineMarks) -> ScreenResult {
        marks = []
        var (found, noise) = (false, false)
        var offset = 0
        var state: WordAutomaton.Mark = 0
        while let end = automaton.nextEnd(in: line, from: offset, &state) {
            offset = end
            for ending in automaton.endings(at: state) {
                let word = words[ending.word]
                if word.opensLine, ending.length != end { continue }
                if word.row != nil, !word.isWritten(in: line, endingAt: end, ending.length) { continue }
                marks.formUnion(word.marks)
                if word.onlyMarks { continue }
                if word.isNoise { noise = true } else { found = true }
                if let row = word.row { candidates.insert(row) }
            }
        }
        return found ? .words : noise ? .noise : .nothing
    }

    /// The first line to read, from an offset that is the beginning of a line; nil if there is none.
    func nextLine(in block: Bytes, from start: Int) -> Range<Int>? {
        var offset = start
        var state: WordAutomaton.Mark = 0
        while let end = automaton.nextEnd(in: block, from: offset, &state) {
            offset = end
            if automaton.endings(at: state).contains(where: { counts($0, in: block, start, end) }) {
                return Self.line(around: end - 1, in: block, from: start)
            }
        }
        return nil
    }

    private func counts(_ ending: WordAutomaton.WordEnd, in block: Bytes, _ start: Int, _ end: Int) -> Bool {
        let word = words[ending.word]
        if word.onlyMarks { return false }
        if word.isNoise {
            // A brace alone on a line may begin a result.
            guard word.text == "{", end == block.count || Self.endsLine(block[end]) else { return false }
        }
        var before = end - ending.length
        if word.row != nil {
            return word.isWritten(in: block, endingAt: end, ending.length)
                && (!word.opensMessage || Self.mayBegin(at: before, in: block, from: start))
        }
        guard word.opensLine else { return true }
        while before > start, block[before - 1] == 0x20 || block[before - 1] == 0x09 { before -= 1 }
        return before == start || Self.endsLine(block[before - 1])
    }

    /// The longest prefix that is examined. Behind a longer one any word counts, so that a line of many words takes no longer.
    private static let maximumPrefix = 256

    /// Whether a message may begin at this place of a line. Terminal codes, marks of pages and escaped line ends count as
    /// beginnings; they are read later.
    private static func mayBegin(at first: Int, in block: Bytes, from start: Int) -> Bool {
        let bound = max(start, first - maximumPrefix)
        let opening = lineStart(first, in: block, from: bound)
        if opening == bound, bound > start { return true }
        let before = Bytes(rebasing: block[opening..<first])
        guard let last = before.last, !before.withoutOuterBlanks.isEmpty else { return true }
        if last >= 0x80 || last == UInt8(ascii: "*") || last == UInt8(ascii: "+") || before.contains(0x1B) { return true }
        if before.count > 1, before[before.count - 2] == UInt8(ascii: "\\") { return true }
        return TranscriptTemplate.endsPrefix(String(decoding: before, as: UTF8.self)[...])
    }

    /// Where the line of a place begins, but not before `start`.
    static func lineStart(_ index: Int, in block: Bytes, from start: Int) -> Int {
        var first = index
        while first > start, !endsLine(block[first - 1]) { first -= 1 }
        return first
    }

    static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func line(around index: Int, in block: Bytes, from start: Int) -> Range<Int> {
        var last = index
        while last < block.count, !endsLine(block[last]) { last += 1 }
        return lineStart(index, in: block, from: start)..<last
    }
}

/// A word that the screen looks for.
struct ScreenWord: Sendable {
    let text: String
    /// Whether it counts only at the beginning of a line.
    var opensLine = false
    /// Whether the word marks the line as noise.
    var isNoise = false
    /// The row of the word; nil for a word of another rule.
    var row: Int?
    /// Whether the row's message begins with the word, and so do a line or what follows a log's prefix.
    var opensMessage = false
    /// The rule that needs the word.
    var marks: LineMarks = []
    /// Whether the word only sets marks, and does not make the line worth reading.
    var onlyMarks = false

    /// The number of bytes of a word to search for: enough to be rare.
    static let maximumLength = 16

    init(
        _ text: String, opensLine: Bool = false, isNoise: Bool = false, row: Int? = nil, _ marks: LineMarks = [],
        onlyMarks: Bool = false
    ) {
        (self.marks, self.onlyMarks) = (marks, onlyMarks)
        self.text = text
        self.opensLine = opensLine
        // Only the beginning of a longer word is searched for.
        self.isNoise = isNoise && text.utf8.count <= Self.maximumLength
        self.row = row
    }

    /// Whether the text has the word in its own letters, as rows compare it.
    func isWritten(in text: UnsafeBufferPointer<UInt8>, endingAt end: Int, _ length: Int) -> Bool {
        var offset = end - length
        for byte in self.text.utf8.prefix(length) {
            if text[offset] != byte { return false }
            offset += 1
        }
        return true
    }

    func bytes(_ length: Int) -> [UInt8] { Array(text.utf8.prefix(length)) }

    /// The words of the rows.
    static func all(of rows: [TranscriptRow]) -> [Self] {
        rows.enumerated().map { index, row in
            var word = ScreenWord(row.template.rarestWords, row: index)
            word.opensMessage = row.template.beginsWithRarest
            return word
        }
            + rows.compactMap { $0.template.writtenWords.map { ScreenWord($0) } }
    }

    /// The words of the other rules.
    static let others: [Self] = noiseWords + ruleWords + LogLine.words.map { Self($0) }

    /// A server's message about an account in keyboard-interactive, which ssh logs (sshconnect2.c: input_userauth_info_req).
    static let accounts: [Self] =
        (AccountTexts.denied + AccountTexts.closed + AccountTexts.passwordExpired).map { Self($0, .telling) }

    private static let noiseWords: [Self] =
        RemoteText.noise.map { Self($0, isNoise: true, .noise) }
        + RemoteText.noiseStarts.map { Self($0, opensLine: true, isNoise: true, .noise) }
        + [Self(RemoteText.nonZero, opensLine: true, .noise)]
        + RemoteText.tellingWarnings.map { Self($0, opensLine: true, .noise) }
        + NoiseLines.epilogueStarts.map { Self($0, opensLine: true, .noise) } + [Self(NoiseLines.epilogueEnd, .noise)]
        + AnsibleMessages.noiseStarts.map { Self($0, opensLine: true, isNoise: $0.count == 1, .noise) }
        + AnsibleMessages.noise.map { Self($0, .noise) }
        + AnsibleMessages.quoteEnds.map { Self($0) } + AnsibleMessages.quoteEndStarts.map { Self($0, opensLine: true) }
        + NoiseLines.leads.map { Self($0, opensLine: true, .noise) }
        + NoiseLines.explanations.map { Self($0, opensLine: true, .noise) }

    private static let ruleWords: [Self] =
        PythonTraceback.words.map { Self($0, .python) } + PythonTraceback.openings.map { Self($0, opensLine: true, .python) }
        + TranscriptFacts.reasonWords.map { Self($0, .telling) }
        + LibraryFamily.allCases.flatMap { $0.words.map { Self($0.text, .family) } }
        + UnknownClient.words.map { Self($0, .unknownClient) }
        + QuotedMessages.words.map { Self($0, .prose, onlyMarks: true) }
        + QuotedMessages.openings.map { Self($0, opensLine: true, .prose, onlyMarks: true) }
        + Echoes.words.map { Self($0, .echo, onlyMarks: true) }
}

/// The rows that could match a line, as a set of bits.
struct CandidateRows: Sendable {
    private var words: [UInt64]
    private var isEmpty = true

    init(rows: Int) { words = Array(repeating: 0, count: (rows + 63) / 64) }

    mutating func insert(_ row: Int) {
        words[row >> 6] |= 1 << UInt64(row & 63)
        isEmpty = false
    }

    mutating func removeAll() {
        guard !isEmpty else { return }
        for index in words.indices { words[index] = 0 }
        isEmpty = true
    }

    /// Whether the set is empty.
    var isNone: Bool { isEmpty }

    /// The first candidate at or after a row.
    func next(from row: Int) -> Int? {
        guard !isEmpty, row >> 6 < words.count else { return nil }
        var index = row >> 6
        var rest = words[index] & (~0 << UInt64(row & 63))
        while rest == 0 {
            index += 1
            guard index < words.count else { return nil }
            rest = words[index]
        }
        return index << 6 + rest.trailingZeroBitCount
    }
}
