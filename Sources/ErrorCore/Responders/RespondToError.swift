/// Asks the responders of a place about an error: what a view gets from its environment.
public struct RespondToError: Sendable {
    private weak let responder: (any ErrorResponder)?

    /// Asks this responder, which is held weakly; nil, or one that is gone, leaves errors unanswered.
    public init(_ responder: (any ErrorResponder)? = nil) {
        self.responder = responder
    }

    /// What is done about an error; ``ErrorResponse/cancel`` if nobody answers.
    @discardableResult
    public func callAsFunction(
        _ error: any Error, action: String? = nil, file: String = #fileID, function: String = #function, line: Int = #line
    ) async -> ErrorResponse {
        let context = ErrorContext(action: action, file: file, function: function, line: line)
        // An empty chain logs the error that nobody answers for.
        let asked = responder ?? ErrorResponderChain()
        return await asked.respond(to: error, context: context)
    }
}
