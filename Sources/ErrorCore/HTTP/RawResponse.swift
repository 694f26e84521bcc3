#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a server answered, before anything was made of it. Any HTTP client can fill it.
/// ```swift
/// let (body, response) = try await session.data(for: request)
/// let http = response as! HTTPURLResponse
/// RawResponse(status: http.statusCode, headers: http.allHeaderFields, body: body, url: http.url?.absoluteString ?? "")
/// ```
public struct RawResponse: Sendable, Hashable {
    /// The status.
    public var status: HTTPStatus
    /// The header fields by lower-case name (RFC 9110 section 5.1: names have no case).
    public private(set) var headers: [String: String]
    /// The body.
    public var body: Data
    /// The address that was asked.
    public var url: String

    /// A response with header fields by name.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data(), url: String = "") {
        self.status = HTTPStatus(rawValue: status)
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { "\($0), \($1)" }
        self.body = body
        self.url = url
    }

    /// A response with header fields as `HTTPURLResponse.allHeaderFields` has them.
    public init(status: Int, headers: [AnyHashable: Any], body: Data = Data(), url: String = "") {
        let fields = headers.compactMap { name, value in
            (name.base as? String).map { ($0, String(describing: value)) }
        }
        self.init(status: status, headers: Dictionary(fields) { "\($0), \($1)" }, body: body, url: url)
    }

    /// The value of a header field, whatever the case of its name.
    public subscript(header name: String) -> String? {
        headers[name.lowercased()]
    }

    /// How long the server asks to wait, in whole seconds, by its `Retry-After` field.
    ///
    /// - Parameter now: The time that a date in the field is compared with.
    public func retryAfterSeconds(now: Date = Date()) -> Int? {
        self[header: "Retry-After"].flatMap { RetryAfter.seconds($0, now: now) }
    }
}
