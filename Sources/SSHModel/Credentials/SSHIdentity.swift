/// A key to authenticate with: a private key file, a private key in memory, or another that signs.
public struct SSHIdentity: Sendable {
    /// The file's path; for a key without a file its fingerprint.
    public var path: String
    /// Whether it is only tried because `ssh` would try it: a missing or unusable one is then no failure.
    public var isDefault: Bool
    /// What signs; nil for a file.
    public let signer: (any SSHSigner)?

    /// A private key file that the user named. It is read for every connection, and decrypted for each where it is encrypted.
    public init(path: String, isDefault: Bool = false) {
        self.path = path
        self.isDefault = isDefault
        signer = nil
    }

    /// A key that signs by itself.
    public init(signer: any SSHSigner) {
        path = signer.publicKey.fingerprint
        isDefault = false
        self.signer = signer
    }

    /// How it is called in messages: a path so that it reads as one, also in a command line, for a bare name could be anything; of
    /// a key without a file its comment or fingerprint.
    package var label: String {
        guard let signer else { return path.contains("/") ? path : "./" + path }
        return signer.publicKey.comment.isEmpty ? path : signer.publicKey.comment
    }

    /// The same without what signs.
    package var withoutSigner: SSHIdentity { SSHIdentity(path: path, isDefault: isDefault) }
}

extension SSHIdentity: Hashable {
    /// Two keys without a file are equal when their public halves are.
    public static func == (one: Self, other: Self) -> Bool {
        one.path == other.path && one.isDefault == other.isDefault && (one.signer == nil) == (other.signer == nil)
    }

    /// Hashes the path, which for a key without a file is its fingerprint.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(isDefault)
    }
}
