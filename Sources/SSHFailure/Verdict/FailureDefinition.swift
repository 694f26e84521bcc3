package import ErrorCore

/// Everything that is true of all failures with one code. It is written next to the code, in `Codes/`.
package struct FailureDefinition: Sendable, Hashable {
    /// The `AppError` case for the failure.
    package let appCase: AppError.Kind
    /// Who or what must act.
    package let category: ErrorCategory
    package let severity: ErrorSeverity
    /// Whether a retry can help. For `…disconnected`, the server's message decides instead.
    package let retry: RetryAdvice
    /// The command line's exit status if no remote status came.
    package let exitStatus: SSHExitStatus
    /// One to four words.
    package let title: String
    /// One sentence that is true of every failure with this code.
    package let meaning: String
    /// The next step, independent of the evidence.
    package let remedy: RemedyText
    /// A situation that causes it.
    package let example: String

    init(
        _ appCase: AppError.Kind, _ category: ErrorCategory, severity: ErrorSeverity = .error, retry: RetryAdvice,
        exit exitStatus: SSHExitStatus, title: String, meaning: String, remedy: RemedyText, example: String
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
    /// The stage, which is the second part of the code.
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
