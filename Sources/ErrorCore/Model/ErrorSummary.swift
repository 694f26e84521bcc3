/// The answers of any error, whatever it conforms to.
///
/// An error's own words and code come first; what it does not say is taken from the ``AppError`` that it becomes.
public struct ErrorSummary: Sendable {
    /// The error itself.
    public let error: any Error
    /// The app-wide case that it becomes.
    public let appError: AppError
    private let userFacing: any UserFacingError
    private let classified: any ClassifiedError

    /// The answers of an error.
    public init(_ error: any Error) {
        let appError = AppError(error)
        self.error = error
        self.appError = appError
        userFacing = error as? any UserFacingError ?? appError
        classified = error as? any ClassifiedError ?? appError
    }

    /// One to four words that name the kind of failure.
    public var title: String { userFacing.title }
    /// What happened, in a sentence.
    public var message: String { userFacing.userMessage }
    /// What to do about it.
    public var suggestion: String? {
        classified.recoverySuggestion ?? userFacing.recoverySuggestion
    }
    /// The name of an SF Symbol.
    public var icon: String { userFacing.icon }
    /// How bad it is.
    public var severity: ErrorSeverity { userFacing.severity }
    /// What can be offered, unbound.
    public var options: [ErrorRecoveryOption] { userFacing.recoveryOptions }
    /// The stable code.
    public var code: String { classified.errorCode }
    /// What it is about.
    public var category: ErrorCategory { classified.category }
    /// Whether trying again can help, and when.
    public var retry: RetryAdvice { classified.retry }
    /// A few short facts; `error_type` is the case of an ``AppError`` and the type of any other error.
    public var metadata: ErrorMetadata {
        var result = appError.metadata
        result.merge(classified.metadata)
        if !(error is AppError) { result["error_type"] = String(describing: type(of: error)) }
        return result
    }
    /// The error and those under it, the outermost first.
    public var chain: [any Error] { ErrorChain.errors(from: error) }
    /// Whether someone gave up on purpose: that is never shown.
    public var isCancellation: Bool { appError == .cancelled }
}
