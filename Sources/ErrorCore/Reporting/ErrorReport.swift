#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error that was handled: what it is, where it happened, when.
public struct ErrorReport: Sendable, Identifiable {
    /// This occurrence.
    public let id: UUID
    /// The error and its answers.
    public let summary: ErrorSummary
    /// Where it happened.
    public let context: ErrorContext
    /// When it was handled.
    public let date: Date
    /// The same for logs and reporters: text only, without secrets.
    public let record: ErrorRecord

    /// A report of an error.
    public init(_ error: any Error, context: ErrorContext, date: Date = Date(), redactor: Redactor = .standard) {
        let summary = ErrorSummary(error)
        id = UUID()
        self.summary = summary
        self.context = context
        self.date = date
        record = ErrorRecord(summary, context: context, date: date, redactor: redactor)
    }
}

/// A report as it leaves the process: bounded, redacted, codable.
public struct ErrorRecord: Sendable, Hashable, Codable {
    /// When it was handled, in UTC (RFC 3339).
    public let time: String
    /// The stable code.
    public let code: String
    /// The case of ``AppError`` that it is or becomes.
    public let appErrorCase: String
    /// What it is about.
    public let category: String
    /// How bad it is.
    public let severity: ErrorSeverity
    /// Whether trying again can help: the name of a ``RetryAdvice``.
    public let retry: String
    /// One to four words.
    public let title: String
    /// What happened, at most 1000 characters.
    public let message: String
    /// What the person was doing.
    public let action: String?
    /// What ties it to a request.
    public let requestID: String?
    /// The place in the source, `Module/File.swift:12 function()`.
    public let source: String
    /// The facts of the error and of the context, the context's under its own keys.
    public let metadata: [String: String]
    /// The codes, or the types, of the errors under it.
    public let causes: [String]

    private enum CodingKeys: String, CodingKey {
        case time, code, appErrorCase = "case", category, severity, retry, title, message, action, requestID, source, metadata
        case causes
    }

    init(_ summary: ErrorSummary, context: ErrorContext, date: Date, redactor: Redactor) {
        var facts = summary.metadata
        facts.merge(context.values)
        time = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        code = summary.code
        appErrorCase = summary.appError.kind.caseName
        category = summary.category.rawValue
        severity = summary.severity
        retry = summary.retry.name
        title = redactor.text(summary.title).cut(to: 100)
        message = redactor.text(summary.message).cut(to: 1000)
        action = context.action.map { redactor.text($0).cut(to: 200) }
        requestID = context.requestID?.cut(to: 100)
        source = "\(context.file):\(context.line) \(context.function)".cut(to: 300)
        metadata = redactor.metadata(facts).entries
        causes = summary.chain.dropFirst().map { cause in
            (cause as? any ClassifiedError)?.errorCode ?? String(describing: type(of: cause))
        }
    }
}
