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
/// configuration.credentials.identities = [SSHIdentity(signer: VaultKey(publicKey: try SSHPublicKey(line: "ssh-ed25519 AAAA…")))]
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
