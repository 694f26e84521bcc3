import ErrorCore

/// A sign-in's errors, which have no AppError of their own.
enum SignInError: UserFacingError, ClassifiedError {
    case wrongPassword
    case locked(minutes: Int)
    case directory(any Error)

    var title: String { "Sign-In Failed" }

    var userMessage: String {
        switch self {
        case .wrongPassword: "The user name or the password is wrong."
        case .locked(let minutes): "The account is locked for \(minutes) minutes."
        case .directory: "The directory of accounts cannot be reached."
        }
    }

    var errorCode: String {
        switch self {
        case .wrongPassword: "sign-in.wrong-password"
        case .locked: "sign-in.locked"
        case .directory: "sign-in.directory"
        }
    }

    var category: ErrorCategory { .authentication }
    var severity: ErrorSeverity { .warning }

    var retry: RetryAdvice {
        switch self {
        case .wrongPassword: .never
        case .locked(let minutes): .backoff(minimumWait: .seconds(minutes * 60))
        case .directory: .backoff()
        }
    }

    var underlyingError: (any Error)? {
        if case .directory(let error) = self { error } else { nil }
    }
}
