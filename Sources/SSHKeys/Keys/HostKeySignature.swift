import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A signature by a host key, as SSH sends it: the algorithm's name and the signature itself (RFC 4253 section 6.6).
package struct HostKeySignature: Sendable {
    /// The name of the signature's algorithm.
    package let algorithm: String
    private let bytes: ArraySlice<UInt8>

    /// Reads a signature blob; nil if it is truncated or has trailing bytes.
    package init?(blob: some Collection<UInt8>) {
        var reader = SSHWireReader(Array(blob))
        guard let algorithm = try? reader.text(), let bytes = try? reader.string(), reader.isAtEnd else { return nil }
        (self.algorithm, self.bytes) = (algorithm, bytes)
    }

    /// Whether the holder of a key has signed `data`.
    ///
    /// RSA needs SHA-2 (RFC 8332). Signatures by other types than Ed25519, ECDSA and RSA are never valid here.
    ///
    /// - Parameter key: the blob of the public key.
    package func isValid(for data: [UInt8], by key: [UInt8]) -> Bool {
        var reader = SSHWireReader(key)
        guard let type = try? reader.text(), (try? SSHPublicKey(blob: key)) != nil else { return false }
        switch type {
        case PublicKeyAlgorithm.ed25519:
            guard algorithm == type, let point = try? reader.string(),
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: point)
            else { return false }
            return key.isValidSignature(bytes, for: data)
        case PublicKeyAlgorithm.rsa:
            guard let exponent = try? reader.mpint(), let modulus = try? reader.mpint(),
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { return false }
            return isValid(for: data, by: key, length: modulus.count)
        default:
            guard algorithm == type, let curve = EllipticCurve(algorithm: type), (try? reader.string()) != nil,
                let point = try? reader.string()
            else { return false }
            return isValid(for: data, by: point, on: curve)
        }
    }

    /// - Parameter length: the modulus' length, which a signature has too (RFC 8017 section 8.2.1). Some servers leave out its
    ///   leading zeros.
    private func isValid(for data: [UInt8], by key: _RSA.Signing.PublicKey, length: Int) -> Bool {
        guard bytes.count <= length else { return false }
        let padded = [UInt8](repeating: 0, count: length - bytes.count) + bytes
        let signature = _RSA.Signing.RSASignature(rawRepresentation: padded)
        switch algorithm {
        case PublicKeyAlgorithm.rsaSHA256:
            return key.isValidSignature(signature, for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5)
        case PublicKeyAlgorithm.rsaSHA512:
            return key.isValidSignature(signature, for: SHA512.hash(data: data), padding: .insecurePKCS1v1_5)
        default: return false
        }
    }

    /// ECDSA: two numbers (RFC 5656 section 3.1.2), and the hash that belongs to the curve (section 6.2.1).
    private func isValid(for data: [UInt8], by point: ArraySlice<UInt8>, on curve: EllipticCurve) -> Bool {
        var reader = SSHWireReader(bytes)
        guard let r = try? reader.mpint(), let s = try? reader.mpint(), reader.isAtEnd, r.count <= curve.byteCount,
            s.count <= curve.byteCount
        else { return false }
        let raw = [r, s].flatMap { [UInt8](repeating: 0, count: curve.byteCount - $0.count) + $0 }
        switch curve {
        case .p256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: point),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: data)
        case .p384:
            guard let key = try? P384.Signing.PublicKey(x963Representation: point),
                let signature = try? P384.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: data)
        case .p521:
            guard let key = try? P521.Signing.PublicKey(x963Representation: point),
                let signature = try? P521.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: data)
        }
    }
}
