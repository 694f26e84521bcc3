#if canImport(SwiftUI)
    import ErrorCore
    import SwiftUI

    /// The texts of an error.
    struct ErrorTextView: View {
        private let presentation: ErrorPresentation

        init(_ presentation: ErrorPresentation) {
            self.presentation = presentation
        }

        var body: some View {
            VStack(alignment: .leading, spacing: 4) {
                Text(verbatim: presentation.title).font(.headline)
                Text(verbatim: presentation.message)
                if let occurrences = presentation.occurrences { Text(verbatim: occurrences) }
                ForEach(presentation.details, id: \.self) { detail in
                    HStack(alignment: .top) {
                        Text(verbatim: detail.label).foregroundStyle(.secondary)
                        Text(verbatim: detail.value)
                    }
                }
                if let failure = presentation.recoveryFailure { Text(verbatim: failure).italic() }
                if let suggestion = presentation.suggestion {
                    Text(verbatim: suggestion).font(.subheadline).foregroundStyle(.secondary)
                }
            }
        }
    }

    /// One button per option; the default button is prominent.
    struct ErrorOptionButtons: View {
        private let presentation: ErrorPresentation
        private let choose: @MainActor (ErrorRecoveryOption) -> Void

        init(_ presentation: ErrorPresentation, choose: @escaping @MainActor (ErrorRecoveryOption) -> Void) {
            self.presentation = presentation
            self.choose = choose
        }

        var body: some View {
            ForEach(presentation.options) { option in
                if option == presentation.defaultOption {
                    button(for: option).buttonStyle(.borderedProminent)
                } else {
                    button(for: option).buttonStyle(.bordered)
                }
            }
            .disabled(presentation.isRecovering)
        }

        private func button(for option: ErrorRecoveryOption) -> some View {
            Button(role: option.role?.buttonRole) {
                choose(option)
            } label: {
                if let icon = option.icon {
                    Label {
                        Text(verbatim: option.title)
                    } icon: {
                        Image(systemName: icon)
                    }
                } else {
                    Text(verbatim: option.title)
                }
            }
        }
    }

    extension ErrorRecoveryOption.Role {
        var buttonRole: ButtonRole {
            switch self {
            case .cancel: .cancel
            case .destructive: .destructive
            }
        }
    }

    extension ErrorTint {
        /// The SwiftUI colour.
        var color: Color {
            switch self {
            case .blue: .blue
            case .brown: .brown
            case .gray: .gray
            case .green: .green
            case .indigo: .indigo
            case .orange: .orange
            case .pink: .pink
            case .purple: .purple
            case .red: .red
            case .teal: .teal
            case .yellow: .yellow
            }
        }
    }
#endif
