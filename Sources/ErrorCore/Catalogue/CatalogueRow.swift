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

extension CatalogueRow {
    static let general: [AppError.Kind: CatalogueRow] = [
        .cancelled: CatalogueRow(
            "Cancelled",
            "The operation was stopped before it had finished.",
            suggestion: "Start it again if you still want it.",
            icon: "xmark.circle", severity: .info, category: .cancelled,
            options: [.dismiss]),
        .unknown: CatalogueRow(
            "Unknown Problem",
            "The app does not know this kind of problem[: {message}].",
            suggestion: "Try again. If it happens again, report it with the text of this message.",
            icon: "questionmark.circle", category: .internal,
            options: [.dismiss]),
        .internalError: CatalogueRow(
            "Internal Error",
            "The app has a defect and could not continue[: {detail}].",
            suggestion: "Please report it, with the text of this message.",
            icon: "ladybug", severity: .critical, category: .internal,
            options: [.dismiss]),
        .featureUnavailable: CatalogueRow(
            "Not Available",
            "[{feature}|This feature] is not available here.",
            suggestion: "It may need a newer version or another device.",
            icon: "nosign", severity: .info, category: .validation,
            options: [.dismiss]),
    ]
}

extension CatalogueRow {
    static let agent: [AppError.Kind: CatalogueRow] = [
        .agentBusy: CatalogueRow(
            "Agent Busy",
            "The agent is still at work on your last request.",
            suggestion: "Wait until it has finished, or abort it.",
            icon: "hourglass", severity: .info, category: .agent, retry: .backoff(),
            options: [.waitForCompletion, .abort]),
        .agentCreationFailed: CatalogueRow(
            "No Agent",
            "An agent could not be started[: {reason}].",
            suggestion: "Check the settings and try again.",
            icon: "hourglass", category: .agent, retry: .afterFix,
            options: [.retry, .checkSettings]),
        .agentAborted: CatalogueRow(
            "Agent Stopped",
            "The agent was stopped before it had finished; its work may be incomplete.",
            suggestion: "Start it again to continue.",
            icon: "hourglass", severity: .info, category: .agent, retry: .afterFix,
            options: [.retry, .dismiss]),
        .agentExecutionError: CatalogueRow(
            "Agent Failed",
            "The agent failed while it was working[: {message}].",
            suggestion: "Try again, or put the request in other words.",
            icon: "hourglass", category: .agent, retry: .afterFix,
            options: [.retry, .dismiss]),
        .agentSessionNotFound: CatalogueRow(
            "Agent Session Gone",
            "The agent no longer knows the session[ {sessionId}].",
            suggestion: "Start a new session.",
            icon: "hourglass", category: .agent, retry: .afterFix,
            options: [.dismiss]),
        .agentModelUnavailable: CatalogueRow(
            "Model Unavailable",
            "The model[ {model}] is not available now.",
            suggestion: "Choose another model in the settings.",
            icon: "hourglass", category: .agent, retry: .afterFix,
            options: [.checkSettings, .retry]),
    ]
}

extension CatalogueRow {
    static let project: [AppError.Kind: CatalogueRow] = [
        .projectNotFound: CatalogueRow(
            "Project Not Found",
            "[There is no project at {path}|The project does not exist].",
            suggestion: "Choose the folder that it is in now.",
            icon: "folder.badge.questionmark", category: .project, retry: .afterFix,
            options: [.browse, .cancel]),
        .projectCloneFailed: CatalogueRow(
            "Clone Failed",
            "[{url}|The repository] could not be cloned[: {reason}].",
            suggestion: "Check the address and your access to it.",
            icon: "folder.badge.questionmark", category: .project, retry: .afterFix,
            options: [.retry, .cancel]),
        .projectAlreadyExists: CatalogueRow(
            "Project Exists",
            "[There is already a project at {path}|The project already exists].",
            suggestion: "Open it, or choose another folder.",
            icon: "folder.badge.questionmark", severity: .warning, category: .project, retry: .afterFix,
            options: [.browse, .cancel]),
    ]
}

extension CatalogueRow {
    static let ssh: [AppError.Kind: CatalogueRow] = [
        .sshConnectionFailed: CatalogueRow(
            "SSH Error",
            "The SSH connection[ to {host}] failed[: {reason}].",
            suggestion: "Check the host and port in the settings, then try again.",
            icon: "terminal", category: .network, retry: .backoff(),
            options: [.checkSettings, .retry]),
        .sshAuthenticationFailed: CatalogueRow(
            "SSH Error",
            "The SSH server did not accept the sign-in[ by {method}].",
            suggestion: "Check the user name, key and password.",
            icon: "terminal", category: .authentication, retry: .afterFix,
            options: [.checkSettings, .retry]),
        .sshCommandFailed: CatalogueRow(
            "Command Failed",
            "The command[ “{command}”] [ended with status {exitCode}|may still run; how it ended is not known][: {stderr}].",
            suggestion: "Read the command’s output, and correct what it names.",
            icon: "terminal", category: .command, retry: .afterFix,
            options: [.retry, .dismiss]),
        .sshTimeout: CatalogueRow(
            "SSH Timed Out",
            "The SSH server did not answer in time[: {seconds} s had passed].",
            suggestion: "Try again; if it happens often, allow more time.",
            icon: "terminal", category: .network, retry: .backoff(),
            options: [.retry, .checkSettings]),
        .sshKeyInvalid: CatalogueRow(
            "Unusable SSH Key",
            "The private key cannot be used[: {reason}].",
            suggestion: "Choose another key, or correct this one.",
            icon: "terminal", category: .authentication, retry: .afterFix,
            options: [.browse, .checkSettings]),
        .sshHostKeyMismatch: CatalogueRow(
            "Host Not Trusted",
            "The host key of [{host}|the server] is not trusted. An attacker may be intercepting the connection, or the server was reinstalled.",
            suggestion: "Compare the fingerprint with the server’s administrator before you trust it.",
            icon: "lock.shield", severity: .critical, category: .trust,
            options: [.checkSettings, .cancel]),
    ]
}
