#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The host to connect to, with an optional user and an optional port.
///
/// The host keeps its spelling, case included; an IPv6 address loses its brackets. A host name that is not ASCII is passed on
/// as UTF-8, as OpenSSH does; the system's resolver decides whether to convert it to IDNA. Two destinations are equal if their
/// spelling is equal: `Web1` and `web1` are different values, although they name one host.
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
    ///   - user: the name to log in as. It may reach a shell, as `%r` in a ProxyCommand. So it must not be empty and must not
    ///     hold control characters, any of `'` `"` `;` `&` `<` `>` `|` `(` `)` `{` `}` and the backquote, a backslash at the
    ///     end, or a hyphen where an option could begin.
    ///   - host: a host name or a literal address; an IPv6 address may be in brackets.
    ///   - port: 1 to 65535.
    /// - Throws: ``SSHDestinationProblem`` if a part is not valid.
    public init(user: String? = nil, host: String, port: Int? = nil) throws {
        if let user { try UserNameRules.check(user, input: user) }
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        try self.init(user: user, host: bare, port: port, input: host)
    }

    /// Reads `[user@]host[:port]`, `[v6]:port`, a bare IPv6 address, or `ssh://[user@]host[:port]`.
    ///
    /// The last `@` ends the user. A host without brackets has a port only if the text has exactly one colon: `::1:22` is an
    /// address, and `[::1]:22` is an address with a port.
    ///
    /// - Throws: ``SSHDestinationProblem`` with the error in `text` and its remedy.
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

    /// The destination as a person would type it. Parsing it gives an equal value.
    public var description: String {
        let prefix = user.map { "\($0)@" } ?? ""
        guard let port else { return prefix + host }
        return isIPv6 ? "\(prefix)[\(host)]:\(port)" : "\(prefix)\(host):\(port)"
    }
}

/// Splits the text of a destination into its parts. ``HostNameRules`` and ``UserNameRules`` check the parts.
struct DestinationParser {
    private let text: String
    /// The text as an error may show it, without the password of a URL.
    private let input: String

    init(_ text: String) {
        self.text = text
        self.input = SSHURL(text)?.redacted ?? text
    }

    func parse() throws(SSHDestinationProblem) -> SSHDestination {
        if let control = text.unicodeScalars.first(where: \.isControl) { throw .controlCharacter(control, input: input) }
        if let url = SSHURL(text) { return try parse(url) }
        var user: String?
        var rest = Substring(text)
        if let at = text.lastIndex(of: "@") {
            user = String(text[..<at])
            rest = text[text.index(after: at)...]
        }
        let (host, port) = try hostAndPort(rest)
        return try SSHDestination(user: user, host: String(host), port: port, input: input)
    }

    private func parse(_ url: SSHURL) throws(SSHDestinationProblem) -> SSHDestination {
        guard url.scheme == "ssh" else { throw .unsupportedScheme(url.scheme, input: input) }
        guard !url.hasPassword else { throw .passwordInURL(input: input) }
        guard url.path.isEmpty || url.path == "/" else { throw .pathInURL(input: input) }
        let user = try url.user.map { raw throws(SSHDestinationProblem) in
            guard let decoded = PercentEncoding.decode(raw) else { throw .percentEncoding(String(raw), input: input) }
            return decoded
        }
        let (host, port) = try hostAndPort(url.hostAndPort)
        // RFC 6874 writes the % of a zone as %25. People write a plain %. Both are accepted.
        let decoded = PercentEncoding.decode(host) ?? String(host)
        return try SSHDestination(user: user, host: decoded, port: port, input: input)
    }

    private func hostAndPort(_ rest: Substring) throws(SSHDestinationProblem) -> (Substring, Int?) {
        if rest.hasPrefix("[") {
            guard let close = rest.firstIndex(of: "]") else { throw .unbalancedBrackets(input: input) }
            let host = rest[rest.index(after: rest.startIndex)..<close]
            let after = rest[rest.index(after: close)...]
            guard !after.isEmpty else { return (host, nil) }
            guard after.hasPrefix(":") else { throw .unbalancedBrackets(input: input) }
            return (host, try port(after.dropFirst()))
        }
        guard !rest.contains(where: { $0 == "[" || $0 == "]" }) else { throw .unbalancedBrackets(input: input) }
        guard let colon = rest.firstIndex(of: ":"), colon == rest.lastIndex(of: ":") else { return (rest, nil) }
        return (rest[..<colon], try port(rest[rest.index(after: colon)...]))
    }

    private func port(_ digits: Substring) throws(SSHDestinationProblem) -> Int {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw .portNotANumber(String(digits), input: input)
        }
        guard let port = Int(digits), (1...65535).contains(port) else {
            throw .portOutOfRange(String(digits), input: input)
        }
        return port
    }
}

/// The pieces of `ssh://[user[;parameters][:password]@]host[:port][/path]`, still percent-encoded.
///
/// The form is RFC 3986 section 3.2. The connection parameters of draft-ietf-secsh-scp-sftp-ssh-uri are ignored.
struct SSHURL {
    /// In lower case. URLs of every scheme are split, so that a password is never shown.
    let scheme: String
    let user: Substring?
    let hasPassword: Bool
    let hostAndPort: Substring
    /// Everything from the first `/`, `?` or `#` after the host.
    let path: Substring
    /// The whole text without a password.
    let redacted: String

    /// Returns nil if `text` does not begin with a scheme (RFC 3986 section 3.1) and `://`.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://"), separator.lowerBound > text.startIndex,
            text[..<separator.lowerBound].utf8.allSatisfy(Self.isSchemeCharacter)
        else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...]
        // A password may contain an unencoded slash, although that is not allowed. The host then starts after the last @.
        let passwordMayFollow = rest.lastIndex(of: "@").map { rest[..<$0].contains(":") } ?? false
        let authorityStart = passwordMayFollow ? rest.lastIndex(of: "@") ?? rest.startIndex : rest.startIndex
        let end = rest[authorityStart...].firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        path = rest[end...]
        guard let at = authority.lastIndex(of: "@") else {
            (user, hasPassword, hostAndPort, redacted) = (nil, false, authority, text)
            return
        }
        let information = authority[..<at]
        let colon = information.firstIndex(of: ":")
        let name = information[..<(colon ?? at)]
        user = name.prefix { $0 != ";" }
        hasPassword = colon != nil
        hostAndPort = authority[authority.index(after: at)...]
        redacted = hasPassword ? "\(text[..<separator.upperBound])\(name):***\(rest[at...])" : text
    }

    private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        switch byte.lowercasedASCII {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "+-.".utf8.contains(byte)
        }
    }
}

/// The percent-encoding of RFC 3986 section 2.1.
package enum PercentEncoding {
    /// The decoded text, or nil if a `%` is not followed by two hexadecimal digits or the result is not UTF-8.
    package static func decode(_ text: Substring) -> String? {
        bytes(of: text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The decoded bytes, or nil if a `%` is not followed by two hexadecimal digits.
    package static func bytes(of text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}

/// The rules for host names: RFC 1123 section 2.1 and RFC 1035 section 2.3.4 for lengths, RFC 4291 and RFC 4007 for IPv6.
///
/// More characters are allowed than in RFC 1123, because hosts files and resolvers know `_` and UTF-8. A character is refused
/// if no resolver accepts it, or if it would make a pattern, a list or a command elsewhere (known_hosts, a ProxyCommand's
/// shell).
package enum HostNameRules {
    private static let maximumName = 253
    private static let maximumLabel = 63
    private static let forbidden = Set("\"'\\`$;&<>|(){}[],*?!#@/%^=".unicodeScalars)

    package static func check(_ host: String, input: String) throws(SSHDestinationProblem) {
        guard !host.isEmpty else { throw .emptyHost(input: input) }
        guard !host.hasPrefix("-") else { throw .leadingHyphen(host, input: input) }
        if host.utf8.contains(UInt8(ascii: ":")) {
            try checkAddress(host, input: input)
        } else {
            try checkCharacters(host, input: input)
            try checkLengths(host, input: input)
        }
    }

    private static func checkCharacters(_ text: String, input: String) throws(SSHDestinationProblem) {
        for scalar in text.unicodeScalars {
            guard !scalar.isControl else { throw .controlCharacter(scalar, input: input) }
            guard !scalar.properties.isWhitespace else { throw .space(input: input) }
            guard !forbidden.contains(scalar) else { throw .forbiddenCharacter(scalar, input: input) }
        }
    }

    private static func checkLengths(_ host: String, input: String) throws(SSHDestinationProblem) {
        // A final dot makes a name absolute. It does not count for the length.
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        guard name.utf8.count <= maximumName else { throw .nameTooLong(name.utf8.count, input: input) }
        for label in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard !label.isEmpty else { throw .emptyLabel(input: input) }
            guard label.utf8.count <= maximumLabel else { throw .labelTooLong(String(label), input: input) }
        }
    }

    private static func checkAddress(_ host: String, input: String) throws(SSHDestinationProblem) {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        for part in parts { try checkCharacters(String(part), input: input) }
        var address = in6_addr()
        let zoneIsPlain = parts.count == 1 || !(parts[1].isEmpty || parts[1].contains(":"))
        guard zoneIsPlain, inet_pton(AF_INET6, String(parts[0]), &address) == 1 else {
            throw .notAnAddress(host, input: input)
        }
    }
}
