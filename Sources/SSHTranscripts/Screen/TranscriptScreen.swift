/// Tells by one pass over its bytes which rows could read a line, and whether any other rule of the transcripts has words in it.
/// Nearly every line of a log has none, and costs no more than this pass. A hit is a candidate and no verdict.
final class TranscriptScreen: Sendable {
    static let shared = TranscriptScreen(rows: TranscriptRows.all, others: ScreenWord.others)

    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// What was found in a line.
    enum Sight: Sendable {
        /// Nothing: the line is none of the client's.
        case nothing
        /// The line is noise.
        case noise
        /// It has to be read.
        case words
    }

    private let words: [ScreenWord]
    private let automaton: WordAutomaton
    private let rowCount: Int

    init(rows: [TranscriptRow], others: [ScreenWord]) {
        words = ScreenWord.all(of: rows) + others
        automaton = WordAutomaton(words.map(\.bytes))
        rowCount = rows.count
    }

    var noCandidates: CandidateRows { CandidateRows(rows: rowCount) }

    /// Looks at a line without blanks around it; rows whose words stand in it become candidates.
    func look(at line: Bytes, _ candidates: inout CandidateRows, _ marks: inout LineMarks) -> Sight {
        marks = []
        var (found, noise) = (false, false)
        var offset = 0
        var state: UInt32 = 0
        while let end = nextHit(in: line, from: offset, &state) {
            offset = end
            for ending in automaton.endings(at: state) {
                let word = words[ending.word]
                if word.opens, ending.length != end { continue }
                marks.formUnion(word.marks)
                if word.onlyMarks { continue }
                if word.isNoise { noise = true } else { found = true }
                if let row = word.row { candidates.insert(row) }
            }
        }
        return found ? .words : noise ? .noise : .nothing
    }

    /// The first line at or behind an offset, which is a line's beginning, that has to be read; nil where none has.
    func nextLine(in block: Bytes, from start: Int) -> Range<Int>? {
        var offset = start
        var state: UInt32 = 0
        while let end = nextHit(in: block, from: offset, &state) {
            offset = end
            if automaton.endings(at: state).contains(where: { counts($0, in: block, start, end) }) {
                return Self.line(around: end - 1, in: block, from: start)
            }
        }
        return nil
    }

    private func counts(_ ending: WordAutomaton.Ending, in block: Bytes, _ start: Int, _ end: Int) -> Bool {
        let word = words[ending.word]
        if word.onlyMarks { return false }
        if word.isNoise {
            // A brace on a line of its own may begin a result.
            guard word.text == "{", end == block.count || Self.endsLine(block[end]) else { return false }
        }
        guard word.opens else { return true }
        var before = end - ending.length
        while before > start, block[before - 1] == 0x20 || block[before - 1] == 0x09 { before -= 1 }
        return before == start || Self.endsLine(block[before - 1])
    }

    /// Where the next words end, and the state they end in.
    private func nextHit(in bytes: Bytes, from start: Int, _ state: inout UInt32) -> Int? {
        automaton.columns.withUnsafeBufferPointer { columns in
            automaton.transitions.withUnsafeBufferPointer { transitions in
                var at = state & ~WordAutomaton.hit
                for index in start..<bytes.count {
                    let next = transitions[Int(at &+ UInt32(columns[Int(bytes[index])]))]
                    at = next & ~WordAutomaton.hit
                    if next & WordAutomaton.hit != 0 {
                        state = next
                        return index + 1
                    }
                }
                return nil
            }
        }
    }

    static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func line(around index: Int, in block: Bytes, from start: Int) -> Range<Int> {
        var (first, last) = (index, index)
        while first > start, !endsLine(block[first - 1]) { first -= 1 }
        while last < block.count, !endsLine(block[last]) { last += 1 }
        return first..<last
    }
}
