import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The ciphers of OpenSSH's private key format, under OpenSSH's names.
struct OpenSSHCipher: Sendable, Equatable {
    enum Mode: Sendable { case counter, chaining, galois }

    var name: String
    var keyLength: Int
    var mode: Mode

    var ivLength: Int { mode == .galois ? 12 : 16 }
    /// The number of bytes of the authentication tag after the ciphertext.
    var tagLength: Int { mode == .galois ? 16 : 0 }

    private static let supported = [128, 192, 256].flatMap { bits in
        [
            OpenSSHCipher(name: "aes\(bits)-ctr", keyLength: bits / 8, mode: .counter),
            OpenSSHCipher(name: "aes\(bits)-cbc", keyLength: bits / 8, mode: .chaining),
            OpenSSHCipher(name: "aes\(bits)-gcm@openssh.com", keyLength: bits / 8, mode: .galois),
        ]
    }

    static func named(_ name: String) throws(KeyDefect) -> OpenSSHCipher {
        let canonical = name == "rijndael-cbc@lysator.liu.se" ? "aes256-cbc" : name
        guard let cipher = supported.first(where: { $0.name == canonical }) else {
            throw KeyDefect(
                .cipherUnsupported,
                "It is encrypted with \(printable(name)), which is not supported; "
                    + "`ssh-keygen -p -Z aes256-ctr -f {file}` changes that.")
        }
        return cipher
    }

    /// Decrypts. Returns nil if the tag of an authenticated cipher shows that the key, and so the passphrase, is wrong.
    ///
    /// - Parameter keyMaterial: the key, followed by the initialization vector.
    func decrypt(_ ciphertext: [UInt8], tag: [UInt8], keyMaterial: SecretBytes) -> SecretBytes? {
        let key = keyMaterial.symmetricKey(0..<keyLength)
        let iv = keyMaterial.withBytes { Array($0[keyLength..<(keyLength + ivLength)]) }
        do {
            switch mode {
            case .counter:
                var plain = try AES._CTR.decrypt(ciphertext, using: key, nonce: .init(nonceBytes: iv))
                return SecretBytes(moving: &plain)
            case .chaining:
                var plain = try AES._CBC.decrypt(ciphertext, using: key, iv: .init(ivBytes: iv), noPadding: true)
                return SecretBytes(moving: &plain)
            case .galois:
                let box = try AES.GCM.SealedBox(nonce: .init(data: iv), ciphertext: ciphertext, tag: tag)
                var plain = try AES.GCM.open(box, using: key)
                return SecretBytes(moving: &plain)
            }
        } catch {
            return nil
        }
    }
}

extension SecretBytes {
    /// Copies the output of a cipher, and overwrites the original.
    convenience init(moving data: inout Data) {
        self.init(copying: data)
        data.withUnsafeMutableBytes { wipe($0) }
    }

    /// A part of the bytes as a key for a cipher.
    func symmetricKey(_ range: Range<Int>) -> SymmetricKey {
        withBytes { SymmetricKey(data: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
