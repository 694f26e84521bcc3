#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is shown of an error: the one model behind the terminal banner, the HTML fragment and the SwiftUI views.
public struct ErrorPresentation: Sendable, Identifiable {
    /// A fact shown with the error, such as a fingerprint.
    public struct Detail: Sendable, Hashable {
        /// What the fact is; empty for a line of its own.
        public var label: String
        /// The fact.
        public var value: String

        /// A fact with a label.
        public init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }

        /// A line of its own.
        public init(_ value: String) {
            self.init("", value)
        }
    }

    /// This showing of the error.
    public let id: UUID
    /// The error's stable code.
    public var code: String
    /// One to four words that name the kind of failure.
    public var title: String
    /// What happened, in a sentence.
    public var message: String
    /// What to do about it.
    public var suggestion: String?
    /// The name of an SF Symbol.
    public var icon: String
    /// How bad it is.
    public var severity: ErrorSeverity
    /// What can be chosen; every one is bound to an action.
    public var options: [ErrorRecoveryOption]
    /// Facts shown under the message, in order.
    public var details: [Detail]
    /// What came of a recovery option that was chosen and did not help.
    public var recoveryFailure: String?

    /// How an error is shown.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - actions: What the presenter does for the options; those that stay unbound are not shown.
    ///   - details: Facts shown under the message.
    public init(_ error: any Error, actions: RecoveryActions = RecoveryActions(), details: [Detail] = []) {
        self.init(ErrorSummary(error), actions: actions, details: details)
    }

    init(_ summary: ErrorSummary, actions: RecoveryActions, details: [Detail] = []) {
        id = UUID()
        code = summary.code
        title = summary.title
        message = summary.message
        suggestion = summary.suggestion
        icon = summary.icon
        severity = summary.severity
        self.details = details
        // What would fail again or do harm is not offered at a click, whatever the error's own list says.
        let retry = summary.retry
        let offered = summary.options.filter { !(retry == .never && $0.id == .retry) }
        options = actions.bind(ErrorText.current.titling(offered))
    }

    /// The option that tries the same again, where the error is one that can be tried again and the presenter can do it.
    public var retryOption: ErrorRecoveryOption? {
        options.first { $0.id == .retry || $0.id == .reconnect }
    }
}
