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
    ///   - standardError: Its standard error, or the end of it.
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
