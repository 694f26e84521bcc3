internal import Crypto

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
