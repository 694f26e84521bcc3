#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    extension View {
        /// Shows the errors of a handler as a strip at the top of this view, one after another. Each can be closed.
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
