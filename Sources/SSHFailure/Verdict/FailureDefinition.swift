package import ErrorCore

/// What holds for every failure of one code, whatever the evidence. It is written where the code is, in `Codes/`.
package struct FailureDefinition: Sendable, Hashable {
    /// The case of `AppError` that it becomes.
    package let appCase: AppError.Kind
    /// Who or what has to act.
    package let category: ErrorCategory
    /// How bad it is.
    package let severity: ErrorSeverity
    /// Whether a retry can help; for `…disconnected` the server's message decides instead.
    package let retry: RetryAdvice
    /// The exit status of the command line when no remote status came.
    package let exitStatus: SSHExitStatus
    /// One to four words.
    package let title: String
    /// One sentence that holds for every failure of this code.
    package let meaning: String
    /// The next step, independent of the evidence.
    package let remedy: String
    /// A situation that leads to it.
    package let example: String

    init(
        _ appCase: AppError.Kind, _ category: ErrorCategory, severity: ErrorSeverity = .error, retry: RetryAdvice,
        exit exitStatus: SSHExitStatus, title: String, meaning: String, remedy: String, example: String
    ) {
        self.appCase = appCase
        self.category = category
        self.severity = severity
        self.retry = retry
        self.exitStatus = exitStatus
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
        self.example = example
    }
}

extension SSHError.Code {
    /// The stage that the code names in its second part.
    package var stage: SSHStage {
        guard rawValue.hasPrefix("ssh.") else { return .local }
        let family = rawValue.dropFirst("ssh.".count).prefix { $0 != "." }
        return switch family {
        case "kex": .keyExchange
        case "host-key": .hostKey
        case "agent", "auth": .authentication
        default: SSHStage(rawValue: String(family)) ?? .local
        }
    }
}
