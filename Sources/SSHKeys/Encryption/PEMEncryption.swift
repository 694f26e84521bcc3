import Crypto
import CryptoExtras

/// The old encryption of PEM files, `Proc-Type: 4,ENCRYPTED` (RFC 1421 section 4.6.1), as OpenSSL and `ssh-keygen -m PEM`
/// write it. The key is the MD5 hash of passphrase and salt, whatever the cipher's strength.
struct PEMEncryption: Sendable {
    let cipher: String
    private let keyLength: Int
    private let iv: [UInt8]

    /// Returns nil if the headers do not declare encryption.
    init?(headers: [String: String]) throws(KeyDefect) {
        guard let type = headers["Proc-Type"], type.hasSuffix("ENCRYPTED") else { return nil }
        let info = (headers["DEK-Info"] ?? "").split(separator: ",", maxSplits: 1)
        guard info.count == 2 else {
            throw KeyDefect(.formatInvalid, "The DEK-Info line of the encrypted key is missing or damaged.")
        }
        cipher = String(info[0])
        switch cipher {
        case "AES-128-CBC": keyLength = 16
        case "AES-192-CBC": keyLength = 24
        case "AES-256-CBC": keyLength = 32
        default:
            throw KeyDefect(
                .cipherUnsupported,
                "It is encrypted with \(printable(cipher)), which is not supported; `ssh-keygen -p -f {file}` encrypts it again.")
        }
        guard let iv = Self.hexadecimal(info[1]), iv.count == 16 else {
            throw KeyDefect(.formatInvalid, "The initialization vector in the DEK-Info line is damaged.")
        }
        self.iv = iv
    }

    /// Decrypts. Returns nil if the padding shows that the passphrase is wrong. One wrong passphrase in 256 is not detected.
    func decrypt(_ ciphertext: [UInt8], passphrase: SSHSecret) -> SecretBytes? {
        let key = passphrase.withArray(derivedKey)
        return AESChaining.decrypt(ciphertext, key: key, iv: iv)
    }

    /// OpenSSL's EVP_BytesToKey with MD5 and one round; the salt is the first half of the initialization vector.
    private func derivedKey(passphrase: [UInt8]) -> SymmetricKey {
        var key = [UInt8](repeating: 0, count: 32)
        var input = passphrase + iv.prefix(8)
        defer {
            wipe(&key)
            wipe(&input)
        }
        let first = Insecure.MD5.hash(data: input)
        key.replaceSubrange(0..<16, with: Array(first))
        var second = Insecure.MD5()
        second.update(data: Array(first))
        second.update(data: input)
        key.replaceSubrange(16..<32, with: Array(second.finalize()))
        return SymmetricKey(data: key.prefix(keyLength))
    }

    private static func hexadecimal(_ text: Substring) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// AES in CBC mode with PKCS#7 padding, for both PEM encryptions.
enum AESChaining {
    /// Decrypts. Returns nil if the length or the padding is wrong.
    static func decrypt(_ ciphertext: [UInt8], key: SymmetricKey, iv: [UInt8]) -> SecretBytes? {
        guard !ciphertext.isEmpty, ciphertext.count % 16 == 0, let vector = try? AES._CBC.IV(ivBytes: iv),
            var plain = try? AES._CBC.decrypt(ciphertext, using: key, iv: vector)
        else { return nil }
        return SecretBytes(moving: &plain)
    }
}
