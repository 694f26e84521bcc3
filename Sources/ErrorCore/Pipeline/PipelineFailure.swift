#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request that came to no value: the root cause, and the raw response if there was one.
///
/// An app's own error type is built from it (``ResponseError``); shown as it is, it speaks as the ``AppError`` that it
/// becomes.
public struct PipelineFailure: Error, Sendable {
    /// Why there is no value.
    public enum RootCause: Sendable {
        /// A 3xx that nobody followed.
        case redirection(HTTPStatus)
        /// A 4xx.
        case clientError(HTTPStatus)
        /// A 5xx, or a status outside of HTTP.
        case serverError(HTTPStatus)
        /// A success without the body that was needed.
        case noData
        /// The server could not be reached.
        case noConnection
        /// The answer did not come in time.
        case timeout
        /// Someone gave up.
        case cancelled
        /// The body could not be read as what it should be.
        case decoding(DecodingFailure)
        /// Anything else on the way, TLS and DNS included.
        case other(any Error)
    }

    /// A body that could not be decoded.
    public struct DecodingFailure: Sendable {
        /// The type that it should have been.
        public var type: String
        /// The body as it came.
        public var data: Data
        /// What the decoder said.
        public var underlying: any Error

        /// A failed decoding.
        public init(type: String, data: Data, underlying: any Error) {
            self.type = type
            self.data = data
            self.underlying = underlying
        }
    }

    /// Why there is no value.
    public let rootCause: RootCause
    /// What the server answered, if it did.
    public let response: RawResponse?

    /// A failure for this cause.
    public init(_ rootCause: RootCause, response: RawResponse? = nil) {
        self.rootCause = rootCause
        self.response = response
    }

    /// The failure that a response is by its status; nil for a success.
    public init?(_ response: RawResponse) {
        let status = response.status
        if status.isSuccess { return nil }
        if status.isRedirection {
            self.init(.redirection(status), response: response)
        } else if status.isClientError {
            self.init(.clientError(status), response: response)
        } else {
            self.init(.serverError(status), response: response)
        }
    }

    /// The failure that an error on the way is: thrown by an HTTP client, a file, a cancelled task.
    public init(transport error: any Error) {
        if let failure = error as? PipelineFailure {
            self = failure
            return
        }
        switch AppError(error) {
        case .networkUnavailable: self.init(.noConnection)
        case .timeout: self.init(.timeout)
        case .cancelled: self.init(.cancelled)
        default: self.init(.other(error))
        }
    }
}
