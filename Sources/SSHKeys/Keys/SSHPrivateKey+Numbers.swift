import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keys from the numbers that the file formats hold. What comes in is untrusted; every inconsistency is `format-invalid`.
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

    /// - Parameter scalar: big-endian; leading zeros may be missing or too many.
    static func ecdsa(_ curve: EllipticCurve, scalar: ArraySlice<UInt8>) throws(KeyDefect) -> SSHPrivateKey {
        let digits = scalar.drop { $0 == 0 }
        guard digits.count <= curve.byteCount else {
            throw KeyDefect(.formatInvalid, "The private number is too large for \(curve.rawValue).")
        }
        var padded = [UInt8](repeating: 0, count: curve.byteCount - digits.count) + digits
        defer { wipe(&padded) }
        let material: Material
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
            throw KeyDefect(.formatInvalid, "The private number is not one of \(curve.rawValue).")
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

    private static func make(_ blob: SSHWireWriter, _ material: Material) throws(KeyDefect) -> SSHPrivateKey {
        do {
            return SSHPrivateKey(publicKey: try SSHPublicKey(blob: blob.bytes), material: material)
        } catch {
            throw KeyDefect(.formatInvalid, "The public half is not a valid key: \(error.detail).")
        }
    }
}
