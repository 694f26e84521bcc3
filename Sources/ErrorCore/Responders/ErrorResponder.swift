public import Logging

/// An object that handles errors. It passes the errors that it does not handle to its parent.
///
/// Hold the parent weakly: it usually owns you. The requirements are asynchronous, so a class of the main actor meets them as
/// it is:
/// ```swift
/// @MainActor final class EditorModel: ErrorResponder {
///     weak var parentResponder: (any ErrorResponder)?
///     func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? {
///         AppError(error) == .agentBusy ? .retry : nil
///     }
/// }
/// ```
public protocol ErrorResponder: AnyObject, Sendable {
    /// The responder that is asked next; nil for the last.
    var parentResponder: (any ErrorResponder)? { get async }
    /// What to do about an error; nil passes it to the parent.
    func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition?
}

extension ErrorResponder {
    /// What this responder, or the first above it that answers, does about an error.
    ///
    /// An error without an answer is logged and answered ``ErrorDisposition/cancel``.
    @discardableResult
    public func respond(
        to error: any Error, context: ErrorContext? = nil, logger: Logger = Logger(label: "errors"),
        file: String = #fileID, function: String = #function, line: Int = #line
    ) async -> ErrorDisposition {
        let context = context ?? ErrorContext(file: file, function: function, line: line)
        if let response = await firstResponse(to: error, context: context) { return response }
        UnansweredError.log(error, context: context, logger: logger)
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

    /// The answer of this responder or the first above it that has one.
    func firstResponse(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        var asked: Set<ObjectIdentifier> = []
        var next: (any ErrorResponder)? = self
        // A circle of parents is a mistake of the app's: it ends where it closes.
        while let responder = next, asked.insert(ObjectIdentifier(responder)).inserted {
            if let response = await responder.response(to: error, context: context) { return response }
            next = await responder.parentResponder
        }
        return nil
    }
}

enum UnansweredError {
    static func log(_ error: any Error, context: ErrorContext, logger: Logger) {
        let record = ErrorOccurrence(error, context: context).record
        logger.log(
            level: record.severity.logLevel, "No responder answered for an error: \(record.message)",
            metadata: record.logMetadata, file: context.file, function: context.function, line: UInt(max(0, context.line)))
    }
}

/// A responder's decision about an error.
public enum ErrorDisposition: String, Sendable, Hashable, CaseIterable {
    /// Continue as if it had not happened.
    case proceed
    /// Do the same again.
    case retry
    /// Cancel the current operation.
    case cancel
    /// Cancel the current operation and everything that belongs to it.
    case abort
}
