#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    /// An error in place of the content that could not be had.
    public struct ErrorFullScreenView: View {
        private let presentation: ErrorPresentation
        private let choose: @MainActor (ErrorRecoveryOption) -> Void

        /// A screen for an error; `choose` is called with the option that is tapped.
        public init(_ presentation: ErrorPresentation, choose: @escaping @MainActor (ErrorRecoveryOption) -> Void) {
            self.presentation = presentation
            self.choose = choose
        }

        /// Symbol, words and buttons, centred.
        public var body: some View {
            VStack(spacing: 16) {
                Image(systemName: presentation.icon)
                    .font(.largeTitle)
                    .foregroundStyle(presentation.severity.color)
                    .accessibilityHidden(true)
                ErrorTextView(presentation).multilineTextAlignment(.center)
                ErrorOptionButtons(presentation, choose: choose).buttonStyle(.bordered)
            }
            .padding()
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
    }
#endif
