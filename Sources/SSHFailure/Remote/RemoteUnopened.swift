import ErrorCore

/// Lines that name a file that could not be opened, and keep the reason.
enum RemoteUnopened {
    static func cause(of line: RemoteLine, _ text: String) -> SSHRemoteCause? {
        let lower = String(line.lower)
        for phrase in phrases {
            guard let range = lower.firstRange(of: phrase.text) else { continue }
            let start = lower.distance(from: lower.startIndex, to: range.upperBound)
            guard let path = object(of: line, from: start, bare: phrase.text.hasSuffix("find or open")) else { continue }
            let reason = text.oneLine()
            return SSHRemoteCause(
                "cannot-open",
                phrase.writes ? .fileWriteError(path: path, reason: reason) : .fileReadError(path: path, reason: reason),
                "The server could not open \(path): \(reason)", .likely)
        }
        return nil
    }

    private static let phrases: [(text: String, writes: Bool)] = {
        let attempts = ["cannot ", "can't ", "can not ", "could not ", "couldn't ", "unable to ", "failed to "]
        let verbs: [(String, Bool)] = [
            ("find or open", false), ("open", false), ("access", false), ("read", false), ("cd to", false), ("chdir to", false),
            ("stat", false), ("locate", false), ("create", true), ("write to", true), ("write", true),
        ]
        return attempts.flatMap { attempt in verbs.map { (attempt + $0.0, $0.1) } }
    }()

    private static let fillers: Set<String> = [
        "the", "a", "file", "input", "output", "database", "config", "configuration", "user", "archive", "from", "directory",
        "folder", "log",
        "local", "data", "document", "script", "zipfile", "or", "and", "for", "image", "template", "named",
    ]

    /// A quoted name or a path right after the phrase, or after words that say what kind of file it is.
    private static func object(of line: RemoteLine, from start: Int, bare: Bool) -> String? {
        var start = start
        guard start < line.characters.count, line.characters[start].isWhitespace || line.characters[start] == ":" else {
            return nil
        }
        while start < line.characters.count {
            while start < line.characters.count, line.characters[start].isWhitespace || line.characters[start] == ":" {
                start += 1
            }
            let end = line.characters[start...].firstIndex { $0.isWhitespace || $0 == ":" } ?? line.characters.count
            guard end > start, fillers.contains(String(line.lower[start..<end])) else { break }
            start = end
        }
        guard start < line.characters.count else { return nil }
        if let quote = line.quotes.first(where: { $0.range.lowerBound == start }) {
            return quote.content.contains("://") ? nil : quote.content
        }
        let end = line.characters[start...].firstIndex { $0.isWhitespace || $0 == "," || $0 == "!" } ?? line.characters.count
        var word = line.text(start..<end)
        while let last = word.last, ".:;".contains(last) { word.removeLast() }
        let isMarked = start > 0 && line.characters[..<start].suffix(2).elementsEqual(": ")
        return RemotePath.isPath(word) || (isMarked || bare) && word.contains(".") ? word : nil
    }
}
