public import Logging

/// What is done about an error.
public enum ErrorResponse: String, Sendable, Hashable, CaseIterable {
    /// Go on as if it had not happened.
    case proceed
    /// Do the same again.
    case retry
    /// Give up what was being done.
    case cancel
    /// Give up everything that belongs to it.
    case abort
}

/// Something that can answer for errors, and has someone above it who is asked what it does not answer.
///
/// Hold the parent weakly: it usually owns you.
public protocol ErrorResponder: AnyObject, Sendable {
    /// Who is asked next.
    var parentResponder: (any ErrorResponder)? { get }
    /// What to do about an error; nil passes it to the parent.
    func response(to error: any Error, context: ErrorContext) async -> ErrorResponse?
}

extension ErrorResponder {
    /// What this responder, or the first above it that answers, does about an error.
    ///
    /// An error that nobody answers for is logged and answered ``ErrorResponse/cancel``.
    public func respond(
        to error: any Error, context: ErrorContext? = nil, logger: Logger = Logger(label: "errors"),
        file: String = #fileID, function: String = #function, line: Int = #line
    ) async -> ErrorResponse {
        let context = context ?? ErrorContext(file: file, function: function, line: line)
        var asked: Set<ObjectIdentifier> = []
        var next: (any ErrorResponder)? = self
        // A circle of parents is a mistake of the app's: it ends where it closes.
        while let responder = next, asked.insert(ObjectIdentifier(responder)).inserted {
            if let response = await responder.response(to: error, context: context) { return response }
            next = responder.parentResponder
        }
        let record = ErrorReport(error, context: context).record
        logger.log(
            level: record.severity.logLevel, "Nobody answered for an error: \(record.message)", metadata: record.logMetadata,
            file: context.file, function: context.function, line: UInt(max(0, context.line)))
        return .cancel
    }

    /// Runs an operation, and asks about each error that it throws.
    ///
    /// - Returns: What the operation returned; nil if it failed and the answer was to proceed or to cancel.
    /// - Throws: The operation's error, if the answer was to abort.
    public func responding<Result>(
        isolation: isolated (any Actor)? = #isolation, file: String = #fileID, function: String = #function, line: Int = #line,
        to operation: () async throws -> Result
    ) async throws -> Result? {
        while true {
            do {
                return try await operation()
            } catch {
                switch await respond(to: error, file: file, function: function, line: line) {
                case .retry: if Task.isCancelled { return nil }
                case .proceed, .cancel: return nil
                case .abort: throw error
                }
            }
        }
    }
}
