internal import Crypto

/// The name under which known_hosts has a host: lower case, and `[host]:port` if the port is not 22 (sshd(8)).
package struct KnownHostName: Hashable {
    package static let standardPort = 22

    let bytes: [UInt8]

    package init(host: String, port: Int) {
        self.init(Array((port == Self.standardPort ? host : "[\(host)]:\(port)").utf8))
    }

    /// A name as a line spells it.
    init(_ text: some Sequence<UInt8>) { bytes = text.map(\.lowercasedASCII) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a line with this name would mean this host alone: no pattern, list, marker, hash or comment.
    package static func isWritable(_ host: String) -> Bool {
        !host.isEmpty && !host.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "*?!,|#@[]\"".utf8.contains($0) }
    }
}

/// A hashed host name, which can be recognised but not read: `|1|salt|HMAC-SHA1(salt, name)` (sshd(8), HashKnownHosts of
/// ssh_config(5)).
struct HashedHostName: Sendable, Hashable {
    static let prefix = Array("|1|".utf8)
    private static let length = Insecure.SHA1.byteCount

    let salt: [UInt8]
    let digest: [UInt8]

    /// Hashes `name` with a fresh random salt.
    init(_ name: KnownHostName) {
        salt = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max) }
        digest = Self.digest(of: name, salt: salt)
    }

    /// Nil if the field is damaged or of a scheme other than 1.
    init?(field: ArraySlice<UInt8>) {
        guard field.starts(with: Self.prefix) else { return nil }
        let parts = field.dropFirst(Self.prefix.count).split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        guard parts.count == 2, let salt = Base64.decode(parts[0]), let digest = Base64.decode(parts[1]),
            salt.count == Self.length, digest.count == Self.length
        else { return nil }
        self.salt = salt
        self.digest = digest
    }

    func matches(_ name: KnownHostName) -> Bool { Self.digest(of: name, salt: salt) == digest }

    var text: String { "|1|\(Base64.encode(salt))|\(Base64.encode(digest))" }

    private static func digest(of name: KnownHostName, salt: [UInt8]) -> [UInt8] {
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: name.bytes, using: SymmetricKey(data: salt)))
    }
}

/// One pattern of a known_hosts line: `*` for any run of characters, `?` for any one, `!` in front for "but not".
struct HostPattern: Sendable, Hashable {
    let isNegated: Bool
    let bytes: [UInt8]

    init(_ text: ArraySlice<UInt8>) {
        isNegated = text.first == UInt8(ascii: "!")
        bytes = text.dropFirst(isNegated ? 1 : 0).map(\.lowercasedASCII)
    }

    /// Whether the wildcards fit, negation aside.
    func fits(_ name: KnownHostName) -> Bool { Pattern.fits(bytes, name.bytes) }

    /// Whether a list of patterns matches `name`: some pattern does, and no negated one does.
    static func list(_ patterns: [HostPattern], matches name: KnownHostName) -> Bool {
        var found = false
        for pattern in patterns where pattern.fits(name) {
            if pattern.isNegated { return false }
            found = true
        }
        return found
    }
}
