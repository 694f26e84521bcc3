#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    extension EnvironmentValues {
        /// Asks the responders above a view about an error: `await respondToError(error)`.
        @Entry public var respondToError = RespondToError()
    }

    extension View {
        /// Lets a responder answer for the errors of the views in this one.
        public func errorResponder(_ responder: any ErrorResponder) -> some View {
            environment(\.respondToError, RespondToError(responder))
        }
    }
#endif
