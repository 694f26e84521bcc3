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
    public init?(_ response: RawResponse, now: Date = Date()) {
        let status = response.status.rawValue
        let message = response.serverMessage
        switch status {
        case 0..<300: return nil
        case 300..<400: self = .serverError(status: status, message: message ?? "it sent us elsewhere, and that was not followed")
        case 401, 407: self = .apiUnauthorized
        case 403: self = .permissionDenied(tool: response.endpoint)
        case 404, 410: self = .apiNotFound(endpoint: response.endpoint)
        case 408: self = .timeout(seconds: 0)
        case 429: self = .apiRateLimited(retryAfter: response.retryAfterSeconds(now: now))
        case 400..<500: self = .apiBadRequest(message: message ?? "status \(status)")
        default: self = .serverError(status: status, message: message)
        }
    }
}

extension RawResponse {
    /// The address without what may be secret in it.
    var endpoint: String { url.withoutCredentials }
}
