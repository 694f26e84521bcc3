#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    extension View {
        /// Shows the errors of a handler as alerts, one after another.
        /// ```swift
        /// ContentView().errorAlert(errors)
        /// ```
        public func errorAlert(_ handler: ErrorHandler) -> some View {
            modifier(HandledErrorAlert(handler))
        }

        /// Shows an error as an alert while there is one.
        ///
        /// - Parameters:
        ///   - presentation: The error; nil when the alert is closed.
        ///   - choose: Gets the option that was tapped, nil for an OK that only closes, and the error that it belongs to.
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

    /// Shows what an ``ErrorPresenter`` has to show, and gives it the answers.
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
            // The error that this body shows: the system may close its alert after the presenter has gone on.
            let current = presenter.shown
            return Binding(
                get: { @MainActor in presenter.shown },
                set: { @MainActor in if $0 == nil, let current { presenter.alertDidClose(current) } })
        }
    }

    /// The buttons of an alert.
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
