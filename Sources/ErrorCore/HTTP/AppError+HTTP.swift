#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension AppError {
    /// The case for a response that is no success (RFC 9110 section 15, RFC 6585); nil for one that is, or is interim.
    ///
    /// - Parameters:
    ///   - response: The response. The server's own message is taken from its body.
    ///   - now: The time that a date in `Retry-After` is compared with.
    public init?(response: RawResponse, now: Date = Date()) {
        let status = response.status.rawValue
        let message = response.serverMessage
        switch status {
        case 0..<300: return nil
        case 401: self = .apiUnauthorized
        // The status carries these: what a person can do depends on it.
        case 402, 403, 405, 406, 407, 409, 410, 418, 451: self = .serverError(status: status, message: message)
        case 404: self = .apiNotFound(endpoint: response.endpoint)
        case 408: self = .timeout(seconds: 0)
        case 429: self = .apiRateLimited(retryAfter: response.retryAfterSeconds(now: now))
        case 400..<500: self = .apiBadRequest(message: message ?? HTTPStatus.refusals[status] ?? "status \(status)")
        default: self = .serverError(status: status, message: message)
        }
    }
}

extension RawResponse {
    /// The address without what may be secret in it.
    var endpoint: String { url.withoutCredentials }
}
