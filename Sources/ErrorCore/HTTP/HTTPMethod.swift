/// An HTTP request method (RFC 9110 section 9).
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name; the standard methods are in upper case.
    public let rawValue: String
    /// A method with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A method with this name.
    public init(stringLiteral value: String) { rawValue = value }
    /// The name.
    public var description: String { rawValue }

    /// Reads a resource.
    public static let get: HTTPMethod = "GET"
    /// Reads only the header.
    public static let head: HTTPMethod = "HEAD"
    /// Creates or processes something.
    public static let post: HTTPMethod = "POST"
    /// Replaces a resource.
    public static let put: HTTPMethod = "PUT"
    /// Changes a part of a resource.
    public static let patch: HTTPMethod = "PATCH"
    /// Removes a resource.
    public static let delete: HTTPMethod = "DELETE"

    /// Whether two identical requests have the same effect as one (RFC 9110 section 9.2.2). Unknown methods count as not
    /// idempotent.
    public var isIdempotent: Bool { Self.idempotent.contains(rawValue.uppercased()) }

    private static let idempotent: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"]
}
