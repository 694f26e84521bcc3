/// Whether a request that failed may have taken effect on the server (RFC 9110 section 9.2.2).
enum RequestEffect {
    /// For a request that is not idempotent. Not possible is only what says that the request was not processed.
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

    /// These say that the server did not process the request.
    private static func isPossible(afterStatus status: Int) -> Bool {
        !((300..<500).contains(status) || [501, 503, 505, 511].contains(status))
    }
}
