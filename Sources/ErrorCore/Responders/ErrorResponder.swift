public import Logging

/// An object that handles errors, and passes to its parent those that it does not handle.
///
/// Hold the parent weakly: it usually owns the responder. The requirements are asynchronous, so a class on the main actor can
/// conform directly:
/// ```swift
/// @MainActor final class EditorModel: ErrorResponder {
///     weak var parentResponder: (any ErrorResponder)?
///     func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? {
///         AppError(error) == .agentBusy ? .retry : nil
///     }
/// }
/// ```
public protocol ErrorResponder: AnyObject, Sendable {
    /// The next responder to ask; nil for the last.
    var parentResponder: (any ErrorResponder)? { get async }
    /// The decision about an error; nil passes the error to the parent.
    func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition?
}

extension ErrorResponder {
    /// The decision of this responder, or of the first one above it that has one.
    ///
    /// If there is none, the error is logged and the decision is ``ErrorDisposition/cancel``.
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

    /// Runs an operation, and asks for a decision about each error that it throws.
    ///
    /// - Returns: The operation's result; nil if it failed and the decision was to proceed or to cancel.
    /// - Throws: The operation's error, if the decision was to abort.
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

    /// The decision of this responder, or of the first one above it that has one.
    func firstResponse(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        var asked: Set<ObjectIdentifier> = []
        var next: (any ErrorResponder)? = self
        // A cycle of parents is a bug in the app; the loop stops when it closes.
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
    /// Continue as if the error had not happened.
    case proceed
    /// Repeat the operation.
    case retry
    /// Cancel the current operation.
    case cancel
    /// Cancel the current operation and everything that belongs to it.
    case abort
}
