/// What is decoded is checked as what is typed.
extension SSHEndpoint: Codable {
    private enum CodingKeys: String, CodingKey { case host, name, port, user }

    /// - Throws: `DecodingError` for a host, port or user that cannot be one, too.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let host = try values.decode(String.self, forKey: .host)
        let port = try values.decodeIfPresent(Int.self, forKey: .port) ?? 22
        let user = try values.decode(String.self, forKey: .user)
        let name = try values.decodeIfPresent(String.self, forKey: .name)
        do throws(SSHDestinationProblem) { try self.init(checking: host, port: port, user: user, name: name) } catch {
            throw DecodingError.dataCorruptedError(forKey: .host, in: values, debugDescription: error.description)
        }
    }

    /// Writes host, port and user, and the name where it is another.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(host, forKey: .host)
        if name != host { try values.encode(name, forKey: .name) }
        try values.encode(port, forKey: .port)
        try values.encode(user, forKey: .user)
    }
}

/// As the text that a person would type: `alice@web1:2222`.
extension SSHDestination: Codable {
    /// - Throws: `DecodingError` for a text that is no destination, too.
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
