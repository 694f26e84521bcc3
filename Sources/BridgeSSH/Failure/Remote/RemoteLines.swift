import ErrorCore

/// Causes read from lines of standard error, the last telling one first.
enum RemoteLines {
    static let cause: @Sendable (RemoteFailure) -> RemoteCause? = { failure in
        for index in failure.lines.indices.reversed() {
            if saysNothing(failure.lines[index]) { return nil }
            guard let cause = cause(in: failure.lines, at: index, programs: failure.programs) else { continue }
            let following = failure.lines[(index + 1)...]
            // make's words for a program that it did not find: status 127 (POSIX.1 XCU 2.8.2), which says all by itself.
            if following.contains(where: RemoteEpilogue.isNotFound) { return nil }
            let isDoubtful = failure.isDoubtful(failure.lines[index]) || !RemoteEpilogue.closes(following, after: failure.lines[index])
            return isDoubtful ? cause.with(.guess) : cause
        }
        return nil
    }

    /// What a line says, or where it leaves the name to the line before.
    private static func cause(in lines: [String], at index: Int, programs: Set<String> = []) -> RemoteCause? {
        let text = lines[index]
        guard !isReport(text) else { return nil }
        let line = RemoteLine(text)
        if let cause = RemoteSecurity.cause(of: text) { return cause }
        if let cause = RemotePrivilege.cause(of: line, text) {
            // apt says first which file it may not open.
            let before = index > 0 ? reason(of: RemoteLine(lines[index - 1]), lines[index - 1]) : nil
            if let before, case .filePermissionDenied(let path) = before.appError, !path.isEmpty { return before }
            return cause
        }
        return reason(of: line, text, before: index > 0 ? lines[index - 1] : nil, programs: programs)
            ?? RemoteUnopened.cause(of: line, text)
    }

    /// What one line says by itself.
    static func cause(of text: String) -> RemoteCause? { cause(in: [text], at: 0) }

    private static func reason(
        of line: RemoteLine, _ text: String, before: String? = nil, programs: Set<String> = []
    ) -> RemoteCause? {
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
        if ["< ", "> ", "+ ", "++ ", "| ", "FAIL: ", "FAILED ", "not ok ", "- "].contains(where: { line.hasPrefix($0) }) { return true }
        let name = line.prefix { $0 != ":" }.split { $0 == "." || $0 == " " }.last ?? ""
        return name.hasSuffix("Warning") && name != "Warning"
            || ["AssertionError", "ValueError", "TypeError", "KeyError", "NameError", "SyntaxError", "AssertionFailedError"].contains(name)
    }

    /// systemctl without systemd words a missing bus as a host that is down.
    private static func saysNothing(_ line: String) -> Bool { line.lowercased().contains("failed to connect to bus") }
}

/// The cause that a trouble with a file or the network is.
enum RemoteTroubleCause {
    /// - Parameter name: The file or host, and whether the line can mean no other.
    static func make(_ trouble: RemoteTrouble, _ name: (path: String, isSure: Bool)?, reason: String) -> RemoteCause {
        let path = (name?.path ?? "").oneLine(1024)
        let place = path.isEmpty ? "" : " \(path)"
        let sure: SSHError.Confidence = name?.isSure == true ? .likely : .guess
        switch trouble {
        case .fileNotFound:
            return RemoteCause("file-not-found", .fileNotFound(path: path), "The file\(place) does not exist on the server", sure)
        case .permissionDenied:
            return RemoteCause(
                "permission-denied", .filePermissionDenied(path: path),
                "The server does not allow access\(path.isEmpty ? "" : " to \(path)")", sure)
        case .noSpace:
            return RemoteCause(
                "no-space", .insufficientDiskSpace(required: 0, available: 0),
                "The server's disk is full\(path.isEmpty ? "" : ": writing \(path) failed")", .likely)
        case .quotaExceeded:
            return RemoteCause(
                "quota-exceeded", .insufficientDiskSpace(required: 0, available: 0),
                "The account's disk quota on the server is used up\(path.isEmpty ? "" : ": writing \(path) failed")", .likely)
        case .readOnly, .busy, .tooLarge, .exists:
            return RemoteCause(
                code(trouble), .fileWriteError(path: path, reason: reason), "Writing\(place) failed: \(reason)", sure)
        case .inputOutput:
            let writing = reason.lowercased().contains("writ")
            return RemoteCause(
                "input-output-error",
                writing ? .fileWriteError(path: path, reason: reason) : .fileReadError(path: path, reason: reason),
                "\(writing ? "Writing" : "Reading")\(place) failed: the server's disk or another device reports an error", sure)
        case .isDirectory, .notDirectory, .badPath:
            return RemoteCause(code(trouble), .fileReadError(path: path, reason: reason), "Reading\(place) failed: \(reason)", sure)
        case .refused, .unreachable, .reset, .notConnected:
            return RemoteCause(
                code(trouble), .networkUnavailable, "The command could not reach something from the server: \(reason)", .likely)
        case .timedOut:
            return RemoteCause(
                "network-timed-out", .timeout(seconds: 0), "The command got no answer from something that it called: \(reason)",
                .likely)
        case .nameUnknown:
            return RemoteCause("name-unknown", .dnsError(host: path), "The server could not resolve the name\(place)", sure)
        }
    }

    private static func code(_ trouble: RemoteTrouble) -> String {
        switch trouble {
        case .readOnly: "read-only"
        case .busy: "file-busy"
        case .tooLarge: "file-too-large"
        case .exists: "file-exists"
        case .isDirectory: "is-a-directory"
        case .notDirectory: "not-a-directory"
        case .badPath: "bad-path"
        case .refused: "connection-refused"
        case .unreachable: "unreachable"
        case .reset: "connection-reset"
        case .notConnected: "connection-failed"
        case .fileNotFound, .permissionDenied, .noSpace, .quotaExceeded, .inputOutput, .timedOut, .nameUnknown: trouble.rawValue
        }
    }
}
