extension PipelineFailure: AppErrorConvertible {
    /// The app-wide case for the root cause.
    public var appError: AppError {
        switch rootCause {
        case .redirection(let status), .clientError(let status), .serverError(let status):
            // Only an interim status is no error, and one of those is no final response.
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
    /// The app-wide case's.
    public var title: String { appError.title }
    /// The app-wide case's.
    public var userMessage: String { appError.userMessage }
    /// The app-wide case's.
    public var recoveryOptions: [ErrorRecoveryOption] { appError.recoveryOptions }
    /// The app-wide case's.
    public var icon: String { appError.icon }
    /// The app-wide case's.
    public var severity: ErrorSeverity { appError.severity }
    /// The app-wide case's.
    public var errorCode: String { appError.errorCode }
    /// The app-wide case's.
    public var category: ErrorCategory { appError.category }
    /// The app-wide case's.
    public var recoverySuggestion: String? { appError.recoverySuggestion }

    /// The app-wide case's, with the wait that the server asked for: not only a 429 names one (RFC 9110 section 10.2.3).
    public var retry: RetryAdvice {
        let advice = appError.retry
        guard advice.allowsRetry, let seconds = response?.retryAfterSeconds() else { return advice }
        return .backoff(minimumWait: .seconds(seconds))
    }

    /// Whether the request may have taken effect: it was sent by a method that is not idempotent, and no answer says that it
    /// was not processed. Where the method is not known, it is taken as idempotent.
    public var mayHaveTakenEffect: Bool {
        guard let method, !method.isIdempotent else { return false }
        return RequestEffect.isPossible(after: self)
    }

    /// What the HTTP client or the decoder threw.
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
