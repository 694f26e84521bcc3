extension AppError {
    /// What the case carries, by label, for its text. Numbers that stand for "not known" are left out.
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

    /// Zero and less stand for a number that is not known.
    private static func known(_ number: Int) -> String? {
        number > 0 ? String(number) : nil
    }

    private static func known(_ size: Int64) -> Int64? {
        size > 0 ? size : nil
    }

    /// There may be a version 0.
    private static func version(_ number: Int) -> String? {
        number >= 0 ? String(number) : nil
    }
}
