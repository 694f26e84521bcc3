public import ErrorCore
import Logging
import Synchronization

/// A responder that stores the errors that it is asked about, and gives prepared answers.
public final class RecordingResponder: ErrorResponder {
    private struct State: Sendable {
        weak var parent: (any ErrorResponder)?
        var answers: [ErrorDisposition?]
        var errors: [any Error] = []
    }

    private let state: Mutex<State>

    /// A responder.
    ///
    /// - Parameters:
    ///   - answers: The answers, in order. nil passes the error on, and so does the responder after the last answer.
    ///   - parent: The next responder to ask; held weakly.
    public init(answering answers: [ErrorDisposition?] = [], parent: (any ErrorResponder)? = nil) {
        state = Mutex(State(parent: parent, answers: answers))
    }

    /// The errors that it was asked about, in order.
    public var errors: [any Error] { state.withLock { $0.errors } }

    /// The next responder to ask.
    public var parentResponder: (any ErrorResponder)? { state.withLock { $0.parent } }

    /// The next answer.
    public func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        state.withLock { state in
            state.errors.append(error)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
    }
}
