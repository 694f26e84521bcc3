/// What the catalogue says of one case of ``AppError``: one row a case, one file a domain.
///
/// Title, message and suggestion are templates as ``ErrorText`` describes them.
struct CatalogueRow: Sendable {
    let title: String
    let message: String
    let suggestion: String?
    let icon: String
    let severity: ErrorSeverity
    let category: ErrorCategory
    let retry: RetryAdvice
    /// Identities, not options: their titles are looked up when they are asked for.
    let options: [ErrorRecoveryOption.ID]

    init(
        _ title: String, _ message: String, suggestion: String? = nil, icon: String, severity: ErrorSeverity = .error,
        category: ErrorCategory, retry: RetryAdvice = .never, options: [ErrorRecoveryOption.ID]
    ) {
        self.title = title
        self.message = message
        self.suggestion = suggestion
        self.icon = icon
        self.severity = severity
        self.category = category
        self.retry = retry
        self.options = options
    }
}
