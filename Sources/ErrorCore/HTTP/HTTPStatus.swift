/// An HTTP status code (RFC 9110 section 15).
public struct HTTPStatus: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByIntegerLiteral {
    /// The code; 100 to 599 in a valid response.
    public let rawValue: Int
    /// A code.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A code.
    public init(integerLiteral value: Int) { rawValue = value }

    /// 2xx.
    public var isSuccess: Bool { (200..<300).contains(rawValue) }
    /// 3xx.
    public var isRedirection: Bool { (300..<400).contains(rawValue) }
    /// 4xx.
    public var isClientError: Bool { (400..<500).contains(rawValue) }
    /// 5xx.
    public var isServerError: Bool { (500..<600).contains(rawValue) }

    /// 400.
    public static let badRequest: HTTPStatus = 400
    /// 401.
    public static let unauthorized: HTTPStatus = 401
    /// 402.
    public static let paymentRequired: HTTPStatus = 402
    /// 403.
    public static let forbidden: HTTPStatus = 403
    /// 404.
    public static let notFound: HTTPStatus = 404
    /// 405.
    public static let methodNotAllowed: HTTPStatus = 405
    /// 407.
    public static let proxyAuthenticationRequired: HTTPStatus = 407
    /// 408.
    public static let requestTimeout: HTTPStatus = 408
    /// 409.
    public static let conflict: HTTPStatus = 409
    /// 410.
    public static let gone: HTTPStatus = 410
    /// 413.
    public static let contentTooLarge: HTTPStatus = 413
    /// 422.
    public static let unprocessableContent: HTTPStatus = 422
    /// 429 (RFC 6585 section 4).
    public static let tooManyRequests: HTTPStatus = 429
    /// 500.
    public static let internalServerError: HTTPStatus = 500
    /// 501.
    public static let notImplemented: HTTPStatus = 501
    /// 502.
    public static let badGateway: HTTPStatus = 502
    /// 503.
    public static let serviceUnavailable: HTTPStatus = 503
    /// 504.
    public static let gatewayTimeout: HTTPStatus = 504
}

extension HTTPStatus {
    /// The reason for a refusal when the server gives none (RFC 9110 section 15.5, RFC 4918, RFC 6585). It completes "The server
    /// did not accept the request: …".
    static let refusals: [Int: String] = [
        400: "it is malformed",
        411: "the app did not say how long it is",
        412: "something has changed in the meantime",
        413: "what was sent is too large",
        414: "the address is too long",
        415: "the content type is not supported",
        416: "the part that was asked for does not exist",
        417: "an expectation of the app cannot be met",
        421: "it went to the wrong server",
        422: "what was sent is not valid",
        423: "it is locked",
        424: "an earlier request failed",
        425: "it may be a repetition, which is not accepted this early",
        426: "a newer protocol is needed",
        428: "it must say which version it is based on",
        431: "its header is too large",
    ]
}
