/// The host, port and user of a connection.
public struct SSHEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The host that is looked up and dialled: a name or an address.
    public let host: String
    /// The host as the user named it, which differs from `host` where a configuration gives the name another (HostName of
    /// ssh_config(5)).
    public let name: String
    /// The port, 1 to 65535.
    public let port: Int
    /// The user at the server.
    public let user: String

    /// An endpoint of parts that were checked elsewhere, or of what is known so far: a message's place.
    ///
    /// - Parameter name: the host as the user named it; nil for `host`.
    package init(unchecked host: String, port: Int = 22, user: String, name: String? = nil) {
        self.host = host
        self.name = name ?? host
        self.port = port
        self.user = user
    }

    /// An endpoint of parts that nothing has checked yet. An IPv6 address may stand in brackets.
    ///
    /// A user may have any name that can be sent: what ssh's configuration would give to a shell is checked where it is read.
    ///
    /// - Parameter name: the host as the user named it; nil for `host`.
    package init(checking host: String, port: Int, user: String, name: String? = nil) throws(SSHDestinationProblem) {
        let destination: SSHDestination
        do { destination = try SSHDestination(host: host, port: port) } catch {
            throw error as? SSHDestinationProblem ?? .emptyHost(input: host)
        }
        guard !user.isEmpty else { throw .missingUser(input: host) }
        if let control = user.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
            throw .controlCharacter(inUser: control, input: user)
        }
        self.init(unchecked: destination.host, port: port, user: user, name: name)
    }

    /// `user@host:port`, the host in brackets if it has a colon.
    public var description: String { Self.text(host: host, port: port, user: user) }

    /// For a person: the name, and the host where it is another: `db7 (10.0.0.7)`.
    package var label: String { Self.label(name, host) }

    package static func label(_ name: String, _ host: String) -> String {
        name.isEmpty || name == host ? host : "\(name) (\(host))"
    }

    /// `host:port`, the host in brackets if it has a colon.
    package var place: String { Self.text(host: host, port: port, user: "") }

    /// `user@host:port` of parts that may not be known yet: without `user@` where there is none.
    package static func text(host: String, port: Int, user: String) -> String {
        (user.isEmpty ? "" : user + "@") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
}
