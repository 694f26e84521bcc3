internal import Crypto

/// A server's public key as it stands on the wire and in known_hosts (RFC 4253 section 6.6).
public struct SSHHostKey: Sendable, Hashable, Codable {
    /// The key's type: `ssh-ed25519`, `ecdsa-sha2-nistp256`, `ssh-rsa` and others.
    ///
    /// A key's type, not a signature algorithm: the three RSA signatures all belong to `ssh-rsa` keys.
    public let algorithm: String
    /// The public key blob, which begins with its type.
    public let blob: [UInt8]

    /// A key of this type and blob; the names of RSA's SHA-2 signatures stand for the type `ssh-rsa`.
    public init(algorithm: String, blob: [UInt8]) {
        self.algorithm = SSHHostKey.keyType(ofAlgorithm: algorithm)
        self.blob = blob
    }

    /// A public key that was read elsewhere, as a server's.
    public init(_ key: SSHPublicKey) { self.init(algorithm: key.algorithm, blob: key.blob) }

    /// `SHA256:` and the unpadded base64 of the blob's hash, as `ssh-keygen -l` prints it.
    public var fingerprint: String {
        "SHA256:" + Base64.encode(Array(SHA256.hash(data: blob)), padded: false)
    }

    /// The type of the keys that make and verify signatures of `algorithm` (RFC 8332 section 3 for RSA).
    package static func keyType(ofAlgorithm algorithm: String) -> String {
        switch algorithm {
        case "rsa-sha2-256", "rsa-sha2-512": "ssh-rsa"
        default: algorithm
        }
    }
}
