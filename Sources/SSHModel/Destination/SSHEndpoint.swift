/// The host, port and user of a connection.
public struct SSHEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The host to resolve and connect to: a name or an address.
    public let host: String
    /// The host as the user named it. It differs from `host` if the configuration replaces the name (HostName of
    /// ssh_config(5)).
    public let name: String
    /// The port, 1 to 65535.
    public let port: Int
    /// The login name at the server.
    public let user: String

    /// Makes an endpoint of parts that were checked elsewhere, or of the parts that are known so far, for a message.
    ///
    /// - Parameter name: the host as the user named it; nil for `host`.
    package init(unchecked host: String, port: Int = 22, user: String, name: String? = nil) {
        self.host = host
        self.name = name ?? host
        self.port = port
        self.user = user
    }

    /// Makes an endpoint of unchecked parts. An IPv6 address may stand in brackets.
    ///
    /// Any user name that can be sent is accepted. The reader of ssh's configuration checks the names that may reach a shell.
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

    /// `user@host:port`, with the host in brackets if it has a colon.
    public var description: String { Self.text(host: host, port: port, user: user) }

    /// The name for people, with the host if it differs: `db7 (10.0.0.7)`.
    package var label: String { Self.label(name, host) }

    package static func label(_ name: String, _ host: String) -> String {
        name.isEmpty || name == host ? host : "\(name) (\(host))"
    }

    /// `host:port`, with the host in brackets if it has a colon.
    package var place: String { Self.text(host: host, port: port, user: "") }

    /// `user@host:port`, or `host:port` if the user is not known.
    package static func text(host: String, port: Int, user: String) -> String {
        (user.isEmpty ? "" : user + "@") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
}

/// Encoded and decoded names are checked as those in a text are: what was stored or sent may come from anyone.
extension SSHEndpoint: Codable {
    private enum CodingKeys: String, CodingKey { case host, name, port, user }

    /// - Throws: `DecodingError`, also for an invalid host, port or user.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let host = try values.decode(String.self, forKey: .host)
        let port = try values.decodeIfPresent(Int.self, forKey: .port) ?? 22
        let user = try values.decode(String.self, forKey: .user)
        let name = try values.decodeIfPresent(String.self, forKey: .name)
        do throws(SSHDestinationProblem) { try UserNameRules.check(user, input: user) } catch {
            throw DecodingError.dataCorruptedError(forKey: .user, in: values, debugDescription: error.message)
        }
        do throws(SSHDestinationProblem) { try self.init(checking: host, port: port, user: user, name: name) } catch {
            throw DecodingError.dataCorruptedError(forKey: .host, in: values, debugDescription: error.description)
        }
    }

    /// Writes host, port and user, and the name if it is not the host.
    ///
    /// - Throws: `EncodingError` for a user that decoding would refuse; what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        do throws(SSHDestinationProblem) { try UserNameRules.check(user, input: user) } catch {
            throw EncodingError.invalidValue(user, .init(codingPath: encoder.codingPath, debugDescription: error.message))
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(host, forKey: .host)
        if name != host { try values.encode(name, forKey: .name) }
        try values.encode(port, forKey: .port)
        try values.encode(user, forKey: .user)
    }
}

/// Encoded as the text that a person would type: `alice@web1:2222`.
extension SSHDestination: Codable {
    /// - Throws: `DecodingError`, also for a text that is not a destination.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        do { try self.init(parsing: value.decode(String.self)) } catch let problem as SSHDestinationProblem {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: problem.description)
        }
    }

    /// Writes ``description``.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
