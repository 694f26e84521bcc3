/// The host to connect to, with an optional user and an optional port.
///
/// The host is kept as it was written (case included), an IPv6 address without its brackets. A host name that is not
/// ASCII is passed on as UTF-8, as OpenSSH does: whether the resolver turns it into its IDNA form is the system's matter.
/// Equality is that of the spelling: `Web1` and `web1` are different values although they are one host.
public struct SSHDestination: Sendable, Hashable, CustomStringConvertible {
    /// The name to log in as, or nil if none was given.
    public let user: String?
    /// A host name, or an IPv4 or IPv6 address (with its zone, `fe80::1%eth0`), never in brackets.
    public let host: String
    /// The TCP port, 1 to 65535, or nil if none was given (RFC 4253 section 4.1: 22).
    public let port: Int?

    /// Makes a destination of its parts.
    ///
    /// - Parameters:
    ///   - user: the name to log in as; not empty, without control characters, and one that a shell leaves alone: without
    ///     any of `'` `` ` `` `"` `;` `&` `<` `>` `|` `(` `)` `{` `}`, without a backslash at the end, and without a hyphen where
    ///     an option could begin. It may reach a shell, as `%r` in a ProxyCommand.
    ///   - host: a host name or a literal address; an IPv6 address may stand in brackets.
    ///   - port: 1 to 65535.
    /// - Throws: ``SSHDestinationProblem`` if a part cannot be what it is meant to be.
    public init(user: String? = nil, host: String, port: Int? = nil) throws {
        if let user { try UserNameRules.check(user, input: user) }
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        try self.init(user: user, host: bare, port: port, input: host)
    }

    /// Reads `[user@]host[:port]`, `[v6]:port`, a bare IPv6 address, or `ssh://[user@]host[:port]`.
    ///
    /// The last `@` ends the user. A port follows a host without brackets only where there is exactly one colon; so
    /// `::1:22` is an address, and `[::1]:22` one with a port.
    ///
    /// - Throws: ``SSHDestinationProblem`` that says what is wrong with `text` and how to write it.
    public init(parsing text: String) throws {
        self = try DestinationParser(text).parse()
    }

    init(user: String?, host: String, port: Int?, input: String) throws(SSHDestinationProblem) {
        if let user { try UserNameRules.check(user, input: input) }
        try HostNameRules.check(host, input: input)
        if let port, !(1...65535).contains(port) { throw .portOutOfRange(String(port), input: input) }
        self.user = user
        self.host = host
        self.port = port
    }

    /// Whether the host is an IPv6 address, which needs brackets before a port.
    var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

    /// The destination as it would be typed; reading it again gives an equal value.
    public var description: String {
        let prefix = user.map { "\($0)@" } ?? ""
        guard let port else { return prefix + host }
        return isIPv6 ? "\(prefix)[\(host)]:\(port)" : "\(prefix)\(host):\(port)"
    }
}
