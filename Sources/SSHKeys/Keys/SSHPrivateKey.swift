import Crypto
import CryptoExtras

/// A private key that can sign.
///
/// Its numbers are held by swift-crypto, which overwrites them when they are freed.
package struct SSHPrivateKey: Sendable {
    package let publicKey: SSHPublicKey
    let material: Material

    enum Material: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    /// The same key under another comment.
    func commented(_ comment: String) -> SSHPrivateKey {
        guard let renamed = try? SSHPublicKey(blob: publicKey.blob, comment: comment) else { return self }
        return SSHPrivateKey(publicKey: renamed, material: material)
    }
}

extension SSHPrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "SSHPrivateKey(\(publicKey.displayName) \(publicKey.fingerprint))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a key did not sign.
package enum SigningError: Error, Sendable, Hashable {
    /// The key's type does not fit the algorithm, or the algorithm is unknown.
    case algorithmDoesNotFitKey(algorithm: String, keyAlgorithm: String)
    /// The cryptographic library refused the key.
    case failed(String)
}

extension SSHPrivateKey {
    /// Signs `data` and returns the SSH signature blob: the algorithm's name and the signature, each a string
    /// (RFC 4253 section 6.6, RFC 5656 section 3.1.2, RFC 8332 section 3, RFC 8709 section 6).
    ///
    /// - Parameter algorithm: the key's own algorithm; for RSA `rsa-sha2-512`, `rsa-sha2-256`, or `ssh-rsa`, which is
    ///   SHA-1 and for old servers only.
    package func sign(_ data: [UInt8], algorithm: String) throws(SigningError) -> [UInt8] {
        let signature: [UInt8]
        do {
            guard let made = try rawSignature(data, algorithm: algorithm) else {
                throw SigningError.algorithmDoesNotFitKey(algorithm: algorithm, keyAlgorithm: publicKey.algorithm)
            }
            signature = made
        } catch let error as SigningError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
        var blob = SSHWireWriter()
        blob.string(algorithm)
        blob.string(signature)
        return blob.bytes
    }

    private func rawSignature(_ data: [UInt8], algorithm: String) throws -> [UInt8]? {
        if case .rsa(let key) = material { return try Self.rsaSignature(data, algorithm: algorithm, key: key) }
        guard algorithm == publicKey.algorithm else { return nil }
        return switch material {
        case .ed25519(let key): Array(try key.signature(for: data))
        case .p256(let key): Self.pair(Array(try key.signature(for: data).rawRepresentation))
        case .p384(let key): Self.pair(Array(try key.signature(for: data).rawRepresentation))
        case .p521(let key): Self.pair(Array(try key.signature(for: data).rawRepresentation))
        case .rsa: nil
        }
    }

    private static func rsaSignature(
        _ data: [UInt8], algorithm: String, key: _RSA.Signing.PrivateKey
    ) throws -> [UInt8]? {
        let padding = _RSA.Signing.Padding.insecurePKCS1v1_5
        return switch algorithm {
        case PublicKeyAlgorithm.rsaSHA512:
            Array(try key.signature(for: SHA512.hash(data: data), padding: padding).rawRepresentation)
        case PublicKeyAlgorithm.rsaSHA256:
            Array(try key.signature(for: SHA256.hash(data: data), padding: padding).rawRepresentation)
        case PublicKeyAlgorithm.rsa:
            Array(try key.signature(for: Insecure.SHA1.hash(data: data), padding: padding).rawRepresentation)
        default: nil
        }
    }

    /// swift-crypto's r and s of equal length, as two mpints.
    private static func pair(_ raw: [UInt8]) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.mpint(raw.prefix(raw.count / 2))
        writer.mpint(raw.suffix(raw.count / 2))
        return writer.bytes
    }
}
