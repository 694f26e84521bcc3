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
    /// The structured metadata of a log line: `error_code`, `category`, `severity` and the error's own facts. A fact under one of
    /// these names goes under `fact_` and the name.
    public var logMetadata: Logger.Metadata {
        var result: Logger.Metadata = [
            "error_code": .string(code), "category": .string(category), "severity": .string(severity.rawValue),
            "retry": .string(retry),
        ]
        result["action"] = action.map { .string($0) }
        result["request_id"] = requestID.map { .string($0) }
        if !causes.isEmpty { result["causes"] = .array(causes.map { .string($0) }) }
        if let stack { result["stack"] = .array(stack.map { .string($0) }) }
        for (key, value) in metadata {
            let isTaken = result[key].map { $0 != .string(value) } ?? false
            result[isTaken ? "fact_" + key : key] = .string(value)
        }
        return result
    }
}
