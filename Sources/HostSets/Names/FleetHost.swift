/// One host of a set: its name, and the user and port given in its expression.
public struct FleetHost: Sendable, Hashable {
    /// The name or address. It identifies the host: two entries with the same name are the same host.
    public var name: String
    /// The user before the `@`.
    public var user: String?
    /// The port after the colon, 1 to 65535.
    public var port: Int?

    /// A host. The name is not parsed; ``init(parsing:)`` parses `user@name:port`.
    public init(name: String, user: String? = nil, port: Int? = nil) {
        self.name = name
        self.user = user
        self.port = port
    }

    /// Parses `name`, `user@name`, `name:port`, `[address]:port` or a bare IPv6 address.
    ///
    /// - Throws: ``HostSetProblem`` if the text is none of these, or the name is not a valid host name.
    public init(parsing text: String) throws {
        self = try Self.parse(text)
    }

    static func parse(_ text: String) throws(HostSetProblem) -> FleetHost {
        if let plain = HostName.plain(text) { return FleetHost(name: plain) }
        let host = try parseUnchecked(text)
        try HostName.check(host.name)
        return host
    }

    /// Parses user and port without checking the name, which may be a group or a wildcard.
    static func parseUnchecked(_ text: String) throws(HostSetProblem) -> FleetHost {
        var rest = Substring(text)
        var user: String?
        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let name = String(rest[..<at])
            guard !name.contains("://") else {
                throw HostSetProblem(
                    .notAHost, "Hosts are not written as URLs here.", remedy: "Write user@host or user@host:port.")
            }
            guard HostName.isUser(name) else {
                throw HostSetProblem(.notAHost, "\"\(HostSetProblem.shown(name))\" before the @ cannot be a user's name.")
            }
            user = name
            rest = rest[rest.utf8.index(after: at)...]
        }
        let (name, port) = try HostName.split(rest)
        return FleetHost(name: name, user: user, port: port)
    }

    /// Combines the host with another entry for it, unless the two contradict each other.
    func merged(with other: FleetHost) throws(HostSetProblem) -> FleetHost {
        if user == other.user, port == other.port { return self }
        if let port, let another = other.port, port != another {
            throw HostSetProblem(
                .contradiction, "\(HostSetProblem.shown(name)) is named with two ports, \(port) and \(another).",
                remedy: "Name it once, or give the second port an alias in ssh's configuration.")
        }
        if let user, let another = other.user, user != another {
            throw HostSetProblem(
                .contradiction,
                "\(HostSetProblem.shown(name)) is named with two users, \(HostSetProblem.shown(user)) and "
                    + "\(HostSetProblem.shown(another)).",
                remedy: "Name it once, or run the command once for each user.")
        }
        return FleetHost(name: name, user: user ?? other.user, port: port ?? other.port)
    }
}

extension FleetHost: CustomStringConvertible {
    /// The host as in an expression: `user@name:port`, with an address in brackets if it has a port.
    public var description: String {
        if user == nil, port == nil { return name }
        let login = user.map { $0 + "@" } ?? ""
        guard let port else { return login + name }
        return name.utf8.contains(UInt8(ascii: ":")) ? "\(login)[\(name)]:\(port)" : "\(login)\(name):\(port)"
    }
}
