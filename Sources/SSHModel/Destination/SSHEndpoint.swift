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

    /// Makes an endpoint of unchecked parts. An IPv6 address may be in brackets.
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

/// Encoded and decoded names are checked like names in a text: stored or sent data may come from anyone.
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
    /// - Throws: `EncodingError` for a user that decoding would refuse; the errors of the encoder.
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

/// The rules for user names in combination with a host: on a command line, in a URL, in a ProxyJump, or in a call of the library.
///
/// The server decides which names exist (RFC 4252 section 5: any UTF-8). But ssh's configuration gives the name to a shell, as
/// `%r` in ProxyCommand and `Match exec`, and the name may come from an untrusted source: a list of hosts, a submodule's URL, a
/// web form. So a name must have no meaning to a shell. That is the rule of OpenSSH (`valid_ruser` in ssh.c, since 9.6 for
/// CVE-2023-51385), with one addition. OpenSSH refuses a hyphen at the start and after white space, because the next program
/// would take it for an option. These rules also refuse a hyphen that the shell would move there, as in `\-oX` or `x$IFS-oX`.
///
/// A `User` in the owner's own configuration is not checked: the owner could write any ProxyCommand there as well.
package enum UserNameRules {
    private static let forbidden = Set("'`\";&<>|(){}".unicodeScalars)

    package static func check(_ user: String, input: String) throws(SSHDestinationProblem) {
        guard !user.isEmpty else { throw .emptyUser(input: input) }
        var word = WordStart()
        for scalar in user.unicodeScalars {
            guard !scalar.isControl else { throw .controlCharacter(scalar, input: input) }
            guard !forbidden.contains(scalar) else { throw .unsafeUser("hold the character \(scalar)", input: input) }
            guard scalar != "-" || !word.isHere else {
                throw .unsafeUser("hold a hyphen where an option could begin", input: input)
            }
            word.pass(scalar)
        }
        guard !user.hasSuffix("\\") else { throw .unsafeUser("end with a backslash", input: input) }
    }

    /// Tracks whether the next character could begin a word after the shell has removed backslashes and expanded variables. The
    /// value of a variable may be empty or end with white space.
    private struct WordStart {
        private(set) var isHere = true
        private var isInVariable = false
        private var isAfterDollar = false

        mutating func pass(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "$": (isHere, isInVariable, isAfterDollar) = (true, true, true)
            case "\\": (isInVariable, isAfterDollar) = (false, false)
            case " ": (isHere, isInVariable, isAfterDollar) = (true, false, false)
            default:
                isInVariable = isInVariable && (isAfterDollar || Self.isInName(scalar))
                isAfterDollar = false
                isHere = isInVariable
            }
        }

        private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: false
            }
        }
    }
}
