#if canImport(SwiftUI)
    import ErrorCore
    import SwiftUI

    /// The words of an error.
    struct ErrorTextView: View {
        private let presentation: ErrorPresentation

        init(_ presentation: ErrorPresentation) {
            self.presentation = presentation
        }

        var body: some View {
            VStack(alignment: .leading, spacing: 4) {
                Text(verbatim: presentation.title).font(.headline)
                Text(verbatim: presentation.message)
                ForEach(presentation.details, id: \.self) { detail in
                    LabeledContent {
                        Text(verbatim: detail.value).textSelection(.enabled)
                    } label: {
                        Text(verbatim: detail.label)
                    }
                }
                if let failure = presentation.recoveryFailure { Text(verbatim: failure).italic() }
                if let suggestion = presentation.suggestion {
                    Text(verbatim: suggestion).font(.subheadline).foregroundStyle(.secondary)
                }
            }
        }
    }

    /// The buttons of an error: the options that the model has, no more.
    struct ErrorOptionButtons: View {
        private let presentation: ErrorPresentation
        private let choose: @MainActor (ErrorRecoveryOption) -> Void

        init(_ presentation: ErrorPresentation, choose: @escaping @MainActor (ErrorRecoveryOption) -> Void) {
            self.presentation = presentation
            self.choose = choose
        }

        var body: some View {
            ForEach(presentation.options) { option in
                Button(role: option.style.buttonRole) {
                    choose(option)
                } label: {
                    Text(verbatim: option.title)
                }
            }
        }
    }

    extension ErrorRecoveryOption.Style {
        var buttonRole: ButtonRole? {
            switch self {
            case .primary, .secondary: nil
            case .destructive: .destructive
            }
        }
    }

    extension ErrorSeverity {
        var color: Color {
            switch self {
            case .info: .blue
            case .warning: .orange
            case .error, .critical: .red
            }
        }
    }
#endif
