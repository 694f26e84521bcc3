#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is shown of an error: the one model behind the terminal banner, the HTML fragment and the SwiftUI, UIKit and AppKit
/// presenters.
public struct ErrorPresentation: Sendable, Identifiable {
    /// A fact shown with the error, such as a fingerprint.
    public struct Detail: Sendable, Hashable {
        /// The fact's label; empty for a line without a label.
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
    /// What it is about.
    public var category: ErrorCategory
    /// What can be chosen; every one is bound to an action.
    public var options: [ErrorRecoveryOption]
    /// Facts shown under the message, in order.
    public var details: [Detail]
    /// What came of a recovery option that was chosen and did not help.
    public var recoveryFailure: String?
    /// How often it happened: equal errors are shown as one.
    public internal(set) var count = 1
    /// Whether one of its options is at work; its buttons are disabled meanwhile.
    public internal(set) var isRecovering = false

    /// How an error is shown.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - actions: What the presenter does for the options; those that stay unbound are not shown.
    ///   - details: Facts shown under the message.
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
        // What would fail again or do harm is not offered at a click, whatever the error's own list says.
        let retry = profile.retry
        let offered = profile.options.filter { !(retry == .never && $0.id == .retry) }
        options = actions.bind(ErrorText.current.titling(offered, for: profile.error))
    }

    /// The option that tries the same again, where the error is one that can be tried again and the presenter can do it.
    public var retryOption: ErrorRecoveryOption? {
        options.first { $0.id == .retry || $0.id == .reconnect }
    }

    /// The option that Return chooses: the first primary one.
    public var defaultOption: ErrorRecoveryOption? {
        options.first { $0.style == .primary }
    }

    /// The option that closing the message chooses, as Escape or a close button does: an OK or Cancel, if one is bound.
    public var closingOption: ErrorRecoveryOption? {
        options.first { $0.role == .cancel }
    }

    /// How often it happened, in words; nil for once.
    public var occurrences: String? {
        guard count > 1 else { return nil }
        return ErrorText.current.string(.occurrences, default: Self.occurrencesTemplate, values: ["count": String(count)])
    }

    static let occurrencesTemplate = "This happened {count, plural, one {once} other {# times}}."

    /// Whether another error would be shown with the same words and buttons.
    func isEqualInView(to other: ErrorPresentation) -> Bool {
        code == other.code && title == other.title && message == other.message && suggestion == other.suggestion
            && severity == other.severity && details == other.details && options == other.options
    }
}

extension ErrorText {
    /// Every text that ships, in English, for those who translate it: a template by key.
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
