extension AppError: UserFacingError {
    /// One to four words that name the kind of failure.
    public var title: String {
        ErrorText.current.string(.title(errorCode), default: kind.row.title, values: values)
    }

    /// What happened, in a sentence that a person can act on.
    public var userMessage: String {
        ErrorText.current.string(.message(errorCode), default: kind.row.message, values: values)
    }

    /// What can be offered to the person, the most useful first.
    public var recoveryOptions: [ErrorRecoveryOption] {
        kind.row.options.map(ErrorRecoveryOption.common)
    }

    /// The name of an SF Symbol.
    public var icon: String { kind.row.icon }

    /// How bad it is.
    public var severity: ErrorSeverity { kind.row.severity }
}

extension AppError: ClassifiedError {
    /// The stable code, such as `network.unavailable`.
    public var errorCode: String { kind.rawValue }

    /// What it is about.
    public var category: ErrorCategory { kind.row.category }

    /// What to do about it, in one sentence.
    public var recoverySuggestion: String? {
        guard let template = kind.row.suggestion else { return nil }
        return ErrorText.current.string(.suggestion(errorCode), default: template, values: values)
    }

    /// Whether trying again can help, and when.
    public var retry: RetryAdvice {
        switch self {
        case .apiRateLimited(let seconds?) where seconds > 0: .backoff(minimumWait: .seconds(seconds))
        // RFC 9110 section 15.6: 501 and 505 say what the server cannot do at all.
        case .serverError(501, _), .serverError(505, _): .never
        case .sshCommandFailed(_, exitCode: -1, _): .never
        default: kind.row.retry
        }
    }

    /// A few short facts for logs and metrics, without secrets.
    public var metadata: ErrorMetadata {
        var result: ErrorMetadata = ["error_type": kind.caseName]
        switch self {
        case .serverError(let status, _): result["http_status"] = status > 0 ? String(status) : nil
        case .apiNotFound: result["http_status"] = "404"
        case .apiUnauthorized: result["http_status"] = "401"
        case .apiRateLimited: result["http_status"] = "429"
        case .dnsError(let host): result["host"] = host
        case .sshConnectionFailed(let host, _), .sshHostKeyMismatch(let host): result["ssh_host"] = host
        case .sshAuthenticationFailed(let method): result["ssh_method"] = method
        case .sshCommandFailed(let command, let exitCode, _):
            result["ssh_command"] = Redactor.standard.command(command)
            result["exit_code"] = String(exitCode)
        case .fileNotFound(let path), .fileReadError(let path, _), .fileWriteError(let path, _), .filePermissionDenied(let path),
            .projectNotFound(let path), .projectAlreadyExists(let path), .invalidProjectPath(let path):
            result["file_path"] = path
        case .sessionNotFound(let id), .sessionArchived(let id), .agentSessionNotFound(let id): result["session_id"] = id
        case .webSocketDisconnected(let code, _): result["close_code"] = code.map(String.init)
        case .permissionDenied(let tool), .permissionTimeout(let tool, _): result["tool"] = tool
        default: break
        }
        return result
    }
}

extension AppError: AppErrorConvertible {
    /// Itself.
    public var appError: AppError { self }
}

extension ErrorText {
    /// Every text of the catalogue in English, for those who translate it: a template by key.
    public static var catalogue: [Key: String] {
        var result: [Key: String] = [:]
        for kind in AppError.Kind.allCases {
            result[.title(kind.rawValue)] = kind.row.title
            result[.message(kind.rawValue)] = kind.row.message
            result[.suggestion(kind.rawValue)] = kind.row.suggestion
        }
        for (id, row) in ErrorRecoveryOption.commonRows { result[.option(id)] = row.title }
        return result
    }
}
