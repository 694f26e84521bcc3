import ErrorCore

/// Causes read from lines of standard error, the last telling one first.
enum RemoteLines {
    static let cause: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        for index in failure.lines.indices.reversed() {
            if saysNothing(failure.lines[index]) { return nil }
            guard let said = cause(in: failure.lines, at: index, programs: failure.programs) else { continue }
            let following = failure.lines[(index + 1)...]
            // make's words for a program that it did not find: status 127 (POSIX.1 XCU 2.8.2), which says all by itself.
            if following.contains(where: RemoteEpilogue.isNotFound) { return nil }
            let cause = said.isNameless ? named(said, before: index, in: failure) : said
            let isDoubtful =
                failure.isDoubtful(failure.lines[index]) || !RemoteEpilogue.closes(following, after: failure.lines[index])
            return isDoubtful ? cause.with(.guess) : cause
        }
        return nil
    }

    /// The same trouble with a name, where one of the few lines before gives it (OpenSSL's stack of errors).
    private static func named(_ cause: SSHRemoteCause, before index: Int, in failure: RemoteFailure) -> SSHRemoteCause {
        let before = stride(from: index - 1, through: max(0, index - 4), by: -1).lazy.compactMap {
            Self.cause(in: failure.lines, at: $0, programs: failure.programs)
        }
        return before.first { $0.code == cause.code && !$0.isNameless } ?? cause
    }

    /// What a line says, or where it leaves the name to the line before.
    private static func cause(in lines: [String], at index: Int, programs: Set<String> = []) -> SSHRemoteCause? {
        let text = lines[index]
        guard !isReport(text) else { return nil }
        let line = RemoteLine(text)
        if let cause = RemoteSecurity.cause(of: text) { return cause }
        if let cause = RemotePrivilege.cause(of: line, text, programs: programs) {
            // apt says first which file it may not open.
            let before = index > 0 ? reason(of: RemoteLine(lines[index - 1]), lines[index - 1]) : nil
            if let before, case .filePermissionDenied(let path) = before.appError, !path.isEmpty { return before }
            return cause
        }
        return reason(of: line, text, before: index > 0 ? lines[index - 1] : nil, programs: programs)
            ?? RemoteUnopened.cause(of: line, text)
    }

    /// What one line says by itself.
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
        // fish names the file first: `… while redirecting file 'x'`, `Error encountered while sourcing file 'x':`; and some
        // translations break the line.
        if name == nil, let before, before.contains("ing file '") || before.hasSuffix(";") {
            name = RemotePath.lastQuoted(in: RemoteLine(before))
        }
        return RemoteTroubleCause.make(match.trouble, name.map { ($0.path, $0.isSure) }, reason: reason)
    }

    /// Lines that report something else's words: a difference, a trace, a test's or a program's own fault.
    private static func isReport(_ line: String) -> Bool {
        if ["< ", "> ", "+ ", "++ ", "| ", "FAIL: ", "FAILED ", "not ok ", "- "].contains(where: { line.hasPrefix($0) }) {
            return true
        }
        let name = line.prefix { $0 != ":" }.split { $0 == "." || $0 == " " }.last ?? ""
        return name.hasSuffix("Warning") && name != "Warning"
            || ["AssertionError", "ValueError", "TypeError", "KeyError", "NameError", "SyntaxError", "AssertionFailedError"]
                .contains(name)
    }

    /// systemctl without systemd words a missing bus as a host that is down.
    private static func saysNothing(_ line: String) -> Bool { line.lowercased().contains("failed to connect to bus") }
}
