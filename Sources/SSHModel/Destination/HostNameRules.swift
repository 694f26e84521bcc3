#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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
