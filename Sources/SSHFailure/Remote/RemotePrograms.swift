import ErrorCore

/// Programs whose exit statuses or words say more than errno.
enum RemotePrograms {
    /// timeout(1) ends with 124 when the time it was given is over; with 128 + 9 when it had to kill.
    static let timeLimit: @Sendable (RemoteFailure) -> SSHRemoteCause? = { failure in
        guard failure.status == 124 || failure.status == 137, let words = failure.first(["timeout", "gtimeout"]) else {
            return nil
        }
        let kills = words.contains {
            $0.hasPrefix("-k") || $0.hasPrefix("--kill-after") || $0.uppercased().hasSuffix("KILL") || $0 == "-9"
        }
        guard failure.status == 124 || kills else { return nil }
        let seconds = firstOperand(words.dropFirst(), valued: ["-k", "-s", "--kill-after", "--signal"]).flatMap(duration)
        return SSHRemoteCause(
            "time-limit", .timeout(seconds: seconds ?? 0),
            "The command was ended by timeout(1)\(seconds.map { " after \(Double($0).inSeconds)" } ?? "")",
            failure.status == 124 ? .exact : .likely)
    }

    /// The statuses of curl(1), which are never translated: the command's own or, where something else made the last of it, those in
    /// its line `curl: (6) …`.
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

    /// The statuses of wget(1).
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
        // Its own last line, which is translated, quotes the name.
        guard case .dnsError(let host) = cause.appError, host.isEmpty, let host = RemoteHost.quoted(in: RemoteLine(last)) else {
            return cause
        }
        return RemoteTroubleCause.make(.nameUnknown, (host, true), reason: last.oneLine())
    }

    /// The first word that is neither an option nor the value of one of these.
    static func firstOperand(_ words: ArraySlice<String>, valued: Set<String>) -> String? {
        var words = words
        while let word = words.popFirst() {
            if !word.hasPrefix("-") { return word }
            if valued.contains(word) { _ = words.popFirst() }
        }
        return nil
    }

    /// `10`, `1.5m`, `2h`: timeout(1)'s durations, in whole seconds.
    private static func duration(_ word: String) -> Int? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        guard let last = word.last else { return nil }
        let unit = units[last]
        return Double(unit == nil ? word : String(word.dropLast())).map { ($0 * (unit ?? 1)).wholeSeconds }
    }
}
