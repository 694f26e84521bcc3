#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PipelineFailure: PipelineFailureRepresentable {
    /// The failure itself.
    public init(failure: PipelineFailure) { self = failure }
}

extension AppError: PipelineFailureRepresentable {
    /// The app-wide case of the failure.
    public init(failure: PipelineFailure) { self = failure.appError }
}

/// Turns a raw response into a value, or into the app's own error.
public struct ResponsePipeline<Failure: PipelineFailureRepresentable>: Sendable {
    private let decoder: JSONDecoder

    /// A pipeline with an error type: `ResponsePipeline(failingWith: MusicError.self)`.
    public init(failingWith failure: Failure.Type = Failure.self, decoder: JSONDecoder = JSONDecoder()) {
        self.decoder = decoder
    }

    /// Sends a request and checks its response.
    ///
    /// - Parameters:
    ///   - method: The request's method. A POST or PATCH with an unknown outcome is not retried.
    ///   - isolation: The caller's actor, on which the call runs.
    ///   - send: The HTTP client's call. Any error that it throws becomes a failure.
    /// - Throws: The app's error: for a failed call, for an error that the body reports, or for a status that is not a success.
    public func response(
        method: HTTPMethod? = nil, isolation: isolated (any Actor)? = #isolation, _ send: () async throws -> RawResponse
    ) async throws(Failure) -> RawResponse {
        let response: RawResponse
        do {
            response = try await send()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(failure: PipelineFailure(transport: error, method: method))
        }
        try check(response, method: method)
        return response
    }

    /// Sends a request and decodes the response's body.
    ///
    /// - Throws: The app's error, under the conditions of ``response(method:isolation:_:)`` and ``value(_:from:method:)``.
    public func value<Value: Decodable>(
        _ type: Value.Type = Value.self, method: HTTPMethod? = nil, isolation: isolated (any Actor)? = #isolation,
        _ send: () async throws -> RawResponse
    ) async throws(Failure) -> Value {
        try value(type, from: try await response(method: method, send), method: method)
    }

    /// Checks whether a response is a success.
    ///
    /// - Throws: The app's error: the one that the body reports, else one for a status that is not a success.
    public func check(_ response: RawResponse, method: HTTPMethod? = nil) throws(Failure) {
        if let reported = Failure.reported(in: response) { throw reported }
        if let failure = PipelineFailure(response: response, method: method) { throw Failure(failure: failure) }
    }

    /// Decodes a response's JSON body.
    ///
    /// - Throws: The app's error, as ``check(_:method:)`` does, and for an empty body or one that cannot be decoded.
    public func value<Value: Decodable>(
        _ type: Value.Type = Value.self, from response: RawResponse, method: HTTPMethod? = nil
    ) throws(Failure) -> Value {
        try check(response, method: method)
        guard !response.body.isEmpty else {
            throw Failure(failure: PipelineFailure(.noData, response: response, method: method))
        }
        do {
            return try decoder.decode(type, from: response.body)
        } catch {
            let cause = PipelineFailure.DecodingFailure(type: type, data: response.body, underlying: error)
            throw Failure(failure: PipelineFailure(.decoding(cause), response: response, method: method))
        }
    }
}

/// Whether a request that failed may have taken effect on the server (RFC 9110 section 9.2.2).
enum RequestEffect {
    /// For a request that is not idempotent. The answer is no only if the error shows that the server did not process it.
    static func isPossible(after error: any Error) -> Bool {
        if let failure = error as? PipelineFailure { return isPossible(after: failure) }
        if let wasSent = FoundationErrors.reader?.mayHaveBeenSent(error) { return wasSent }
        return isPossible(after: AppError(error))
    }

    static func isPossible(after failure: PipelineFailure) -> Bool {
        switch failure.rootCause {
        case .redirection, .clientError: false
        case .serverError(let status): isPossible(afterStatus: status.rawValue)
        case .noConnection: failure.transportError.map(isPossible) ?? false
        case .timeout, .cancelled, .noData, .decoding: true
        case .other(let error): isPossible(after: error)
        }
    }

    private static func isPossible(after error: AppError) -> Bool {
        switch error {
        case .networkUnavailable, .dnsError, .sslError, .apiNotFound, .apiBadRequest, .apiUnauthorized, .apiRateLimited,
            .invalidURL:
            false
        case .serverError(let status, _): isPossible(afterStatus: status)
        default: true
        }
    }

    /// 3xx, 4xx and these 5xx statuses say that the server did not process the request.
    private static func isPossible(afterStatus status: Int) -> Bool {
        !((300..<500).contains(status) || [501, 503, 505, 511].contains(status))
    }
}
