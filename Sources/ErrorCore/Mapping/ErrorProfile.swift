#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What any error is and says, whatever it conforms to: title, message, code, category, retry advice.
///
/// What a type says of itself always counts. A type that says nothing (`URLError`, an ``AppErrorConvertible``) speaks as the
/// ``AppError`` that it becomes. A type that speaks for itself is not completed with another error's words.
///
/// | Type | Use it for |
/// |---|---|
/// | ``ErrorProfile`` | what an error is |
/// | ``ErrorOccurrence`` | that it happened: the error, where and when |
/// | ``ErrorRecord`` | what is written of it: redacted text |
/// | ``ErrorPresentation`` | what a person sees of it, with buttons |
public struct ErrorProfile: Sendable {
    /// The error itself.
    public let error: any Error
    /// The app-wide case that it becomes.
    public let appError: AppError
    private let userFacing: (any UserFacingError)?
    private let classified: (any ClassifiedError)?
    /// Whether the app-wide case is the error's own answer, not a guess from an error under it.
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

    /// What happened, in a sentence.
    public var message: String {
        userFacing?.userMessage ?? ownDescription ?? appError.userMessage
    }

    /// What to do about it.
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

    /// How bad it is.
    public var severity: ErrorSeverity { userFacing?.severity ?? appError.severity }

    /// What can be offered, unbound.
    public var options: [ErrorRecoveryOption] {
        if let userFacing { return userFacing.recoveryOptions }
        guard let classified, !isConvertible else { return appError.recoveryOptions }
        return classified.retry.allowsRetry ? [.retry, .dismiss] : [.dismiss]
    }

    /// The stable code; `general.unknown` for an error without a code and without a mapping.
    public var code: String { classified?.errorCode ?? appError.errorCode }

    /// What it is about.
    public var category: ErrorCategory { classified?.category ?? appError.category }

    /// Whether trying again can help, and when.
    public var retry: RetryAdvice {
        if let classified { return classified.retry }
        // A type without advice that offers Retry means it for the person.
        if appError.retry == .never, let userFacing, userFacing.recoveryOptions.contains(.retry) { return .afterFix }
        return appError.retry
    }

    /// Whether a program may try again by itself.
    public var isRetryable: Bool { classified?.isRetryable ?? retry.allowsRetry }

    /// A few short facts; `error_type` is the case of an ``AppError`` and the type of any other error.
    public var metadata: ErrorMetadata {
        var result = appError.metadata
        result.merge(classified?.metadata ?? ErrorMetadata())
        if !(error is AppError) { result["error_type"] = String(describing: type(of: error)) }
        return result
    }

    /// The error and those under it, the outermost first.
    public var chain: [any Error] { ErrorChain.errors(from: error) }

    /// Whether a person or a program gave up on purpose: that is never shown.
    public var isCancellation: Bool {
        if category == .cancelled { return true }
        // An error that says what it is about is not a cancellation because of one under it.
        return appError == .cancelled && (isConvertible || classified == nil || category == .internal)
    }

    /// Whether the error has a mapping.
    private var isKnown: Bool { appError.kind != .unknown }

    /// The category that a classified error is presented by, where neither the error nor a mapping has words.
    private var categoryAlone: ErrorCategory? {
        guard let classified, !isConvertible, classified.category != .internal || !isKnown else { return nil }
        return classified.category
    }

    /// Whether the error's own `LocalizedError` answers count. For a type of another library that a mapping knows, the mapping
    /// speaks.
    private var speaksForItself: Bool { !(error is AppError) && (classified != nil || isConvertible || !isKnown) }

    /// The `errorDescription` of a type that declares one.
    private var ownDescription: String? {
        guard speaksForItself, let text = (error as? any LocalizedError)?.errorDescription?.trimmed else { return nil }
        return text.isEmpty || text == classified?.errorCode ? nil : text
    }
}
