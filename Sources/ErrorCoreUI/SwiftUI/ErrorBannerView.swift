#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    /// An error as a strip across a view.
    public struct ErrorBannerView: View {
        private let presentation: ErrorPresentation
        private let coloring: ErrorColoring
        private let close: (@MainActor () -> Void)?
        private let choose: @MainActor (ErrorRecoveryOption) -> Void

        /// A strip for an error.
        ///
        /// - Parameters:
        ///   - presentation: The error.
        ///   - coloring: The meaning of the colour.
        ///   - close: The close button's action; nil hides the button.
        ///   - choose: Receives the tapped option.
        public init(
            _ presentation: ErrorPresentation, coloring: ErrorColoring = .severity, close: (@MainActor () -> Void)? = nil,
            choose: @escaping @MainActor (ErrorRecoveryOption) -> Void
        ) {
            self.presentation = presentation
            self.coloring = coloring
            self.close = close
            self.choose = choose
        }

        /// Symbol, text, buttons and a close button.
        public var body: some View {
            HStack(alignment: .top, spacing: 12) {
                Image(systemName: presentation.icon)
                    .foregroundStyle(color)
                    .accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 6) {
                    ErrorTextView(presentation)
                    HStack { ErrorOptionButtons(presentation, choose: choose) }
                }
                Spacer(minLength: 0)
                if let close {
                    Button(action: close) { Image(systemName: "xmark") }
                        .buttonStyle(.borderless)
                        .accessibilityLabel(Text(verbatim: ErrorRecoveryOption.dismiss.title))
                }
            }
            .padding()
            .background(color.opacity(0.12), in: RoundedRectangle(cornerRadius: 12))
            .accessibilityElement(children: .contain)
        }

        private var color: Color { coloring.tint(of: presentation).color }
    }
#endif

#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    extension View {
        /// Shows a handler's errors as a strip at the top of this view, one after another. Each can be closed.
        public func errorBanner(_ handler: ErrorHandler, coloring: ErrorColoring = .severity) -> some View {
            modifier(HandledErrorBanner(handler, coloring: coloring))
        }
    }

    struct HandledErrorBanner: ViewModifier {
        @State private var presenter: ErrorPresenter
        private let coloring: ErrorColoring

        init(_ handler: ErrorHandler, coloring: ErrorColoring) {
            _presenter = State(initialValue: ErrorPresenter(handler, style: .banner))
            self.coloring = coloring
        }

        func body(content: Content) -> some View {
            content
                .safeAreaInset(edge: .top) {
                    if let shown = presenter.shown {
                        ErrorBannerView(
                            shown, coloring: coloring, close: { presenter.answer(shown, with: nil) }
                        ) { option in
                            presenter.answer(shown, with: option.id)
                        }
                        .id(shown.id)
                        .padding(.horizontal)
                    }
                }
                .task { await presenter.follow() }
        }
    }
#endif
