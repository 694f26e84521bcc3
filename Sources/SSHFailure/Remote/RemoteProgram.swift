import ErrorCore

/// Finds the programs of a command line and their arguments, with as much of the POSIX shell's grammar (XCU 2.3) as this needs.
package enum RemoteProgram {
    /// The simple commands of a command line as words, without prefixes such as `sudo` and `X=1`.
    package static func commands(_ line: String) -> [[String]] {
        split(line).flatMap { expanded($0, in: line) }
    }

    /// The words of one command without prefixes. If it is a shell with a script, the commands of the script.
    static func expanded(_ words: [String], in line: String) -> [[String]] {
        if let script = innerScript(words), script != line { return commands(script) }
        return bare(words).map { [$0] } ?? []
    }

    /// A command's words without prefixes; nil if none is left.
    static func bare(_ words: [String]) -> [String]? {
        let bare = withoutPrefixes(words)
        return bare.isEmpty ? nil : bare
    }

    /// The script that a command passes to a shell with `-c`.
    static func innerScript(_ words: [String]) -> String? {
        guard let bare = bare(words), ["sh", "bash", "dash", "zsh", "ksh", "ash"].contains(base(bare[0])) else { return nil }
        return script(of: bare)
    }

    /// The last component of a program's path.
    package static func base(_ name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }

    /// The first command in the line that runs one of these programs.
    package static func first(_ names: Set<String>, in line: String) -> [String]? {
        commands(line).first { $0.first.map { names.contains(base($0)) } == true }
    }

    /// The program at the start of an error line: `make` in `make[1]: …`.
    static func speaker(of line: RemoteLine) -> String? {
        let segments = line.segments(in: 0..<line.characters.count)
        guard segments.count > 1, let first = segments.first else { return nil }
        let name = base(line.text(first)).prefix { $0 != "[" && $0 != ":" }
        return name.isEmpty || name.contains(where: \.isWhitespace) ? nil : String(name)
    }

    /// Whether the line uses `sudo` or a similar program, which `commands` removes.
    static func elevates(_ line: String) -> Bool {
        split(line).contains { words in words.contains { ["sudo", "doas"].contains(base($0)) } }
    }

    /// The program that a shell did not find or could not run, from the shell's message.
    static func refused(_ evidence: SSHEvidence) -> String? {
        guard let command = evidence.command else { return nil }
        let line = RemoteText.tellingLine(command.hasPTY ? command.standardOutputTail : command.standardErrorTail)
        let lower = line.lowercased()
        for words in ["command not found: ", "unknown command: ", "permission denied: "] {
            if let range = lower.firstRange(of: words) {
                let offset = lower.distance(from: lower.startIndex, to: range.upperBound)
                return String(line.dropFirst(offset))
            }
        }
        let segments = line.split(separator: ": ").map(String.init)
        if let at = segments.firstIndex(of: "bad interpreter"), at > 0 { return segments[at - 1] }
        let name = segments.count > 2 ? segments[segments.count - 2] : segments.count == 2 ? segments[0] : nil
        return name.map { RemoteLine($0).quotes.first?.content ?? $0 } ?? commands(command.command).first?.first
    }

    /// Words that run another command, with those of their options that take a value.
    private static let prefixes: [String: Set<String>] = [
        "sudo": ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T"], "doas": ["-u", "-C"], "env": ["-u", "-C", "-S"], "nohup": [],
        "nice": ["-n"], "ionice": ["-c", "-n", "-p"], "time": ["-f", "-o"], "command": [], "exec": ["-a"],
        "stdbuf": ["-i", "-o", "-e"],
        "setsid": [], "then": [], "do": [], "else": [], "if": [], "while": [], "until": [], "{": [], "!": [], "chronic": [],
    ]

    private static func withoutPrefixes(_ words: [String]) -> [String] {
        var words = words[...]
        while let first = words.first {
            if isAssignment(first) {
                words.removeFirst()
            } else if let valued = prefixes[base(first)], words.count > 1 {
                words.removeFirst()
                while let option = words.first, option.hasPrefix("-"), words.count > 1 {
                    words.removeFirst(valued.contains(option) ? min(2, words.count) : 1)
                }
            } else {
                break
            }
        }
        return Array(words)
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return false }
        return word[..<equals].allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// The argument of `sh -c`.
    private static func script(of words: [String]) -> String? {
        guard let option = words.firstIndex(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.hasSuffix("c") }),
            option + 1 < words.count
        else { return nil }
        return words[option + 1]
    }

    /// Words, split at operators. Quotes and backslashes are removed; expansions are left as they are.
    static func split(_ line: String) -> [[String]] {
        var lexer = ShellLexer()
        for character in line { lexer.take(character) }
        return lexer.finish()
    }
}

/// Programs whose exit statuses or messages say more than errno does.
enum RemotePrograms {
    /// timeout(1) exits with 124 when the time limit passed, and with 128 + 9 when it had to kill the command.
    static let timeLimit: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        guard failure.status == 124 || failure.status == 137, let words = failure.first(["timeout", "gtimeout"]) else {
            return nil
        }
        let kills =
            words.contains {
                $0.hasPrefix("-k") || $0.hasPrefix("--kill-after") || $0.uppercased().hasSuffix("KILL")
                    || ["-s9", "--signal=9"].contains($0)
            } || zip(words, words.dropFirst()).contains { ["-s", "--signal"].contains($0) && $1 == "9" }
        guard failure.status == 124 || kills else { return nil }
        let seconds = firstOperand(words.dropFirst(), valued: ["-k", "-s", "--kill-after", "--signal"]).flatMap(duration)
        return SSHRemoteCause(
            "time-limit", .timeout(seconds: seconds ?? 0),
            "The command was ended by timeout(1)\(seconds.map { " after \(Double($0).inSeconds)" } ?? "")",
            failure.status == 124 ? .exact : .likely)
    }

    /// The exit statuses of curl(1), which are never translated. The status is the command's own or, if another program hides it,
    /// the number in curl's line `curl: (6) …`.
    static let curl: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        let line = failure.lines.last { $0.hasPrefix("curl: (") }
        let said = line.flatMap { Int($0.dropFirst(7).prefix { $0.isNumber }) }
        let runs = failure.first(["curl"]) != nil
        guard runs || said != nil else { return nil }
        let isLast = failure.deciding.last?.first.map(RemoteProgram.base) == "curl"
        let isExact = runs && (said == failure.status || said == nil && isLast)
        return curlCause(said ?? failure.status, failure, line?.oneLine() ?? "")?.with(isExact ? .exact : .likely)
    }

    private static func curlCause(_ code: Int, _ failure: RemoteFailure, _ said: String) -> SSHRemoteCause? {
        let fromLines = RemoteLines.cause(failure)
        if code == 23 {
            if let fromLines { return fromLines }
            return SSHRemoteCause(
                "cannot-write", .fileWriteError(path: "", reason: said), "curl could not write what it got: \(said)", .exact)
        }
        switch ToolRules.meaning(of: code, from: "curl") {
        case .noHost:
            if case .dnsError? = fromLines?.appError { return fromLines }
            return SSHRemoteCause("name-unknown", .dnsError(host: ""), "The server could not resolve a name: \(said)", .exact)
        case .noConnection:
            if let fromLines, fromLines.appError == .networkUnavailable { return fromLines }
            return RemoteTroubleCause.make(.notConnected, nil, reason: said)
        case .timeout: return RemoteTroubleCause.make(.timedOut, nil, reason: said)
        case .tls:
            return SSHRemoteCause(
                "tls-failed", .sslError(description: said), "curl could not set up TLS from the server: \(said)", .exact)
        case .permission, .parse, nil: return nil
        }
    }

    /// The exit statuses of wget(1).
    static let wget: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        guard failure.first(["wget"]) != nil, let meaning = ToolRules.meaning(of: failure.status, from: "wget"),
            meaning == .noConnection || meaning == .tls
        else { return nil }
        let last = failure.lines.last ?? ""
        if meaning == .tls {
            return SSHRemoteCause(
                "tls-failed", .sslError(description: last.oneLine()), "wget could not set up TLS: \(last.oneLine())", .exact)
        }
        guard let cause = RemoteLines.cause(failure) else {
            return RemoteTroubleCause.make(.notConnected, nil, reason: last.oneLine())
        }
        // wget's last line is translated, but quotes the name.
        guard case .dnsError(let host) = cause.appError, host.isEmpty, let host = RemoteHost.quoted(in: RemoteLine(last)) else {
            return cause
        }
        return RemoteTroubleCause.make(.nameUnknown, (host, true), reason: last.oneLine())
    }

    /// The first word that is neither an option nor the value of an option in `valued`.
    static func firstOperand(_ words: ArraySlice<String>, valued: Set<String>) -> String? {
        var words = words
        while let word = words.popFirst() {
            if !word.hasPrefix("-") { return word }
            if valued.contains(word) { _ = words.popFirst() }
        }
        return nil
    }

    /// A duration of timeout(1), such as `10`, `1.5m` or `2h`, in whole seconds.
    private static func duration(_ word: String) -> Int? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        guard let last = word.last else { return nil }
        let unit = units[last]
        return Double(unit == nil ? word : String(word.dropLast())).map { ($0 * (unit ?? 1)).wholeSeconds }
    }
}

/// Finds the host name that could not be resolved.
enum RemoteHost {
    /// The host in a line, given the position of the reason; nil if the line has none.
    static func named(in line: RemoteLine, around reason: Range<Int>) -> String? {
        let after = reason.upperBound..<line.characters.count
        if let quote = line.quote(in: after), isHost(quote.content, strict: false) { return quote.content }
        let follows = line.text(after).prefix { $0 != "(" }
        if let word = words(String(follows)).first,
            isHost(word, strict: line.characters[after].first != ":" && !isOpening(line, reason))
        {
            return word
        }
        for (index, segment) in line.segments(in: 0..<reason.lowerBound).enumerated().reversed() {
            if let host = host(in: line, segment, isFirst: index == 0) { return host }
        }
        return nil
    }

    /// A quoted host at the end of a translated sentence: wget's `»web9« kann nicht aufgelöst werden`.
    static func quoted(in line: RemoteLine) -> String? {
        line.quotes.map(\.content).last { isHost($0, strict: false) }
    }

    private static func isOpening(_ line: RemoteLine, _ reason: Range<Int>) -> Bool {
        let text = String(line.lower[reason])
        return ["resolve", "getaddrinfo", "address", "unknown host"].contains { text.contains($0) }
    }

    private static func host(in line: RemoteLine, _ segment: Range<Int>, isFirst: Bool) -> String? {
        if let quote = line.quote(in: segment), isHost(quote.content, strict: true) { return quote.content }
        let text = line.text(segment)
        let all = words(text)
        for lead in ["lookup", "hostname", "host"] {
            if let at = all.firstIndex(of: lead), at + 1 < all.count, isHost(all[at + 1], strict: false) { return all[at + 1] }
        }
        // `ping: web9: …` and `getaddrinfo: web9 873: …` name a host; a lone first segment is the program.
        let isNamed = !isFirst && (all.count == 1 || all.count == 2 && all[1].allSatisfy(\.isNumber))
        if isNamed, let only = all.first, isHost(only, strict: false), !RemotePhrase.isCall(only) { return only }
        return all.last { isHost($0, strict: true) }
    }

    private static func words(_ text: String) -> [String] {
        text.split { $0.isWhitespace || "()[]<>'\"`,…".contains($0) }.map { word in
            var word = word
            while let last = word.last, ".:。".contains(last) { word.removeLast() }
            return String(word.last?.isNumber == true ? word.prefix { $0 != ":" } : word)
        }.filter { !$0.isEmpty }
    }

    /// Whether a word has only the characters of RFC 952. `strict` also requires a dot, and excludes the names of classes and
    /// files.
    private static func isHost(_ word: String, strict: Bool) -> Bool {
        guard !word.isEmpty, word.count < 254, !word.hasPrefix("-"), !word.hasPrefix("."), word.contains(where: \.isLetter) else {
            return false
        }
        guard word.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }) else { return false }
        if word.lowercased().hasSuffix("error") || word.hasSuffix("Exception") { return false }
        guard strict else { return true }
        let labels = word.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty } && labels.last?.allSatisfy(\.isLetter) == true
            && !["py", "rb", "js", "go", "c", "pl", "php", "java", "sh"].contains(labels.last.map(String.init) ?? "")
    }
}
