/// A key to authenticate with: a private key file, a private key in memory, or another that signs.
public struct SSHIdentity: Sendable {
    /// The file's path; for a key without a file its fingerprint.
    public var path: String
    /// Whether the identity is one that `ssh` tries by default. A missing or unusable default identity is not a failure.
    public var isDefault: Bool
    /// The signer of a key without a file; nil for a key file.
    public let signer: (any SSHSigner)?

    /// A private key file. It is read, and if necessary decrypted, for every connection.
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

    /// The name for messages. A bare file name gets `./`, so that it reads as a path, in a command line too. A key without a
    /// file has its comment or its fingerprint.
    package var label: String {
        guard let signer else { return path.contains("/") ? path : "./" + path }
        return signer.publicKey.comment.isEmpty ? path : signer.publicKey.comment
    }

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
