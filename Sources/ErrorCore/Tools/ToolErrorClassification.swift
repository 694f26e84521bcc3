/// The kind of a tool's or command's failure, and the ``AppError`` for it.
///
/// A thrown error is classified by its type. Otherwise the exit status decides, if the tool gives it a known meaning; then the
/// last informative line of standard error; then the conventions of sysexits.h. The result is advice: a program can print
/// anything.
public struct ToolErrorClassification: Sendable, Hashable {
    /// The kinds, by the help that they need.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The tool was not permitted to do something.
        case permission
        /// The tool could not reach something.
        case network
        /// The tool could not parse its input or a response.
        case parse
        /// Anything else.
        case unknown
    }

    /// The kind.
    public let kind: Kind
    /// The app-wide case.
    public let appError: AppError

    /// The classification of a known case.
    public init(_ appError: AppError) {
        self.appError = appError
        // Some statuses concern the caller's rights, not the network.
        if case .serverError(let status, _) = appError, [401, 402, 403, 407, 451].contains(status) {
            kind = .permission
        } else {
            kind = Kind(appError.kind)
        }
    }

    /// The classification of an error that a tool threw.
    public init(_ error: any Error) {
        self.init(AppError(error))
    }

    /// The classification of a tool's failure; nil if its status is 0, whatever its output.
    ///
    /// - Parameters:
    ///   - tool: The program, with or without its path.
    ///   - exitStatus: The exit status; nil if it was killed or did not start.
    ///   - standardError: Its standard error, or the end of that.
    public init?(tool: String, exitStatus: Int?, standardError: String) {
        if exitStatus == 0 { return nil }
        let name = tool.split(separator: "/").last.map(String.init) ?? tool
        if let rule = exitStatus.flatMap({ ToolRules.meaning(of: $0, from: name) }) {
            self.init(rule.appError(tool: name, line: standardError.lastLine ?? ""))
            return
        }
        let lines = standardError.split(whereSeparator: \.isNewline).suffix(Self.linesRead)
        for line in lines.reversed() {
            guard let rule = ToolRules.match(line) else { continue }
            self.init(rule.appError(tool: name, line: line.trimmed))
            return
        }
        if let rule = ToolRules.conventions[exitStatus ?? -1] {
            self.init(rule.appError(tool: name, line: standardError.lastLine ?? ""))
            return
        }
        let end = exitStatus.map { "ended with status \($0)" } ?? "did not end by itself"
        let words = standardError.lastLine.map { ": \($0.trimmed.cut(to: 200))" } ?? ""
        self.init(.unknown(message: "\(name) \(end)\(words)"))
    }

    /// The number of last lines of standard error to inspect: a tool explains at the end why it gave up.
    private static let linesRead = 20
}

extension ToolErrorClassification.Kind {
    init(_ kind: AppError.Kind) {
        switch kind {
        case .permissionDenied, .permissionTimeout, .permissionSystemError, .filePermissionDenied, .apiUnauthorized,
            .sshAuthenticationFailed:
            self = .permission
        case .networkUnavailable, .timeout, .serverError, .sslError, .dnsError, .webSocketConnectionFailed,
            .webSocketDisconnected, .webSocketPingTimeout, .apiRateLimited, .sshConnectionFailed, .sshTimeout:
            self = .network
        case .webSocketMessageInvalid, .apiDecodingError, .apiMissingField, .encodingError, .decodingError:
            self = .parse
        default:
            self = .unknown
        }
    }
}

/// The tables of ``ToolErrorClassification``.
package enum ToolRules {
    /// The meaning of a line or a status.
    package enum Meaning: Sendable {
        case permission, noConnection, timeout, noHost, tls, parse

        func appError(tool: String, line: String) -> AppError {
            switch self {
            case .permission:
                ToolRules.path(before: "permission denied", in: line).map { .filePermissionDenied(path: $0) }
                    ?? .permissionDenied(tool: tool)
            case .noConnection: .networkUnavailable
            case .timeout: .timeout(seconds: 0)
            case .noHost: .dnsError(host: ToolRules.host(in: line) ?? "")
            case .tls: .sslError(description: line)
            case .parse: .decodingError(type: "\(tool)’s input", detail: line)
            }
        }
    }

    /// Statuses with a tool's own meaning, from the EXIT CODES or EXIT STATUS section of its man page.
    private static let programs: [String: [Int: Meaning]] = [
        "curl": [
            5: .noHost, 6: .noHost, 7: .noConnection, 28: .timeout, 35: .tls, 51: .tls, 58: .tls, 60: .tls, 66: .tls,
            67: .permission, 77: .tls, 82: .tls, 83: .tls, 90: .tls, 91: .tls,
        ],
        "wget": [2: .parse, 4: .noConnection, 5: .tls, 6: .permission],
        "rsync": [5: .noConnection, 10: .noConnection, 12: .parse, 30: .timeout, 35: .timeout],
        "timeout": [124: .timeout],
        "jq": [2: .parse, 5: .parse],
    ]

    /// The meaning of a program's exit status; nil if its manual defines none.
    package static func meaning(of status: Int, from program: String) -> Meaning? { programs[program]?[status] }

    /// sysexits(3head), and the shells' status 126 for a file that cannot be executed.
    static let conventions: [Int: Meaning] = [
        65: .parse, 68: .noHost, 69: .noConnection, 75: .noConnection, 76: .parse, 77: .permission, 126: .permission,
    ]

    /// Texts of the C library (strerror, gai_strerror) and of common tools, in lower case. The first row that occurs in the line
    /// applies.
    private static let words: [(words: String, meaning: Meaning)] = [
        ("permission denied", .permission), ("operation not permitted", .permission), ("access denied", .permission),
        ("not authorized", .permission), ("unauthorized", .permission), ("forbidden", .permission),
        ("authentication failed", .permission), ("a password is required", .permission),
        ("could not resolve", .noHost), ("name or service not known", .noHost), ("temporary failure in name resolution", .noHost),
        ("no address associated with hostname", .noHost), ("nodename nor servname provided", .noHost), ("enotfound", .noHost),
        ("unknown host", .noHost),
        ("connection refused", .noConnection), ("network is unreachable", .noConnection), ("no route to host", .noConnection),
        ("connection reset by peer", .noConnection), ("network is down", .noConnection), ("econnrefused", .noConnection),
        ("connection closed by", .noConnection), ("failed to connect", .noConnection), ("broken pipe", .noConnection),
        ("timed out", .timeout), ("timeout was reached", .timeout), ("etimedout", .timeout),
        ("certificate", .tls), ("ssl routines", .tls), ("tls handshake", .tls), ("ssl_error", .tls),
        ("syntax error", .parse), ("parse error", .parse), ("unexpected token", .parse), ("invalid json", .parse),
        ("jsondecodeerror", .parse), ("malformed", .parse), ("unexpected end of", .parse), ("invalid syntax", .parse),
        ("could not parse", .parse), ("failed to parse", .parse), ("unterminated", .parse),
    ]

    static func match(_ line: Substring) -> Meaning? {
        let line = line.lowercased()
        return words.first { line.contains($0.words) }?.meaning
    }

    /// The path in `program: path: words`, if the part before the words looks like one.
    private static func path(before words: String, in line: String) -> String? {
        guard let range = line.lowercased().firstRange(of: words) else { return nil }
        let before = line.lowercased().distance(from: line.lowercased().startIndex, to: range.lowerBound)
        let parts = line.prefix(before).split(separator: ":").map { String($0).trimmed }.filter { !$0.isEmpty }
        guard parts.count > 1, let last = parts.last else { return nil }
        let word = last.split(separator: " ").last.map(String.init) ?? last
        let bare = word.filter { !"'\"‘’“”`".contains($0) }
        return bare.contains("/") ? bare : nil
    }

    /// The host in `…: host` or `host: words`: the word that looks like a host name.
    private static func host(in line: String) -> String? {
        let words = line.split { " '\"‘’“”`,;()".contains($0) }.map { $0.hasSuffix(":") ? $0.dropLast() : $0 }
        if let host = words.lastIndex(where: { $0.lowercased() == "host" || $0.lowercased() == "hostname" }),
            host + 1 < words.count
        {
            let next = words[host + 1]
            if let colon = next.firstIndex(of: ":") { return String(next[..<colon]) }
            return String(next)
        }
        return words.last { $0.contains(".") && !$0.contains("/") && $0.last != "." }.map(String.init)
    }
}
