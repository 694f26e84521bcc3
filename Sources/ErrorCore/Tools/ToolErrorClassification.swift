/// What kind of failure a tool or command had, and the ``AppError`` that it becomes.
///
/// An error that was thrown decides by its type. Otherwise the exit status decides where the tool is known to give it
/// a meaning, then the last telling line of standard error, then the conventions of sysexits.h. It is advice: a
/// program can print anything.
public struct ToolErrorClassification: Sendable, Hashable {
    /// The kinds that call for different help.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// It was not allowed to.
        case permission
        /// It could not reach something.
        case network
        /// It could not read what it was given or what came back.
        case parse
        /// Anything else.
        case unknown
    }

    /// The kind.
    public let kind: Kind
    /// The app-wide case that it becomes.
    public let appError: AppError

    /// The kind of a failure whose case is known already.
    public init(_ appError: AppError) {
        self.appError = appError
        // Some statuses are about who asks, not about the network.
        if case .serverError(let status, _) = appError, [401, 402, 403, 407, 451].contains(status) {
            kind = .permission
        } else {
            kind = Kind(appError.kind)
        }
    }

    /// The kind of an error that a tool threw.
    public init(_ error: any Error) {
        self.init(AppError(error))
    }

    /// The kind of a tool's failure; nil if it succeeded: status 0, with any output.
    ///
    /// - Parameters:
    ///   - tool: The program, with or without its directory.
    ///   - exitStatus: Its exit status; nil if it was killed or did not start.
    ///   - standardError: What it wrote there, or the end of it.
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

    /// The lines of standard error that are looked at: a tool says last why it gave up.
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
