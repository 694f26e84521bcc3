/// The catalogue's entry for one case of ``AppError``: one row per case, one table and file per domain.
///
/// Title, message and suggestion are templates; see ``ErrorText`` for their syntax.
struct CatalogueRow: Sendable {
    let title: String
    let message: String
    let suggestion: String?
    let icon: String
    let severity: ErrorSeverity
    let category: ErrorCategory
    let retry: RetryAdvice
    /// Identities, not options: the titles are looked up when the options are shown.
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

extension CatalogueRow {
    /// The row of each case. A test fails if a case has none.
    static let all: [AppError.Kind: CatalogueRow] = [
        api, agent, file, general, network, permission, persistence, project, ssh, session, validation, webSocket,
    ].reduce(into: [:]) { all, domain in all.merge(domain) { first, _ in first } }
}

extension AppError.Kind {
    var row: CatalogueRow {
        guard let row = CatalogueRow.all[self] else {
            preconditionFailure("AppError.Kind.\(self) has no row in CatalogueRow.all")
        }
        return row
    }
}
