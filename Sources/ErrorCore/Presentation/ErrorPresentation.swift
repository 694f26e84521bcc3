#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The visible parts of an error: the common model of the terminal banner, the HTML fragment, and the SwiftUI, UIKit and
/// AppKit presenters.
public struct ErrorPresentation: Sendable, Identifiable {
    /// A fact shown with the error, such as a fingerprint.
    public struct Detail: Sendable, Hashable {
        /// The label; empty for a line without one.
        public var label: String
        /// The value.
        public var value: String

        /// A fact with a label.
        public init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }

        /// A line without a label.
        public init(_ value: String) {
            self.init("", value)
        }
    }

    /// The identity of this presentation.
    public let id: UUID
    /// The error's stable code.
    public var code: String
    /// One to four words that name the kind of failure.
    public var title: String
    /// What happened, in a sentence.
    public var message: String
    /// What the person can do about it.
    public var suggestion: String?
    /// The name of an SF Symbol.
    public var icon: String
    /// The severity.
    public var severity: ErrorSeverity
    /// The category.
    public var category: ErrorCategory
    /// The options to choose from; each is bound to an action.
    public var options: [ErrorRecoveryOption]
    /// Facts below the message, in order.
    public var details: [Detail]
    /// Why a chosen recovery option did not help.
    public var recoveryFailure: String?
    /// How often the error happened; equal errors are shown as one.
    public internal(set) var count = 1
    /// Whether one of its options is running; its buttons are disabled meanwhile.
    public internal(set) var isRecovering = false

    /// The presentation of an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - actions: The presenter's actions for the options. Options without an action are not shown.
    ///   - details: Facts below the message.
    public init(_ error: any Error, actions: RecoveryActions = RecoveryActions(), details: [Detail] = []) {
        self.init(ErrorProfile(error), actions: actions, details: details)
    }

    init(_ profile: ErrorProfile, actions: RecoveryActions, details: [Detail] = []) {
        id = UUID()
        code = profile.code
        title = profile.title
        message = profile.message
        suggestion = profile.suggestion
        icon = profile.icon
        severity = profile.severity
        category = profile.category
        self.details = details
        // Do not offer a retry that would fail again or do harm, even if the error lists it.
        let retry = profile.retry
        let offered = profile.options.filter { !(retry == .never && $0.id == .retry) }
        options = actions.bind(ErrorText.current.titling(offered, for: profile.error))
    }

    /// The option that retries, if the error can be retried and the presenter has an action for it.
    public var retryOption: ErrorRecoveryOption? {
        options.first { $0.id == .retry || $0.id == .reconnect }
    }

    /// The option that Return chooses: the first primary one.
    public var defaultOption: ErrorRecoveryOption? {
        options.first { $0.style == .primary }
    }

    /// The option chosen by closing the message, for example with Escape: an OK or Cancel, if one is bound.
    public var closingOption: ErrorRecoveryOption? {
        options.first { $0.role == .cancel }
    }

    /// How often it happened, in words; nil if only once.
    public var occurrences: String? {
        guard count > 1 else { return nil }
        return ErrorText.current.string(.occurrences, default: Self.occurrencesTemplate, values: ["count": String(count)])
    }

    static let occurrencesTemplate = "This happened {count, plural, one {once} other {# times}}."

    /// Whether another error would be shown with the same texts and buttons.
    func isEqualInView(to other: ErrorPresentation) -> Bool {
        code == other.code && title == other.title && message == other.message && suggestion == other.suggestion
            && severity == other.severity && details == other.details && options == other.options
    }
}

extension ErrorText {
    /// Every built-in text in English, for translators: a template by key.
    public static var catalogue: [Key: String] {
        var result: [Key: String] = [:]
        for kind in AppError.Kind.allCases { add(kind.row, code: kind.rawValue, to: &result) }
        let serverError = AppError.Kind.serverError.rawValue
        for status in CatalogueRow.statusesWithRows {
            guard let row = CatalogueRow.serverStatus(status) else { continue }
            add(row, code: "\(serverError).\(status)", to: &result)
        }
        for (id, row) in ErrorRecoveryOption.commonRows { result[.option(id)] = row.title }
        for category in ErrorCategory.allCases { result[.title("category." + category.rawValue)] = category.englishTitle }
        for reason in Reason.allCases { result[.reason(reason.rawValue)] = reason.rawValue }
        for reason in HTTPStatus.refusals.values { result[.reason(reason)] = reason }
        result[.occurrences] = ErrorPresentation.occurrencesTemplate
        return result
    }

    private static func add(_ row: CatalogueRow, code: String, to result: inout [Key: String]) {
        result[.title(code)] = row.title
        result[.message(code)] = row.message
        result[.suggestion(code)] = row.suggestion
    }
}
