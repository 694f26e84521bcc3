#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An uninterpreted response, which any HTTP client can provide.
/// ```swift
/// let (body, response) = try await session.data(for: request)
/// let http = response as! HTTPURLResponse
/// RawResponse(status: http.statusCode, headers: http.allHeaderFields, body: body, url: http.url?.absoluteString ?? "")
/// ```
public struct RawResponse: Sendable, Hashable {
    /// The status.
    public var status: HTTPStatus
    /// The header fields by lower-case name (RFC 9110 section 5.1: names are case-insensitive).
    public private(set) var headers: [String: String]
    /// The body.
    public var body: Data
    /// The URL of the request.
    public var url: String

    /// A response with these header fields.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data(), url: String = "") {
        self.status = HTTPStatus(rawValue: status)
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { "\($0), \($1)" }
        self.body = body
        self.url = url
    }

    /// A response with header fields in the form of `HTTPURLResponse.allHeaderFields`.
    public init(status: Int, headers: [AnyHashable: Any], body: Data = Data(), url: String = "") {
        let fields = headers.compactMap { name, value in
            (name.base as? String).map { ($0, String(describing: value)) }
        }
        self.init(status: status, headers: Dictionary(fields) { "\($0), \($1)" }, body: body, url: url)
    }

    /// The value of a header field. The name is case-insensitive.
    public subscript(header name: String) -> String? {
        headers[name.lowercased()]
    }

    /// The wait that the server asks for in `Retry-After`, in whole seconds; nil if there is no valid field.
    ///
    /// - Parameter now: The current time, for a date in the field.
    public func retryAfterSeconds(now: Date = Date()) -> Int? {
        self[header: "Retry-After"].flatMap { RetryAfter.seconds($0, now: now) }
    }
}

/// The value of a `Retry-After` header field (RFC 9110 section 10.2.3): seconds, or a date.
enum RetryAfter {
    /// The wait in whole seconds, rounded up and never negative; nil for an invalid value.
    static func seconds(_ value: String, now: Date) -> Int? {
        let value = value.trimmed
        if !value.isEmpty, value.allSatisfy({ $0.isASCII && $0.isNumber }) {
            // A number too large for Int is still a valid wait.
            return min(Int(value) ?? .max, maximumSeconds)
        }
        guard let date = date(value) else { return nil }
        return Int(min(max(0, date.timeIntervalSince(now)).rounded(.up), Double(maximumSeconds)))
    }

    /// Ten years. A longer wait is a mistake of the server, and would overflow a duration.
    private static let maximumSeconds = 315_360_000

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Parses an HTTP date in any of its three forms (RFC 9110 section 5.6.7).
    static func date(_ text: String) -> Date? {
        let words = text.lowercased().split { " ,-".contains($0) }.map(String.init)
        switch words.count {
        case 6 where words[5] == "gmt":
            // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
            return date(day: words[1], month: words[2], year: words[3], time: words[4])
        case 5:
            // Sun Nov  6 08:49:37 1994
            return date(day: words[2], month: words[1], year: words[4], time: words[3])
        default:
            return nil
        }
    }

    private static func date(day: String, month: String, year: String, time: String) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard let day = Int(day), let month = months.firstIndex(of: month), var year = Int(year), clock.count == 3,
            (1...31).contains(day), (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2]),
            (0...9999).contains(year)
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        let seconds = daysSince1970(year: year, month: month + 1, day: day) * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// Days in the Gregorian calendar. Years are counted from March, so the leap day is the last day of its year.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

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
    /// The reason for a refusal when the server gives none (RFC 9110 section 15.5, RFC 4918, RFC 6585). The text completes "The
    /// server did not accept the request: …".
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

extension AppError {
    /// The case for a failed response (RFC 9110 section 15, RFC 6585); nil for a success or an interim response.
    ///
    /// - Parameters:
    ///   - response: The response. The server's message is taken from its body.
    ///   - now: The current time, for a date in `Retry-After`.
    public init?(response: RawResponse, now: Date = Date()) {
        let status = response.status.rawValue
        let message = response.serverMessage
        switch status {
        case 0..<300: return nil
        case 401: self = .apiUnauthorized
        // These cases keep their status, because what a person can do depends on it.
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
    /// The address, without anything that may be secret.
    var endpoint: String { url.withoutCredentials }
}

extension RawResponse {
    /// The server's message from the body: the `message`, `error`, `detail` or `title` of a JSON object (RFC 9457 and common
    /// practice), or a short plain text. At most 300 characters; nil if there is none.
    public var serverMessage: String? {
        guard !body.isEmpty, body.count <= 1 << 20 else { return nil }
        guard let text = String(data: body, encoding: .utf8)?.trimmed else { return nil }
        if let value = try? JSONReader<BodyValue>.read(text, isLenient: true) {
            return Self.message(in: value, depth: 0)?.cut(to: 300)
        }
        // An HTML page is not an error message.
        guard !text.isEmpty, !text.hasPrefix("<"), text.count <= 300,
            self[header: "Content-Type"].map({ $0.lowercased().hasPrefix("text/plain") }) ?? true
        else { return nil }
        return text
    }

    private static let names = ["message", "error_description", "error", "detail", "title", "reason", "errors"]

    private static func message(in value: BodyValue, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        switch value {
        case .text(let text):
            let text = text.trimmed
            return text.isEmpty ? nil : text
        case .object(let object):
            return names.lazy.compactMap { object[$0] }.compactMap { message(in: $0, depth: depth + 1) }.first
        case .list(let list):
            return list.lazy.compactMap { message(in: $0, depth: depth + 1) }.first
        case .other:
            return nil
        }
    }
}

/// The strings of a JSON value; other values are ignored.
private enum BodyValue: JSONNode {
    case text(String)
    case object([String: BodyValue])
    case list([BodyValue])
    case other

    init(_ part: JSONPart<BodyValue>, line: Int) {
        switch part {
        case .object(let members): self = .object(.init(members.lazy.map { ($0.name, $0.value) }) { first, _ in first })
        case .array(let values): self = .list(values)
        case .string(let text): self = .text(text)
        case .number, .boolean, .null: self = .other
        }
    }
}
