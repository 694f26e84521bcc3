#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    extension View {
        /// Shows a handler's errors as alerts, one after another.
        /// ```swift
        /// ContentView().errorAlert(errors)
        /// ```
        public func errorAlert(_ handler: ErrorHandler) -> some View {
            modifier(HandledErrorAlert(handler))
        }

        /// Shows an alert while there is an error.
        ///
        /// - Parameters:
        ///   - presentation: The error; nil when the alert is closed.
        ///   - choose: Receives the tapped option, or nil for an OK that only closes, and the error.
        public func errorAlert(
            _ presentation: Binding<ErrorPresentation?>,
            choose: @escaping @MainActor (ErrorRecoveryOption?, ErrorPresentation) -> Void
        ) -> some View {
            let isShown = Binding(get: { presentation.wrappedValue != nil }, set: { if !$0 { presentation.wrappedValue = nil } })
            return alert(
                Text(verbatim: presentation.wrappedValue?.title ?? ""), isPresented: isShown,
                presenting: presentation.wrappedValue
            ) { shown in
                ErrorAlertButtons(shown) { choose($0, shown) }
            } message: { shown in
                Text(verbatim: ErrorAlertContent(shown).message)
            }
        }
    }

    /// Shows the error of an ``ErrorPresenter``, and passes on the answers.
    struct HandledErrorAlert: ViewModifier {
        @State private var presenter: ErrorPresenter

        init(_ handler: ErrorHandler) {
            _presenter = State(initialValue: ErrorPresenter(handler))
        }

        func body(content: Content) -> some View {
            content
                .errorAlert(shown) { option, presentation in
                    presenter.answer(presentation, with: option?.id)
                }
                .task { await presenter.follow() }
        }

        private var shown: Binding<ErrorPresentation?> {
            // Capture the error of this body: the system may close its alert after the presenter has moved on.
            let current = presenter.shown
            return Binding(
                get: { @MainActor in presenter.shown },
                set: { @MainActor in if $0 == nil, let current { presenter.alertDidClose(current) } })
        }
    }

    private struct ErrorAlertButtons: View {
        private let buttons: [ErrorAlertContent.Button]
        private let choose: @MainActor (ErrorRecoveryOption?) -> Void

        init(_ presentation: ErrorPresentation, choose: @escaping @MainActor (ErrorRecoveryOption?) -> Void) {
            buttons = ErrorAlertContent(presentation).buttons
            self.choose = choose
        }

        var body: some View {
            ForEach(buttons) { button in
                if button.isDefault && button.role == nil {
                    defaultButton(button)
                } else {
                    Button(button.title, role: button.role?.buttonRole) { choose(button.option) }
                }
            }
        }

        private func defaultButton(_ button: ErrorAlertContent.Button) -> some View {
            let plain = Button(button.title) { choose(button.option) }
            #if os(watchOS)
                return plain
            #else
                return plain.keyboardShortcut(.defaultAction)
            #endif
        }
    }
#endif

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
        /// Lets a closure decide about the errors of the views inside this one; nil passes an error to the responders above.
        /// ```swift
        /// EditorView().respondToError { error, context in AppError(error) == .agentBusy ? .retry : nil }
        /// ```
        public func respondToError(
            _ answer: @escaping @MainActor (any Error, ErrorContext) async -> ErrorDisposition?
        ) -> some View {
            transformEnvironment(\.respondToError) { $0 = $0.asking(first: answer) }
        }

        /// Lets a responder and its parents decide about the errors of the views inside this one, before the responders above.
        /// The responder is held weakly.
        public func errorResponder(_ responder: any ErrorResponder) -> some View {
            transformEnvironment(\.respondToError) { $0 = $0.asking(first: responder) }
        }
    }
#endif
