public import Logging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error in the form that is written and leaves the process: bounded, redacted, codable.
public struct ErrorRecord: Sendable, Hashable, Codable {
    /// When it was handled, in UTC (RFC 3339).
    public let time: String
    /// The stable code.
    public let code: String
    /// The ``AppError`` case that it is or becomes.
    public let appErrorCase: String
    /// The category.
    public let category: String
    /// The severity.
    public let severity: ErrorSeverity
    /// Whether a retry can help: the name of a ``RetryAdvice``.
    public let retry: String
    /// One to four words.
    public let title: String
    /// The message, at most 1000 characters.
    public let message: String
    /// The user's action.
    public let action: String?
    /// The identifier of the request.
    public let requestID: String?
    /// The place in the source, `Module/File.swift:12 function()`; nil if it was left out.
    public private(set) var place: String?
    /// The facts of the error and of the context. If both have a key, the context's key gets the prefix `context_`.
    public let metadata: [String: String]
    /// The codes, or else the types, of the underlying errors.
    public let causes: [String]
    /// The stack where it happened, if the context captured it.
    public let stack: [String]?

    private enum CodingKeys: String, CodingKey {
        case time, code, appErrorCase = "case", category, severity, retry, title, message, action, requestID, place = "source",
            metadata
        case causes, stack
    }

    /// The record without source locations, which mean nothing to an operator.
    public var withoutSource: ErrorRecord {
        var record = self
        record.place = nil
        return record
    }

    init(_ profile: ErrorProfile, context: ErrorContext, date: Date, redactor: Redactor) {
        var facts = profile.metadata
        facts.merge(context.values, keepingBothUnder: "context_")
        time = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        code = profile.code
        appErrorCase = profile.appError.kind.caseName
        category = profile.category.rawValue
        severity = profile.severity
        retry = profile.retry.name
        title = redactor.text(profile.title).cut(to: 100)
        message = redactor.text(profile.message.withoutIsolates).cut(to: 1000)
        action = context.action.map { redactor.text($0).cut(to: 200) }
        requestID = context.requestID?.cut(to: 100)
        place = "\(context.file):\(context.line) \(context.function)".cut(to: 300)
        metadata = redactor.metadata(facts).entries
        causes = profile.chain.dropFirst().map { cause in
            (cause as? any ClassifiedError)?.errorCode ?? String(describing: type(of: cause))
        }
        stack = context.stack.isEmpty ? nil : context.stack.map(redactor.text)
    }
}

extension ErrorSeverity {
    /// The log level for this severity.
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
    /// The structured metadata of a log line: `error_code`, `category`, `severity` and the error's own facts. A fact with one of
    /// these names gets the prefix `fact_`.
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

/// Gives access to ``ErrorRecord/place`` under its former name: `source` was a string at first and later an optional string. Both
/// forms still compile.
@available(*, deprecated, renamed: "ErrorRecord")
public protocol OldErrorRecord {
    /// ``ErrorRecord/place``.
    var place: String? { get }
}

@available(*, deprecated, renamed: "ErrorRecord")
extension OldErrorRecord {
    /// ``ErrorRecord/place``.
    @available(*, deprecated, renamed: "place")
    public var source: String? { place }
}

@available(*, deprecated)
extension ErrorRecord: OldErrorRecord {}
