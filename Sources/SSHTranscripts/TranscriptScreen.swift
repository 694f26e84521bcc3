/// Tells by one pass over a line's bytes which rows could read it, and whether any other rule of the transcripts has words in it.
/// Nearly every line of a log has none, and costs no more than this pass.
///
/// The pass is that of Aho and Corasick (Communications of the ACM 18, 1975): all words at once, in a time that depends on the
/// line's length only. ASCII letters count without case, so that a hit is a candidate and no verdict.
final class TranscriptScreen: Sendable {
    static let shared = TranscriptScreen(rows: TranscriptReader.rows, others: OtherWords.all)

    /// Words to look for.
    struct Words: Sendable {
        let text: String
        /// Whether they count only where the line begins.
        let opens: Bool
        /// Whether they alone make the line noise, in letters of either case.
        let isNoise: Bool

        init(_ text: String, opens: Bool = false, isNoise: Bool = false) {
            self.text = text
            self.opens = opens
            // Of longer words only the beginning is looked for.
            self.isNoise = isNoise && text.utf8.count <= TranscriptScreen.longest
        }
    }

    /// What was found in a line.
    enum Sight: Sendable {
        /// Nothing: the line is none of the client's.
        case nothing
        /// The line is noise.
        case noise
        /// It has to be read.
        case words
    }

    /// The rows that could read a line, as bits.
    struct Candidates: Sendable {
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

        /// The first of them from a row on.
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

    /// How much of a row's words is looked for: enough to be rare.
    private static let longest = 16
    /// Marks a transition into a state in which words end.
    private static let hit: UInt16 = 0x8000

    /// A pattern that ends in a state.
    private struct Ending {
        let length: Int
        let opens: Bool
        let isNoise: Bool
        /// The row whose words they are; nil for words of other rules.
        let row: Int?
    }

    /// The column of each byte in `transitions`; ASCII letters of both cases have one, and so have all bytes of no words.
    private let columns: [UInt8]
    private let width: Int
    private let transitions: [UInt16]
    private let endings: [[Ending]]
    private let rowCount: Int

    init(rows: [TranscriptRow], others: [Words]) {
        var patterns: [(bytes: [UInt8], ending: Ending)] = []
        func add(_ words: Words, row: Int? = nil) {
            let bytes = words.text.utf8.prefix(Self.longest).map(Self.folded)
            patterns.append((bytes, Ending(length: bytes.count, opens: words.opens, isNoise: words.isNoise, row: row)))
        }
        for (index, row) in rows.enumerated() { add(Words(row.template.longestWords), row: index) }
        for words in others { add(words) }
        precondition(patterns.allSatisfy { !$0.bytes.isEmpty }, "words that every line has")

        let columns = Self.columns(of: patterns.map(\.bytes))
        let width = Int(columns.max() ?? 0) + 1
        // First a tree of the words: 0 is no state yet, because nothing leads back to the root in a tree.
        var next = [UInt16](repeating: 0, count: width)
        var endings: [[Ending]] = [[]]
        for pattern in patterns {
            var state = 0
            for byte in pattern.bytes {
                let place = state * width + Int(columns[Int(byte)])
                if next[place] == 0 {
                    next[place] = UInt16(endings.count)
                    next.append(contentsOf: repeatElement(0, count: width))
                    endings.append([])
                }
                state = Int(next[place])
            }
            endings[state].append(pattern.ending)
        }
        precondition(endings.count < Int(Self.hit), "more words than states have numbers")

        // Then, level by level, where a state goes on that has no such child: to where its longest suffix would go.
        var suffix = [Int](repeating: 0, count: endings.count)
        var queue = [0]
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            for column in 0..<width {
                let child = Int(next[state * width + column])
                let detour = state == 0 ? 0 : Int(next[suffix[state] * width + column])
                guard child != 0 else {
                    next[state * width + column] = UInt16(detour)
                    continue
                }
                suffix[child] = detour
                endings[child] += endings[detour]
                queue.append(child)
            }
        }
        let marks = endings.map { $0.isEmpty ? 0 : Self.hit }
        transitions = next.map { $0 | marks[Int($0)] }
        self.columns = columns
        self.width = width
        self.endings = endings
        rowCount = rows.count
    }

    var noCandidates: Candidates { Candidates(rows: rowCount) }

    /// Looks at a line; rows whose words stand in it become candidates.
    func look(at line: UnsafeBufferPointer<UInt8>, _ candidates: inout Candidates) -> Sight {
        var (words, noise) = (false, false)
        columns.withUnsafeBufferPointer { columns in
            transitions.withUnsafeBufferPointer { transitions in
                var state = 0
                for (index, byte) in line.enumerated() {
                    let next = transitions[state &* width &+ Int(columns[Int(byte)])]
                    state = Int(next & ~Self.hit)
                    guard next & Self.hit != 0 else { continue }
                    for ending in endings[state] where !ending.opens || ending.length == index + 1 {
                        if ending.isNoise { noise = true } else { words = true }
                        if let row = ending.row { candidates.insert(row) }
                    }
                }
            }
        }
        return words ? .words : noise ? .noise : .nothing
    }

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Column 0 is for all bytes that no words have.
    private static func columns(of patterns: [[UInt8]]) -> [UInt8] {
        var columns = [UInt8](repeating: 0, count: 256)
        var count: UInt8 = 0
        for byte in Set(patterns.joined()).sorted() {
            count += 1
            columns[Int(byte)] = count
        }
        for upper in 0x41...0x5A { columns[upper] = columns[upper | 0x20] }
        return columns
    }

    /// The words of the rules that are no rows.
    private enum OtherWords {
        static let all: [Words] =
            RemoteText.noise.map { Words($0, isNoise: true) }
            + RemoteText.noiseStarts.map { Words($0, opens: true, isNoise: true) }
            + RemoteText.tellingWarnings.map { Words($0, opens: true) }
            + LocalClient.epilogueStarts.map { Words($0, opens: true) } + [Words(LocalClient.epilogueEnd)]
            + AnsibleWords.noiseStarts.map { Words($0, opens: true, isNoise: $0.count == 1) }
            + AnsibleWords.noise.map { Words($0) }
            + AnsibleWords.quoteEnds.map { Words($0) } + AnsibleWords.quoteEndStarts.map { Words($0, opens: true) }
            + TranscriptReader.asides.map { Words($0, opens: true) }
            + TranscriptReader.explanations.map { Words($0, opens: true) }
            + PythonTraceback.words.map { Words($0) } + PythonTraceback.openings.map { Words($0, opens: true) }
            + TranscriptFacts.tellingWords.map { Words($0) }
    }
}
