/// Signs for a user with a key that this library does not hold: in a key management service, a hardware module or a vault.
///
/// ```swift
/// struct VaultKey: SSHSigner {
///     let publicKey: SSHPublicKey
///     func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature {
///         SSHSignature(try await vault.sign(data, with: "deploy"))
///     }
/// }
/// configuration.credentials.identities = [SSHIdentity(signer: VaultKey(publicKey: try SSHPublicKey(line: "ssh-ed25519
/// AAAA…")))]
/// ```
public protocol SSHSigner: Sendable {
    /// The public key that verifies its signatures, or a certificate of it.
    var publicKey: SSHPublicKey { get }

    /// Signs.
    ///
    /// Called after the server has said that it would accept the key. The connection's deadline keeps running.
    ///
    /// - Parameters:
    ///   - data: the whole message to sign; hashing is part of the signature algorithm.
    ///   - algorithm: `ssh-ed25519`, `ecdsa-sha2-nistp256` (SHA-256), `ecdsa-sha2-nistp384` (SHA-384), `ecdsa-sha2-nistp521`
    ///     (SHA-512), `rsa-sha2-512` or `rsa-sha2-256`.
    /// - Throws: any error. The key is then skipped, and a notice quotes the error. `CancellationError` ends the connection
    ///   attempt.
    func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature
}

/// A signature, in SSH's encoding for its algorithm.
public struct SSHSignature: Sendable, Hashable {
    /// The signature blob without the algorithm's name (RFC 4253 section 6.6).
    package let bytes: [UInt8]

    /// A signature that SSH sends unchanged: the 64 bytes of Ed25519 (RFC 8709 section 6), or PKCS #1 v1.5 of RSA (RFC 8332
    /// section 3).
    public init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    /// An ECDSA signature from its two numbers, each big-endian (RFC 5656 section 3.1.2).
    public init(ecdsaR r: some Collection<UInt8>, s: some Collection<UInt8>) {
        var writer = SSHWireWriter()
        writer.mpint(r)
        writer.mpint(s)
        bytes = writer.bytes
    }

    /// An ECDSA signature from swift-crypto's `rawRepresentation`: both numbers, of equal length, one after the other.
    public init(ecdsaRawRepresentation raw: some Collection<UInt8>) {
        self.init(ecdsaR: raw.prefix(raw.count / 2), s: raw.suffix(raw.count / 2))
    }
}
