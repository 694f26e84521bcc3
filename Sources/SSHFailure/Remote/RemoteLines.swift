import ErrorCore

/// Reads causes from lines of standard error, the last informative one first.
enum RemoteLines {
    static let cause: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        for index in failure.lines.indices.reversed() {
            if saysNothing(failure.lines[index]) { return nil }
            guard let said = cause(in: failure.lines, at: index, programs: failure.programs) else { continue }
            let following = failure.lines[(index + 1)...]
            // make reports a missing program (POSIX.1 XCU 2.8.2: status 127). The exit status explains that.
            if following.contains(where: TrailingOutput.isNotFound) { return nil }
            let cause = said.isNameless ? named(said, before: index, in: failure) : said
            let isDoubtful =
                failure.isDoubtful(failure.lines[index]) || !TrailingOutput.addsNothing(following, after: failure.lines[index])
            return isDoubtful ? cause.with(.guess) : cause
        }
        return nil
    }

    /// A cause of the same kind with a name, if one of the few preceding lines gives one (OpenSSL's error stack).
    private static func named(_ cause: SSHRemoteCause, before index: Int, in failure: RemoteFailure) -> SSHRemoteCause {
        let before = stride(from: index - 1, through: max(0, index - 4), by: -1).lazy.compactMap {
            Self.cause(in: failure.lines, at: $0, programs: failure.programs)
        }
        return before.first { $0.code == cause.code && !$0.isNameless } ?? cause
    }

    /// The cause in a line. The line before it may supply the name.
    private static func cause(in lines: [String], at index: Int, programs: Set<String> = []) -> SSHRemoteCause? {
        let text = lines[index]
        guard !isReport(text) else { return nil }
        let line = RemoteLine(text)
        if let cause = RemoteSecurity.cause(of: text) { return cause }
        if let cause = RemotePrivilege.cause(of: line, text, programs: programs) {
            // apt names the forbidden file in the line before.
            let before = index > 0 ? reason(of: RemoteLine(lines[index - 1]), lines[index - 1]) : nil
            if let before, case .filePermissionDenied(let path) = before.appError, !path.isEmpty { return before }
            return cause
        }
        return reason(of: line, text, before: index > 0 ? lines[index - 1] : nil, programs: programs)
            ?? UnopenedFile.cause(of: line, text)
    }

    /// The cause in a single line.
    static func cause(of text: String) -> SSHRemoteCause? { cause(in: [text], at: 0) }

    private static func reason(
        of line: RemoteLine, _ text: String, before: String? = nil, programs: Set<String> = []
    ) -> SSHRemoteCause? {
        guard let match = RemoteWording.match(in: line) else { return nil }
        let reason = text.oneLine()
        if match.trouble == .nameUnknown {
            return RemoteTroubleCause.make(
                .nameUnknown, RemoteHost.named(in: line, around: match.range).map { ($0, true) }, reason: reason)
        }
        var name = RemotePath.named(in: line, around: match, programs: programs)
        // fish names the file in the line before: `… while redirecting file 'x'`, `Error encountered while sourcing file 'x':`.
        // Some translations break the line.
        if name == nil, let before, before.contains("ing file '") || before.hasSuffix(";") {
            name = RemotePath.lastQuoted(in: RemoteLine(before))
        }
        return RemoteTroubleCause.make(match.trouble, name.map { ($0.path, $0.isSure) }, reason: reason)
    }

    /// Whether a line quotes something else: a diff, a trace, a test report or a program's own exception.
    private static func isReport(_ line: String) -> Bool {
        if ["< ", "> ", "+ ", "++ ", "| ", "FAIL: ", "FAILED ", "not ok ", "- "].contains(where: { line.hasPrefix($0) }) {
            return true
        }
        let name = line.prefix { $0 != ":" }.split { $0 == "." || $0 == " " }.last ?? ""
        return name.hasSuffix("Warning") && name != "Warning"
            || ["AssertionError", "ValueError", "TypeError", "KeyError", "NameError", "SyntaxError", "AssertionFailedError"]
                .contains(name)
    }

    /// Without systemd, systemctl reports the missing bus as a host that is down.
    private static func saysNothing(_ line: String) -> Bool { line.lowercased().contains("failed to connect to bus") }
}

/// A line of standard error, split where error messages are: at colons, and at quotation marks of any language.
struct RemoteLine: Sendable {
    /// A quoted part.
    struct Quote: Sendable {
        /// The position, including the quotation marks.
        let range: Range<Int>
        /// The quoted text, with a shell's escapes undone.
        let content: String
    }

    let characters: [Character]
    /// `characters` in lower case, one for one, so that offsets are the same.
    let lower: [Character]
    let quotes: [Quote]

    /// The greatest length: error messages are shorter, but a program can print lines of any length.
    private static let limit = 4096

    init(_ text: String) {
        characters = Array(RemoteLogPrefix.body(of: text).prefix(Self.limit))
        lower = characters.map { $0.lowercased().first ?? $0 }
        quotes = RemoteQuotes.all(in: characters)
    }

    func text(_ range: Range<Int>) -> String { String(characters[range]) }

    /// The first quote that begins in a range.
    func quote(in range: Range<Int>) -> Quote? { quotes.first { range.contains($0.range.lowerBound) } }

    /// Whether the character at an offset is inside quotation marks.
    func isQuoted(_ offset: Int) -> Bool { quotes.contains { $0.range.contains(offset) } }

    /// The segments between colons, trimmed. A colon separates before white space or at the end; a full-width colon always does;
    /// one inside quotation marks never does.
    func segments(in range: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = range.lowerBound
        for offset in range where isJoint(offset) {
            found.append(start..<offset)
            start = offset + 1
        }
        found.append(start..<range.upperBound)
        return found.map(trimmed).filter { !$0.isEmpty }
    }

    /// A range without the white space at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, characters[first].isWhitespace { range = (first + 1)..<range.upperBound }
        while let last = range.last, characters[last].isWhitespace { range = range.lowerBound..<last }
        return range
    }

    private func isJoint(_ offset: Int) -> Bool {
        guard !isQuoted(offset) else { return false }
        if characters[offset] == "：" { return true }
        guard characters[offset] == ":" else { return false }
        return offset + 1 == characters.count || characters[offset + 1].isWhitespace
    }
}

/// The prefixes that loggers put before a message.
enum RemoteLogPrefix {
    /// The message without time and level, or the content of `msg="…"` in a structured line.
    static func body(of line: String) -> String {
        for key in ["msg=\"", "\"msg\":\"", "\"message\":\"", "\"error\":\""] {
            if let start = line.firstRange(of: key), let end = line[start.upperBound...].firstIndex(of: "\"") {
                return String(line[start.upperBound..<end])
            }
        }
        var rest = line[...]
        while let word = rest.split(separator: " ", maxSplits: 1).first, isPrefix(word), word.endIndex < rest.endIndex {
            rest = rest[word.endIndex...].drop { $0 == " " }
        }
        return String(rest)
    }

    private static func isPrefix(_ word: Substring) -> Bool {
        let levels: Set<String> = [
            "INFO", "ERROR", "ERRO", "ERR", "WARN", "WARNING", "FATAL", "CRITICAL", "PANIC", "E:", "W:", "N:", "ERR!", "npm",
            "error",
        ]
        let bare = word.trimmingPrefix("[").prefix { $0 != "]" }
        if levels.contains(String(bare)) { return true }
        return bare.count >= 8 && bare.first?.isNumber == true
            && bare.allSatisfy { $0.isASCII && ($0.isNumber || "-/:.,TZ+".contains($0)) }
    }
}
