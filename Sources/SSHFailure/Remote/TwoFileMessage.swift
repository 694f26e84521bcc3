/// Messages that name two files, of a copy, a move or a link.
enum TwoFileMessage {
    /// The created file is the last one, except in `ln`'s `'new' => 'old'`. A missing or forbidden file may be either.
    static func quoted(_ line: RemoteLine, _ quotes: [RemoteLine.Quote], _ trouble: RemoteTrouble) -> RemotePath.Name? {
        let pair = quotes.suffix(2)
        guard let first = pair.first, let last = pair.last else { return nil }
        let between = line.text(first.range.upperBound..<last.range.lowerBound)
        let isWritten = ![.fileNotFound, .permissionDenied, .badPath].contains(trouble)
        return RemotePath.Name(path: between.contains("=>") ? first.content : last.content, isSure: isWritten)
    }

    /// The names in `mv: rename a to b: …` (macOS) or `rename a b: …` (Go).
    static func unquoted(_ line: RemoteLine, _ segment: Range<Int>) -> RemotePath.Name? {
        let words = line.text(segment).split(separator: " ").map(String.init)
        guard let verb = words.first, ["rename", "link", "symlink"].contains(verb) else { return nil }
        guard words.count == 3 || words.count == 4 && words[2] == "to", let last = words.last else { return nil }
        return RemotePath.Name(path: last, isSure: false)
    }
}
