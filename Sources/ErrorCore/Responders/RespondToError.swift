import Logging

/// Asks the responders in scope about an error. A view gets it from its environment: `await respondToError(error)`.
public struct RespondToError: Sendable {
    /// Decides about an error; nil passes it on.
    public typealias Answer = @Sendable (any Error, ErrorContext) async -> ErrorDisposition?

    /// The nearest answer first.
    private var answers: [Answer] = []

    /// Asks this responder and its parents, or none if nil. The responder is held weakly.
    public init(_ responder: (any ErrorResponder)? = nil) {
        if let responder { self = asking(first: responder) }
    }

    /// Asks a function before the present responders.
    public func asking(first answer: @escaping Answer) -> RespondToError {
        var result = self
        result.answers.insert(answer, at: 0)
        return result
    }

    /// Asks a responder and its parents before the present ones. The responder is held weakly.
    public func asking(first responder: any ErrorResponder) -> RespondToError {
        func weakly(_ responder: some ErrorResponder) -> RespondToError {
            let reference = WeakReference(responder)
            return asking { error, context in await reference.object?.firstResponse(to: error, context: context) }
        }
        return weakly(responder)
    }

    /// The decision about an error. If there is none, the error is logged and the decision is ``ErrorDisposition/cancel``.
    @discardableResult
    public func callAsFunction(
        _ error: any Error, action: String? = nil, file: String = #fileID, function: String = #function, line: Int = #line
    ) async -> ErrorDisposition {
        let context = ErrorContext(action: action, file: file, function: function, line: line)
        for answer in answers {
            if let response = await answer(error, context) { return response }
        }
        UnansweredError.log(error, context: context, logger: Logger(label: "errors"))
        return .cancel
    }
}
