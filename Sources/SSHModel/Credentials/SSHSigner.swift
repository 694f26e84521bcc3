/// Signs for a user with a key that this library does not hold: one of a key management service, of a hardware module, of a
/// vault.
///
/// ```swift
/// struct VaultKey: SSHSigner {
///     let publicKey: SSHPublicKey
///     func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature {
///         SSHSignature(try await vault.sign(data, with: "deploy"))
///     }
/// }
/// configuration.credentials.identities = [Identity(signer: VaultKey(publicKey: try SSHPublicKey(line: "ssh-ed25519 AAAA…")))]
/// ```
public protocol SSHSigner: Sendable {
    /// The public key that verifies its signatures, or a certificate of it.
    var publicKey: SSHPublicKey { get }

    /// Signs.
    ///
    /// It is asked once a server has said that it would accept the key. The connection's deadline runs meanwhile.
    ///
    /// - Parameters:
    ///   - data: what is to be signed, whole: hashing is part of the signature algorithm.
    ///   - algorithm: `ssh-ed25519`, `ecdsa-sha2-nistp256` (SHA-256), `ecdsa-sha2-nistp384` (SHA-384), `ecdsa-sha2-nistp521`
    ///     (SHA-512), `rsa-sha2-512` or `rsa-sha2-256`.
    /// - Throws: anything: the key is then passed over, with a notice that has the error's words. `CancellationError` ends the
    ///   connection's attempt.
    func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature
}

/// A signature, in SSH's encoding for its algorithm.
public struct SSHSignature: Sendable, Hashable {
    /// What follows the algorithm's name in a signature blob (RFC 4253 section 6.6).
    package let bytes: [UInt8]

    /// A signature that SSH takes as it is: Ed25519's 64 bytes (RFC 8709 section 6), RSA's of PKCS #1 v1.5 (RFC 8332 section 3).
    public init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    /// An ECDSA signature of its two numbers, each big-endian (RFC 5656 section 3.1.2).
    public init(ecdsaR r: some Collection<UInt8>, s: some Collection<UInt8>) {
        var writer = SSHWireWriter()
        writer.mpint(r)
        writer.mpint(s)
        bytes = writer.bytes
    }

    /// An ECDSA signature of both numbers in a row and of equal length, as swift-crypto's `rawRepresentation` has them.
    public init(ecdsaRawRepresentation raw: some Collection<UInt8>) {
        self.init(ecdsaR: raw.prefix(raw.count / 2), s: raw.suffix(raw.count / 2))
    }
}
