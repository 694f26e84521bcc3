/// The host, port and user of a connection.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The host as the user named it; an IPv6 address without brackets.
    public let host: String
    /// The port, 1 to 65535.
    public let port: Int
    /// The user at the server.
    public let user: String

    /// An endpoint of parts that were checked elsewhere, or of what is known so far: a message's place.
    package init(unchecked host: String, port: Int = 22, user: String) {
        self.host = host
        self.port = port
        self.user = user
    }

    /// An endpoint of parts that nothing has checked yet. An IPv6 address may stand in brackets.
    ///
    /// A user may have any name that can be sent: what ssh's configuration would give to a shell is checked where it is read.
    package init(checking host: String, port: Int, user: String) throws(DestinationProblem) {
        let destination: Destination
        do { destination = try Destination(host: host, port: port) } catch {
            throw error as? DestinationProblem ?? .emptyHost(input: host)
        }
        guard !user.isEmpty else { throw .missingUser(input: host) }
        if let control = user.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
            throw .controlCharacter(inUser: control, input: user)
        }
        self.init(unchecked: destination.host, port: port, user: user)
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
