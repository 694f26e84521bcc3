extension AppError {
    /// The case's associated values by label, for its text. Unknown numbers are left out.
    func values(in text: ErrorText) -> [String: String] {
        var result: [String: String] = [:]
        for (name, value) in labelledValues(text) { result[name] = value }
        return result
    }

    private func labelledValues(_ text: ErrorText) -> KeyValuePairs<String, String?> {
        switch self {
        case .networkUnavailable, .webSocketPingTimeout, .apiUnauthorized, .agentBusy, .agentAborted, .cancelled: [:]
        case .timeout(let seconds), .sshTimeout(let seconds): ["seconds": Self.known(seconds)]
        case .serverError(let status, let message): ["status": Self.known(status), "message": message]
        case .sslError(let description): ["description": description]
        case .dnsError(let host), .sshHostKeyMismatch(let host): ["host": host]
        case .webSocketDisconnected(let code, let reason): ["code": code.map(String.init), "reason": reason]
        case .webSocketMessageInvalid(let detail), .permissionSystemError(let detail), .internalError(let detail):
            ["detail": detail]
        case .apiNotFound(let endpoint): ["endpoint": endpoint]
        case .apiBadRequest(let message), .agentExecutionError(let message), .unknown(let message): ["message": message]
        case .apiRateLimited(let retryAfter): ["retryAfter": retryAfter.flatMap(Self.known)]
        case .apiDecodingError(let type, let detail), .encodingError(let type, let detail), .decodingError(let type, let detail):
            ["type": type, "detail": detail]
        case .apiMissingField(let field): ["field": field]
        case .webSocketConnectionFailed(let reason), .agentCreationFailed(let reason), .sshKeyInvalid(let reason),
            .sessionExportFailed(let reason):
            ["reason": reason]
        case .agentSessionNotFound(let sessionId): ["sessionId": sessionId]
        case .agentModelUnavailable(let model): ["model": model]
        case .permissionDenied(let tool): ["tool": tool]
        case .permissionTimeout(let tool, let seconds): ["tool": tool, "seconds": Self.known(seconds)]
        case .sshConnectionFailed(let host, let reason): ["host": host, "reason": reason]
        case .sshAuthenticationFailed(let method): ["method": method]
        case .sshCommandFailed(let command, let exitCode, let stderr):
            [
                "command": Redactor.standard.command(command), "exitCode": exitCode < 0 ? nil : String(exitCode),
                "stderr": stderr?.lastLine,
            ]
        case .fileNotFound(let path), .filePermissionDenied(let path), .invalidProjectPath(let path),
            .projectNotFound(let path), .projectAlreadyExists(let path):
            ["path": path]
        case .fileReadError(let path, let reason), .fileWriteError(let path, let reason): ["path": path, "reason": reason]
        case .insufficientDiskSpace(let required, let available):
            ["required": Self.known(required).map(text.bytes), "available": Self.known(available).map(text.bytes)]
        case .databaseError(let operation, let detail): ["operation": operation, "detail": detail]
        case .migrationError(let from, let to, let reason):
            ["from": Self.version(from), "to": Self.version(to), "reason": reason]
        case .validationError(let field, let message): ["field": field, "message": message]
        case .invalidURL(let string): ["string": string]
        case .sessionNotFound(let id), .sessionArchived(let id): ["id": id]
        case .sessionSearchFailed(let query, let reason): ["query": query, "reason": reason]
        case .projectCloneFailed(let url, let reason): ["url": url, "reason": reason]
        case .featureUnavailable(let feature): ["feature": feature]
        }
    }

    /// Zero and negative numbers mean "not known".
    private static func known(_ number: Int) -> String? {
        number > 0 ? String(number) : nil
    }

    private static func known(_ size: Int64) -> Int64? {
        size > 0 ? size : nil
    }

    /// Only negative numbers mean "not known": 0 is a valid version.
    private static func version(_ number: Int) -> String? {
        number >= 0 ? String(number) : nil
    }
}

extension AppError: UserFacingError {
    /// One to four words that name the kind of failure.
    public var title: String { text(ErrorText.Key.title, row.title) }

    /// The event, in a sentence that a person can act on.
    public var userMessage: String { text(ErrorText.Key.message, row.message) }

    /// The choices to offer the person, the most useful first.
    public var recoveryOptions: [ErrorRecoveryOption] { row.options.map(ErrorRecoveryOption.common) }

    /// The name of an SF Symbol.
    public var icon: String { row.icon }

    /// The severity.
    public var severity: ErrorSeverity { row.severity }
}

extension AppError: ClassifiedError {
    /// The stable code, such as `network.unavailable`.
    public var errorCode: String { kind.rawValue }

    /// The category.
    public var category: ErrorCategory { row.category }

    /// The person's next step, in one sentence.
    public var recoverySuggestion: String? { row.suggestion.map { text(ErrorText.Key.suggestion, $0) } }

    /// Whether a retry can help, and when.
    public var retry: RetryAdvice {
        switch self {
        case .apiRateLimited(let seconds?) where seconds > 0: .backoff(minimumWait: .seconds(seconds))
        case .sshCommandFailed(_, exitCode: -1, _): .never
        default: row.retry
        }
    }

    /// A few short facts for logs and metrics, without secrets.
    public var metadata: ErrorMetadata {
        var result: ErrorMetadata = ["error_type": kind.caseName]
        switch self {
        case .serverError(let status, _): result["http_status"] = status > 0 ? String(status) : nil
        case .apiNotFound: result["http_status"] = "404"
        case .apiUnauthorized: result["http_status"] = "401"
        case .apiRateLimited: result["http_status"] = "429"
        case .dnsError(let host): result["host"] = host
        case .sshConnectionFailed(let host, _), .sshHostKeyMismatch(let host): result["ssh_host"] = host
        case .sshAuthenticationFailed(let method): result["ssh_method"] = method
        case .sshCommandFailed(let command, let exitCode, _):
            result["ssh_command"] = Redactor.standard.command(command)
            result["exit_code"] = String(exitCode)
        case .fileNotFound(let path), .fileReadError(let path, _), .fileWriteError(let path, _), .filePermissionDenied(let path),
            .projectNotFound(let path), .projectAlreadyExists(let path), .invalidProjectPath(let path):
            result["file_path"] = path
        case .sessionNotFound(let id), .sessionArchived(let id), .agentSessionNotFound(let id): result["session_id"] = id
        case .webSocketDisconnected(let code, _): result["close_code"] = code.map(String.init)
        case .permissionDenied(let tool), .permissionTimeout(let tool, _): result["tool"] = tool
        default: break
        }
        return result
    }
}

extension AppError {
    /// The catalogue's entry for this error.
    private var row: CatalogueRow {
        if case .serverError(let status, _) = self, let row = CatalogueRow.serverStatus(status) { return row }
        return kind.row
    }

    /// The app's text for a key, else the catalogue's. An HTTP status has keys of its own, such as
    /// `network.server-error.403.title`. The general key covers every status for which the app has no text.
    private func text(_ key: (String) -> ErrorText.Key, _ template: String) -> String {
        let current = ErrorText.current
        var keys = [key(errorCode)]
        if case .serverError(let status, _) = self { keys.insert(key("\(errorCode).\(status)"), at: 0) }
        return current.string(keys, default: template, values: values(in: current), for: self)
    }
}

extension AppError: AppErrorConvertible {
    /// The error itself.
    public var appError: AppError { self }
}
