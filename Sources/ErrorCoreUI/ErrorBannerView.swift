#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    /// An error as a strip across a view.
    public struct ErrorBannerView: View {
        private let presentation: ErrorPresentation
        private let choose: @MainActor (ErrorRecoveryOption) -> Void

        /// A strip for an error; `choose` is called with the option that is tapped.
        public init(_ presentation: ErrorPresentation, choose: @escaping @MainActor (ErrorRecoveryOption) -> Void) {
            self.presentation = presentation
            self.choose = choose
        }

        /// Symbol, words and buttons.
        public var body: some View {
            HStack(alignment: .top, spacing: 12) {
                Image(systemName: presentation.icon)
                    .foregroundStyle(presentation.severity.color)
                    .accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 6) {
                    ErrorTextView(presentation)
                    HStack { ErrorOptionButtons(presentation, choose: choose) }
                }
                Spacer(minLength: 0)
            }
            .padding()
            .background(presentation.severity.color.opacity(0.12), in: RoundedRectangle(cornerRadius: 12))
            .accessibilityElement(children: .contain)
        }
    }
#endif
