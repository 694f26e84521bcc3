extension AppError {
    /// What the case carries, by label, as its text shows it: unknown sizes and empty words are left out.
    var values: [String: String] {
        var result: [String: String] = [:]
        for (name, value) in labelledValues {
            guard let value else { continue }
            let text = value.trimmed
            if !text.isEmpty { result[name] = text.cut(to: 300) }
        }
        return result
    }

    private var labelledValues: KeyValuePairs<String, String?> {
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
            ["required": Self.bytes(required), "available": required > 0 || available > 0 ? Self.bytes(available) : nil]
        case .databaseError(let operation, let detail): ["operation": operation, "detail": detail]
        case .migrationError(let from, let to, let reason): ["from": String(from), "to": String(to), "reason": reason]
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

    /// A size in binary units with at most one decimal, such as `1.5 GB`; nil for an unknown one.
    private static func bytes(_ count: Int64) -> String? {
        guard count > 0 else { return nil }
        let units = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB"]
        var size = Double(count)
        var unit = 0
        while size >= 1024, unit < units.count - 1 {
            size /= 1024
            unit += 1
        }
        let tenths = (size * 10).rounded()
        let whole = Int64(tenths) / 10
        let decimal = Int64(tenths) % 10
        return decimal == 0 || unit == 0 ? "\(whole) \(units[unit])" : "\(whole).\(decimal) \(units[unit])"
    }
}
