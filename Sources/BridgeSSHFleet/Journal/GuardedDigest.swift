import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a journal keeps of something that may hold a secret, to know it again.
///
/// A plain hash could be compared with guesses, millions a second. This one has a salt of its own and is derived slowly (PBKDF2,
/// RFC 8018 section 5.2), so that each guess takes its time; who can read the journal can still make them.
enum GuardedDigest {
    private static let saltLength = 16
    private static let plainLength = 32
    private static let rounds = 300_000

    /// - Parameter digest: SHA-256 of what is to be known again.
    static func make(_ digest: [UInt8]) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<saltLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return salt + derived(digest, salt)
    }

    /// Whether a kept digest, guarded or plain, is that of the same.
    static func isEqual(_ kept: [UInt8], _ digest: [UInt8]) -> Bool {
        guard kept.count == saltLength + plainLength, digest.count == plainLength else { return kept == digest }
        return Array(kept[saltLength...]) == derived(digest, Array(kept[..<saltLength]))
    }

    private static func derived(_ digest: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        do {
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: digest, salt: salt, using: .sha256, outputByteCount: plainLength, rounds: rounds)
            return key.withUnsafeBytes { Array($0) }
        } catch {
            preconditionFailure("PBKDF2 takes any passphrase and salt: \(error)")
        }
    }
}
