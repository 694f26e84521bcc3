#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    /// An error that replaces content that could not be loaded.
    public struct ErrorFullScreenView: View {
        private let presentation: ErrorPresentation
        private let coloring: ErrorColoring
        private let choose: @MainActor (ErrorRecoveryOption) -> Void

        /// A screen for an error; `choose` receives the tapped option.
        public init(
            _ presentation: ErrorPresentation, coloring: ErrorColoring = .severity,
            choose: @escaping @MainActor (ErrorRecoveryOption) -> Void
        ) {
            self.presentation = presentation
            self.coloring = coloring
            self.choose = choose
        }

        /// Symbol, text and buttons, centred.
        public var body: some View {
            VStack(spacing: 16) {
                Image(systemName: presentation.icon)
                    .font(.largeTitle)
                    .foregroundStyle(coloring.tint(of: presentation).color)
                    .accessibilityHidden(true)
                ErrorTextView(presentation).multilineTextAlignment(.center)
                ErrorOptionButtons(presentation, choose: choose)
            }
            .padding()
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
    }
#endif
