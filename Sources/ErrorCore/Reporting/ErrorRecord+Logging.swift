public import Logging

extension ErrorSeverity {
    /// The level that it is logged at.
    public var logLevel: Logger.Level {
        switch self {
        case .info: .info
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}

extension ErrorRecord {
    /// The structured metadata of a log line: `error_code`, `category`, `severity` and the error's own facts.
    public var logMetadata: Logger.Metadata {
        var result = metadata.mapValues { Logger.MetadataValue.string($0) }
        result["error_code"] = .string(code)
        result["category"] = .string(category)
        result["severity"] = .string(severity.rawValue)
        result["retry"] = .string(retry)
        result["action"] = action.map { .string($0) }
        result["request_id"] = requestID.map { .string($0) }
        if !causes.isEmpty { result["causes"] = .array(causes.map { .string($0) }) }
        return result
    }
}
