import ErrorCore

/// Programs whose exit statuses or words say more than errno.
enum RemotePrograms {
    /// `git clone` ends with 128 for every failure; the last `fatal:` line is the reason.
    static let clone: @Sendable (RemoteFailure) -> RemoteCause? = { failure in
        guard failure.status == 128, let words = cloneCommand(failure.command) else { return nil }
        let url = withoutPassword(cloneURL(words))
        let fatal = failure.lines.last { $0.hasPrefix("fatal: ") } ?? failure.lines.last ?? ""
        let reason = (fatal.hasPrefix("fatal: ") ? String(fatal.dropFirst(7)) : fatal).oneLine()
        let inner = NestedSSH.words(failure) ?? RemoteLines.cause(failure)
        var cause = RemoteCause(
            "clone-failed", .projectCloneFailed(url: url, reason: withoutPassword(reason)),
            "Cloning \(url.isEmpty ? "the repository" : url) failed on the server: \(withoutPassword(reason))", .exact)
        cause.reason = inner
        return cause
    }

    /// timeout(1) ends with 124 when the time it was given is over.
    static let timeLimit: @Sendable (RemoteFailure) -> RemoteCause? = { failure in
        guard failure.status == 124, let words = RemoteProgram.first(["timeout", "gtimeout"], in: failure.command) else {
            return nil
        }
        let seconds = firstOperand(words.dropFirst(), valued: ["-k", "-s", "--kill-after", "--signal"]).flatMap(duration)
        return RemoteCause(
            "time-limit", .timeout(seconds: seconds ?? 0),
            "The command was ended by timeout(1)\(seconds.map { " after \(Double($0).inSeconds)" } ?? "")", .exact)
    }

    /// The statuses of curl(1) and wget(1), which are never translated.
    static let transfer: @Sendable (RemoteFailure) -> RemoteCause? = { failure in
        let last = failure.lines.last?.oneLine() ?? ""
        if RemoteProgram.first(["curl"], in: failure.command) != nil {
            let fromLine = RemoteLines.cause(failure)
            switch failure.status {
            case 5, 6:
                if case .dnsError? = fromLine?.appError { return fromLine?.with(.exact) }
                return RemoteCause("name-unknown", .dnsError(host: ""), "The server could not resolve a name: \(last)", .exact)
            case 7:
                return RemoteCause(
                    "connection-refused", .networkUnavailable, "curl could not connect from the server: \(last)", .exact)
            case 28:
                return RemoteCause("network-timed-out", .timeout(seconds: 0), "curl got no answer in time: \(last)", .exact)
            case 35, 51, 58, 60, 77, 83, 91:
                return RemoteCause(
                    "tls-failed", .sslError(description: last), "curl could not set up TLS from the server: \(last)", .exact)
            default: return nil
            }
        }
        if RemoteProgram.first(["wget"], in: failure.command) != nil {
            switch failure.status {
            case 4:
                return RemoteLines.cause(failure)
                    ?? RemoteCause("unreachable", .networkUnavailable, "wget could not reach the other side: \(last)", .exact)
            case 5: return RemoteCause("tls-failed", .sslError(description: last), "wget could not set up TLS: \(last)", .exact)
            default: return nil
            }
        }
        return nil
    }

    /// sudo(8) wants a password or a terminal, or says no.
    static let elevation: @Sendable (RemoteFailure) -> RemoteCause? = { failure in
        let line = failure.lines.last { line in
            let lower = line.lowercased()
            return refusals.contains { lower.contains($0) } && (lower.contains("sudo") || lower.contains("allowed to execute"))
        }
        if let line {
            return RemoteCause(
                "sudo-refused", .permissionDenied(tool: "sudo"), "sudo did not allow it on the server: \(line.oneLine())", .exact)
        }
        // Translated: sudo's own complaint as the last word, with its own status 1.
        guard failure.status == 1, RemoteProgram.elevates(failure.command), let last = failure.lines.last,
            last.hasPrefix("sudo: "), RemoteLines.cause(of: last) == nil, !last.contains("command not found")
        else { return nil }
        return RemoteCause(
            "sudo-refused", .permissionDenied(tool: "sudo"), "sudo failed on the server: \(last.oneLine())", .guess)
    }

    private static let refusals = [
        "a terminal is required", "a password is required", "no tty present", "must have a tty", "not in the sudoers file",
        "may not run sudo", "is not allowed to execute", "not allowed to run sudo", "incorrect password attempt",
        "effective uid is not 0", "\"no new privileges\" flag", "account or password is expired", "account validation failure",
    ]

    private static func cloneCommand(_ line: String) -> [String]? {
        RemoteProgram.commands(line).first { words in
            words.first.map(RemoteProgram.base) == "git" && words.dropFirst().contains("clone")
        }
    }

    /// The first word after `clone` that is neither an option nor its value.
    private static func cloneURL(_ words: [String]) -> String {
        let valued: Set<String> = [
            "-b", "--branch", "-o", "--origin", "--depth", "-c", "--config", "-u", "--upload-pack", "-j",
            "--jobs", "--reference", "--separate-git-dir", "--template", "--filter", "--shallow-since", "--server-option",
        ]
        guard let start = words.firstIndex(of: "clone") else { return "" }
        return firstOperand(words[(start + 1)...], valued: valued) ?? ""
    }

    /// The first word that is neither an option nor the value of one of these.
    private static func firstOperand(_ words: ArraySlice<String>, valued: Set<String>) -> String? {
        var words = words
        while let word = words.popFirst() {
            if !word.hasPrefix("-") { return word }
            if valued.contains(word) { _ = words.popFirst() }
        }
        return nil
    }

    /// `https://user:secret@host/…` without the secret.
    static func withoutPassword(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && !$0.isWhitespace }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return text[..<scheme.upperBound] + "***" + rest[at...]
    }

    /// `10`, `1.5m`, `2h`: timeout(1)'s durations, in whole seconds.
    private static func duration(_ word: String) -> Int? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        guard let last = word.last else { return nil }
        let unit = units[last]
        return Double(unit == nil ? word : String(word.dropLast())).map { ($0 * (unit ?? 1)).wholeSeconds }
    }
}

extension RemoteCause {
    /// The same cause, known this well.
    func with(_ confidence: SSHError.Confidence) -> RemoteCause {
        var cause = self
        cause.confidence = confidence
        return cause
    }
}
