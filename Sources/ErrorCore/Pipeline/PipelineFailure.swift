#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A failed request: the root cause, and the raw response if there was one.
///
/// An app's own error type is built from it (``PipelineFailureRepresentable``). Shown as it is, it has the texts of its
/// ``AppError``.
public struct PipelineFailure: Error, Sendable {
    /// Why there is no value.
    public enum RootCause: Sendable {
        /// A 3xx status that was not followed.
        case redirection(HTTPStatus)
        /// A 4xx status.
        case clientError(HTTPStatus)
        /// A 5xx status, or one outside HTTP's range.
        case serverError(HTTPStatus)
        /// A success without the required body.
        case noData
        /// The server could not be reached.
        case noConnection
        /// The response did not come in time.
        case timeout
        /// A person or a program cancelled the request.
        case cancelled
        /// The body could not be decoded as the expected type.
        case decoding(DecodingFailure)
        /// Any other transport failure, including TLS and DNS.
        case other(any Error)
    }

    /// A body that could not be decoded.
    public struct DecodingFailure: Sendable {
        /// The name of the expected type.
        public var type: String
        /// The expected type.
        public var metatype: Any.Type
        /// The body as received.
        public var data: Data
        /// The decoder's error.
        public var underlying: any Error

        /// A failure to decode this type.
        public init(type: Any.Type, data: Data, underlying: any Error) {
            self.type = String(describing: type)
            metatype = type
            self.data = data
            self.underlying = underlying
        }
    }

    /// Why there is no value.
    public let rootCause: RootCause
    /// The server's response, if it responded.
    public let response: RawResponse?
    /// The method of the request, if known. After a method that is not idempotent, such as POST, a timeout or a lost connection
    /// is not retried: the request may have taken effect.
    public var method: HTTPMethod?
    /// The HTTP client's error, if the failure was made from it.
    public private(set) var transportError: (any Error)?

    /// A failure with this cause.
    public init(_ rootCause: RootCause, response: RawResponse? = nil, method: HTTPMethod? = nil) {
        self.rootCause = rootCause
        self.response = response
        self.method = method
    }

    /// The failure that a response's status stands for; nil for a success.
    public init?(response: RawResponse, method: HTTPMethod? = nil) {
        let status = response.status
        if status.isSuccess { return nil }
        let cause: RootCause =
            status.isRedirection ? .redirection(status) : status.isClientError ? .clientError(status) : .serverError(status)
        self.init(cause, response: response, method: method)
    }

    /// The failure for an error in transit: thrown by an HTTP client, a file, or a cancelled task.
    public init(transport error: any Error, method: HTTPMethod? = nil) {
        if let failure = error as? PipelineFailure {
            self = failure
            self.method = failure.method ?? method
            return
        }
        switch AppError(error) {
        case .networkUnavailable: self.init(.noConnection, method: method)
        case .timeout: self.init(.timeout, method: method)
        case .cancelled: self.init(.cancelled, method: method)
        default: self.init(.other(error), method: method)
        }
        transportError = error
    }
}

/// An app's own error type, built from a failed request.
/// ```swift
/// enum MusicError: PipelineFailureRepresentable {
///     case signInAgain, notInYourCountry(String), other(PipelineFailure)
///     init(failure: PipelineFailure) {
///         switch failure.rootCause {
///         case .clientError(.unauthorized): self = .signInAgain
///         case .clientError(451): self = .notInYourCountry(failure.response?.serverMessage ?? "")
///         default: self = .other(failure)
///         }
///     }
/// }
/// ```
public protocol PipelineFailureRepresentable: Error {
    /// The error for a failed request.
    init(failure: PipelineFailure)
    /// The error that a server reports in its body, whatever the status: some servers report errors with status 200. Default:
    /// none.
    static func reported(in response: RawResponse) -> Self?
}

extension PipelineFailureRepresentable {
    /// None.
    public static func reported(in response: RawResponse) -> Self? { nil }
}

/// The former name of ``PipelineFailureRepresentable``; its initialiser has no label. A conforming type implements one of the two
/// initialisers.
@available(*, deprecated, renamed: "PipelineFailureRepresentable")
public protocol ResponseError: PipelineFailureRepresentable {
    /// The error for a failure.
    init(_ failure: PipelineFailure)
}

@available(*, deprecated, renamed: "PipelineFailureRepresentable")
extension ResponseError {
    /// ``PipelineFailureRepresentable/init(failure:)``.
    public init(_ failure: PipelineFailure) { self.init(failure: failure) }
    /// ``ResponseError/init(_:)``.
    public init(failure: PipelineFailure) { self.init(failure) }
}

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

    /// The advice of the app-wide case, with the wait from `Retry-After`. Responses other than 429 may have one too (RFC
    /// 9110 section 10.2.3).
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
