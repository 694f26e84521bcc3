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
