import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A private key that can sign.
///
/// swift-crypto holds the numbers, and overwrites them when they are freed.
package struct SSHPrivateKey: Sendable {
    package let publicKey: SSHPublicKey
    let material: KeyMaterial

    enum KeyMaterial: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    /// The same key with another comment.
    func withComment(_ comment: String) -> SSHPrivateKey {
        guard let renamed = try? SSHPublicKey(blob: publicKey.blob, comment: comment) else { return self }
        return SSHPrivateKey(publicKey: renamed, material: material)
    }
}

extension SSHPrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "SSHPrivateKey(\(publicKey.displayName) \(publicKey.fingerprint))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a key could not sign.
package enum SigningError: Error, Sendable, Hashable {
    /// The key's type does not fit the algorithm, or the algorithm is unknown.
    case algorithmDoesNotMatchKey(algorithm: String, keyAlgorithm: String)
    /// swift-crypto refused the key.
    case failed(String)
}

extension SSHPrivateKey {
    /// Signs `data` and returns the SSH signature blob: the algorithm's name and the signature, each a string
    /// (RFC 4253 section 6.6, RFC 5656 section 3.1.2, RFC 8332 section 3, RFC 8709 section 6).
    ///
    /// - Parameter algorithm: the key's own algorithm. For RSA: `rsa-sha2-512`, `rsa-sha2-256`, or `ssh-rsa` (SHA-1, for old
    ///   servers only).
    package func sign(_ data: [UInt8], algorithm: String) throws(SigningError) -> [UInt8] {
        let signature: [UInt8]
        do {
            guard let made = try rawSignature(data, algorithm: algorithm) else {
                throw SigningError.algorithmDoesNotMatchKey(algorithm: algorithm, keyAlgorithm: publicKey.algorithm)
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

    /// Encodes swift-crypto's r and s, which have equal length, as two mpints.
    private static func pair(_ raw: [UInt8]) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.mpint(raw.prefix(raw.count / 2))
        writer.mpint(raw.suffix(raw.count / 2))
        return writer.bytes
    }
}

/// Makes keys from the numbers in the file formats. The numbers are untrusted; every inconsistency is `format-invalid`.
extension SSHPrivateKey {
    /// - Parameter seed: the 32 bytes that RFC 8032 calls the private key.
    static func ed25519(seed: ArraySlice<UInt8>) throws(KeyDefect) -> SSHPrivateKey {
        guard seed.count == 32, let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
            throw KeyDefect(.formatInvalid, "An Ed25519 private key must have 32 bytes; this one has \(seed.count).")
        }
        var blob = SSHWireWriter()
        blob.string(PublicKeyAlgorithm.ed25519)
        blob.string(key.publicKey.rawRepresentation)
        return try make(blob, .ed25519(key))
    }

    /// - Parameter scalar: big-endian, with any number of leading zeros.
    static func ecdsa(_ curve: EllipticCurve, scalar: ArraySlice<UInt8>) throws(KeyDefect) -> SSHPrivateKey {
        let digits = scalar.drop { $0 == 0 }
        guard digits.count <= curve.byteCount else {
            throw KeyDefect(.formatInvalid, "The private number is too large for \(curve.rawValue).")
        }
        var padded = [UInt8](repeating: 0, count: curve.byteCount - digits.count) + digits
        defer { wipe(&padded) }
        let material: KeyMaterial
        let point: Data
        do {
            switch curve {
            case .p256:
                let key = try P256.Signing.PrivateKey(rawRepresentation: padded)
                (material, point) = (.p256(key), key.publicKey.x963Representation)
            case .p384:
                let key = try P384.Signing.PrivateKey(rawRepresentation: padded)
                (material, point) = (.p384(key), key.publicKey.x963Representation)
            case .p521:
                let key = try P521.Signing.PrivateKey(rawRepresentation: padded)
                (material, point) = (.p521(key), key.publicKey.x963Representation)
            }
        } catch {
            throw KeyDefect(.formatInvalid, "The private number is not valid for \(curve.rawValue).")
        }
        var blob = SSHWireWriter()
        blob.string(curve.algorithm)
        blob.string(curve.rawValue)
        blob.string(point)
        return try make(blob, material)
    }

    /// - Parameter numbers: n, e, d, p and q, big-endian without leading zeros.
    static func rsa(_ numbers: RSANumbers) throws(KeyDefect) -> SSHPrivateKey {
        let bits = SSHPublicKey.bitCount(of: numbers.modulus)
        guard (1024...8192).contains(bits) else {
            throw KeyDefect(.typeUnsupported, "RSA keys of 1024 to 8192 bits are supported; this one has \(bits).")
        }
        guard SSHPublicKey.bitCount(of: numbers.exponent) <= 33 else {
            throw KeyDefect(.typeUnsupported, "RSA keys with a public exponent of more than 33 bits are not supported.")
        }
        guard numbers.isPlausible, let key = numbers.privateKey() else {
            throw KeyDefect(.formatInvalid, "The numbers of the RSA key do not belong together: the file is damaged.")
        }
        var blob = SSHWireWriter()
        blob.string(PublicKeyAlgorithm.rsa)
        blob.mpint(numbers.exponent)
        blob.mpint(numbers.modulus)
        return try make(blob, .rsa(key))
    }

    private static func make(_ blob: SSHWireWriter, _ material: KeyMaterial) throws(KeyDefect) -> SSHPrivateKey {
        do {
            return SSHPrivateKey(publicKey: try SSHPublicKey(blob: blob.bytes), material: material)
        } catch {
            throw KeyDefect(.formatInvalid, "The public half is not a valid key: \(error.detail).")
        }
    }
}
