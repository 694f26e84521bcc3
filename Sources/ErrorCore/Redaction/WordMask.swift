/// What was masked of a line, found again in its words.
///
/// The masked line is cut at its masks; what stands between them is found in the line, in order. Nothing is kept that the masked
/// line does not have.
struct WordMask {
    /// The parts of the line that are kept.
    private var kept: [Range<String.Index>] = []
    private let line: String

    /// Nil where the masked line has something that the line has not.
    init?(_ line: String, _ masked: String) {
        self.line = line
        let parts = masked.split(separator: SecretScanner.replacement, omittingEmptySubsequences: false)
        var start = line.startIndex
        for (number, part) in parts.enumerated() {
            let isLast = number == parts.count - 1
            guard !part.isEmpty || isLast else { continue }
            let found: Range<String.Index>?
            if number == 0 {
                found = line.hasPrefix(part) ? line.startIndex..<line.index(line.startIndex, offsetBy: part.count) : nil
            } else if isLast {
                let begin = line.index(line.endIndex, offsetBy: -part.count, limitedBy: start)
                found = begin.flatMap { line[$0...] == part ? $0..<line.endIndex : nil }
            } else {
                found = line[start...].firstRange(of: String(part))
            }
            guard let found else { return nil }
            kept.append(found)
            start = found.upperBound
        }
    }

    /// The words, whose line is joined by single blanks, without what was masked.
    func applied(to words: [String]) -> [String] {
        var start = line.startIndex
        return words.map { word in
            let end = line.index(start, offsetBy: word.count)
            defer { if end < line.endIndex { start = line.index(after: end) } }
            return masked(start..<end)
        }
    }

    private func masked(_ word: Range<String.Index>) -> String {
        var text = ""
        var place = word.lowerBound
        for part in kept where part.upperBound > word.lowerBound && part.lowerBound < word.upperBound {
            let shown = part.clamped(to: word)
            if shown.lowerBound > place { text += SecretScanner.replacement }
            text += line[shown]
            place = shown.upperBound
        }
        return place < word.upperBound ? text + SecretScanner.replacement : text
    }
}
