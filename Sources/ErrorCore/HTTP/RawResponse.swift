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
