public import ErrorCore

/// The texts and buttons of an alert, shared by SwiftUI, UIKit and AppKit.
public struct ErrorAlertContent: Sendable, Identifiable {
    /// A button of an alert.
    public struct Button: Sendable, Identifiable {
        /// The option that it chooses; nil for an OK that only closes the alert.
        public let option: ErrorRecoveryOption?
        /// A word or two.
        public let title: String
        /// The name of an SF Symbol, for platforms that show one.
        public let icon: String?
        /// Its role for the system; nil for an ordinary button.
        public let role: ErrorRecoveryOption.Role?
        /// Whether Return activates it.
        public let isDefault: Bool

        /// The option's identity.
        public var id: ErrorRecoveryOption.ID { option?.id ?? .dismiss }
    }

    /// The presentation's identity.
    public let id: ErrorPresentation.ID
    /// One to four words.
    public let title: String
    /// Paragraphs: what happened, how often, why a recovery failed, and what to do.
    public let message: String
    /// At least one button, in the order of the options.
    public let buttons: [Button]

    /// The content for an error. Without options there is an OK, which closes the alert.
    public init(_ presentation: ErrorPresentation) {
        id = presentation.id
        title = presentation.title
        let details = presentation.details.map { $0.label.isEmpty ? $0.value : "\($0.label): \($0.value)" }
        let paragraphs: [String?] = [
            presentation.message, presentation.occurrences, details.isEmpty ? nil : details.joined(separator: "\n"),
            presentation.recoveryFailure, presentation.suggestion,
        ]
        message = paragraphs.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n\n")
        let preferred = presentation.defaultOption?.id
        var closes = 0
        let options = presentation.options.map { option in
            // A system alert allows only one cancel button.
            let role = option.role == .cancel && closes > 0 ? nil : option.role
            if role == .cancel { closes += 1 }
            return Button(
                option: option, title: option.title, icon: option.icon, role: role, isDefault: option.id == preferred)
        }
        let ok = ErrorRecoveryOption.dismiss
        buttons =
            options.isEmpty ? [Button(option: nil, title: ok.title, icon: ok.icon, role: .cancel, isDefault: true)] : options
    }
}
