extension PipelineFailure: AppErrorConvertible {
    /// The app-wide case for the root cause.
    public var appError: AppError {
        switch rootCause {
        case .redirection(let status), .clientError(let status), .serverError(let status):
            // Nil only for a 1xx status, which a final response never has.
            AppError(response: response ?? RawResponse(status: status.rawValue))
                ?? .serverError(status: status.rawValue, message: nil)
        case .noData: .apiDecodingError(type: Reason.expectedContent.rawValue, detail: Reason.emptyAnswer.rawValue)
        case .noConnection: .networkUnavailable
        case .timeout: .timeout(seconds: 0)
        case .cancelled: .cancelled
        case .decoding(let failure): failure.appError
        case .other(let error): AppError(error)
        }
    }
}

extension PipelineFailure.DecodingFailure {
    fileprivate var appError: AppError {
        guard let error = underlying as? DecodingError else {
            return .apiDecodingError(type: type, detail: "")
        }
        let facts = CodingFacts(error)
        return facts.missingField.map { .apiMissingField(field: $0) } ?? .apiDecodingError(type: type, detail: facts.detail)
    }
}

extension PipelineFailure: UserFacingError, ClassifiedError {
    /// The title of the app-wide case.
    public var title: String { appError.title }
    /// The message of the app-wide case.
    public var userMessage: String { appError.userMessage }
    /// The options of the app-wide case.
    public var recoveryOptions: [ErrorRecoveryOption] { appError.recoveryOptions }
    /// The icon of the app-wide case.
    public var icon: String { appError.icon }
    /// The severity of the app-wide case.
    public var severity: ErrorSeverity { appError.severity }
    /// The code of the app-wide case.
    public var errorCode: String { appError.errorCode }
    /// The category of the app-wide case.
    public var category: ErrorCategory { appError.category }
    /// The suggestion of the app-wide case.
    public var recoverySuggestion: String? { appError.recoverySuggestion }

    /// The advice of the app-wide case, with the wait from `Retry-After`. Not only a 429 has one (RFC 9110 section 10.2.3).
    public var retry: RetryAdvice {
        let advice = appError.retry
        guard advice.allowsRetry, let seconds = response?.retryAfterSeconds() else { return advice }
        return .backoff(minimumWait: .seconds(seconds))
    }

    /// Whether the request may have taken effect: its method is not idempotent, it was sent, and no response says that it was not
    /// processed. An unknown method counts as idempotent.
    public var mayHaveTakenEffect: Bool {
        guard let method, !method.isIdempotent else { return false }
        return RequestEffect.isPossible(after: self)
    }

    /// The error of the HTTP client or the decoder.
    public var underlyingError: (any Error)? {
        switch rootCause {
        case .decoding(let failure): failure.underlying
        case .other(let error): error
        default: transportError
        }
    }

    /// Status and address, without query and credentials.
    public var metadata: ErrorMetadata {
        var result = appError.metadata
        if let response {
            result["http_status"] = String(response.status.rawValue)
            if !response.url.isEmpty { result["url"] = response.endpoint }
        }
        if let method { result["http_method"] = method.rawValue }
        return result
    }
}
