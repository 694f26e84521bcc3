#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    extension EnvironmentValues {
        /// Asks the responders above a view about an error: `await respondToError(error)`.
        public var respondToError: RespondToError {
            get { self[RespondToErrorKey.self] }
            set { self[RespondToErrorKey.self] = newValue }
        }
    }

    private struct RespondToErrorKey: EnvironmentKey {
        static let defaultValue = RespondToError()
    }

    extension View {
        /// Lets a closure answer for the errors of the views in this one; nil passes an error to the responders above.
        /// ```swift
        /// EditorView().respondToError { error, context in AppError(error) == .agentBusy ? .retry : nil }
        /// ```
        public func respondToError(
            _ answer: @escaping @MainActor (any Error, ErrorContext) async -> ErrorDisposition?
        ) -> some View {
            transformEnvironment(\.respondToError) { $0 = $0.asking(first: answer) }
        }

        /// Lets a responder and its parents answer for the errors of the views in this one, before the responders above. It is
        /// held weakly.
        public func errorResponder(_ responder: any ErrorResponder) -> some View {
            transformEnvironment(\.respondToError) { $0 = $0.asking(first: responder) }
        }
    }
#endif
