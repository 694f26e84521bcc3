#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Title, message, code, category and retry advice of any error, whatever protocols it conforms to.
///
/// What a type declares itself takes precedence. A type that declares nothing (`URLError`, an ``AppErrorConvertible``) takes
/// everything from its ``AppError``. The two are never mixed.
///
/// | Type | Use it for |
/// |---|---|
/// | ``ErrorProfile`` | what an error is and says |
/// | ``ErrorOccurrence`` | one event: the error, where and when |
/// | ``ErrorRecord`` | the redacted text that is logged and reported |
/// | ``ErrorPresentation`` | what a person sees, with buttons |
public struct ErrorProfile: Sendable {
    /// The error itself.
    public let error: any Error
    /// The app-wide case that it becomes.
    public let appError: AppError
    private let userFacing: (any UserFacingError)?
    private let classified: (any ClassifiedError)?
    /// Whether the error itself chose the app-wide case, rather than a mapping of an underlying error.
    private let isConvertible: Bool

    /// The profile of an error.
    public init(_ error: any Error) {
        self.error = error
        if let appError = error as? AppError {
            self.appError = appError
            (userFacing, classified, isConvertible) = (appError, appError, true)
            return
        }
        appError = AppError(error)
        userFacing = error as? any UserFacingError
        classified = error as? any ClassifiedError
        isConvertible = error is any AppErrorConvertible
    }

    /// One to four words that name the kind of failure.
    public var title: String {
        if let userFacing { return userFacing.title }
        return categoryAlone?.title ?? appError.title
    }

    /// The event, in a sentence.
    public var message: String {
        userFacing?.userMessage ?? ownDescription ?? appError.userMessage
    }

    /// The person's next step.
    public var suggestion: String? {
        if let userFacing { return userFacing.recoverySuggestion }
        if speaksForItself, let own = (error as? any LocalizedError)?.recoverySuggestion { return own }
        return ownDescription == nil || isConvertible ? appError.recoverySuggestion : nil
    }

    /// The name of an SF Symbol.
    public var icon: String {
        if let userFacing { return userFacing.icon }
        return categoryAlone?.icon ?? appError.icon
    }

    /// The severity.
    public var severity: ErrorSeverity { userFacing?.severity ?? appError.severity }

    /// The choices to offer, without actions.
    public var options: [ErrorRecoveryOption] {
        if let userFacing { return userFacing.recoveryOptions }
        guard let classified, !isConvertible else { return appError.recoveryOptions }
        return classified.retry.allowsRetry ? [.retry, .dismiss] : [.dismiss]
    }

    /// The stable code; `general.unknown` for an error without a code and without a mapping.
    public var code: String { classified?.errorCode ?? appError.errorCode }

    /// The category.
    public var category: ErrorCategory { classified?.category ?? appError.category }

    /// Whether a retry can help, and when.
    public var retry: RetryAdvice {
        if let classified { return classified.retry }
        // A type without retry advice that offers Retry means a retry by the person.
        if appError.retry == .never, let userFacing, userFacing.recoveryOptions.contains(.retry) { return .afterFix }
        return appError.retry
    }

    /// Whether a program may retry on its own.
    public var isRetryable: Bool { classified?.isRetryable ?? retry.allowsRetry }

    /// A few short facts. `error_type` is the case of an ``AppError``, and the type of any other error.
    public var metadata: ErrorMetadata {
        var result = appError.metadata
        result.merge(classified?.metadata ?? ErrorMetadata())
        if !(error is AppError) { result["error_type"] = String(describing: type(of: error)) }
        return result
    }

    /// The error and its underlying errors, the outermost first.
    public var chain: [any Error] { ErrorChain.errors(from: error) }

    /// Whether a person or a program cancelled on purpose. Such an error is never shown.
    public var isCancellation: Bool {
        if category == .cancelled { return true }
        // An error with a category of its own is not a cancellation because of an underlying error.
        return appError == .cancelled && (isConvertible || classified == nil || category == .internal)
    }

    /// Whether the error has a mapping.
    private var isKnown: Bool { appError.kind != .unknown }

    /// The category that supplies the texts when neither the error nor a mapping has any.
    private var categoryAlone: ErrorCategory? {
        guard let classified, !isConvertible, classified.category != .internal || !isKnown else { return nil }
        return classified.category
    }

    /// Whether the error's own `LocalizedError` texts are used. For another library's type with a mapping, the mapping's texts
    /// are used.
    private var speaksForItself: Bool { !(error is AppError) && (classified != nil || isConvertible || !isKnown) }

    /// The `errorDescription`, if the type declares one.
    private var ownDescription: String? {
        guard speaksForItself, let text = (error as? any LocalizedError)?.errorDescription?.trimmed else { return nil }
        return text.isEmpty || text == classified?.errorCode ? nil : text
    }
}
