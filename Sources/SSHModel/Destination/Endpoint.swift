/// The host, port and user of a connection.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The host as the user named it.
    public let host: String
    /// The port, 1 to 65535.
    public let port: Int
    /// The user at the server.
    public let user: String

    /// An endpoint.
    public init(host: String, port: Int = 22, user: String) {
        self.host = host
        self.port = port
        self.user = user
    }

    /// `user@host:port`, the host in brackets if it has a colon.
    public var description: String { Self.text(host: host, port: port, user: user) }

    /// `host:port`, the host in brackets if it has a colon.
    package var place: String { Self.text(host: host, port: port, user: "") }

    /// `user@host:port` of parts that may not be known yet: without `user@` where there is none.
    package static func text(host: String, port: Int, user: String) -> String {
        (user.isEmpty ? "" : user + "@") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
}
