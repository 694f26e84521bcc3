import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// OpenSSH's private key format, `openssh-key-v1` (OpenSSH PROTOCOL.key). The public key is never encrypted, the private key
/// may be.
///
/// If a file has several keys, the first is used.
struct OpenSSHKeyFormat: Sendable {
    static let label = "OPENSSH PRIVATE KEY"
    private static let magic = Array("openssh-key-v1\0".utf8)

    let publicKey: SSHPublicKey
    /// Nil for a key that is not encrypted.
    private let cipher: OpenSSHCipher?
    private let salt: [UInt8]
    private let rounds: Int
    private let keyCount: Int
    private let privateSection: SecretBytes
    private let tag: [UInt8]

    var isEncrypted: Bool { cipher != nil }
    var cipherName: String? { cipher?.name }

    init(_ body: [UInt8]) throws(KeyDefect) {
        guard body.starts(with: Self.magic) else {
            throw KeyDefect(.formatInvalid, "The data does not begin with the mark of an OpenSSH key, openssh-key-v1.")
        }
        do {
            try self.init(afterMagic: SSHWireReader(body.dropFirst(Self.magic.count)))
        } catch let error as KeyDefect {
            throw error
        } catch let error as SSHPublicKeyError {
            throw KeyDefect(.formatInvalid, "The public key in the file is damaged: \(error.detail).")
        } catch {
            throw KeyDefect(.formatInvalid, "The OpenSSH key data is cut off or damaged.")
        }
    }

    private init(afterMagic start: SSHWireReader) throws {
        var reader = start
        let cipherName = try reader.text()
        let derivation = try reader.text()
        var options = SSHWireReader(try reader.string())
        let keyCount = try reader.uint32()
        guard (1...64).contains(keyCount) else {
            throw KeyDefect(.formatInvalid, "The file claims to hold \(keyCount) keys.")
        }
        let publicKey = try SSHPublicKey(blob: try reader.string())
        for _ in 1..<keyCount { _ = try reader.string() }
        let cipher = cipherName == "none" ? nil : try OpenSSHCipher.named(cipherName)
        if cipher == nil {
            guard derivation == "none" else {
                throw KeyDefect(.formatInvalid, "The key is not encrypted, but names a key derivation.")
            }
            (salt, rounds) = ([], 0)
        } else {
            guard derivation == "bcrypt" else {
                throw KeyDefect(.cipherUnsupported, "Its key derivation \(printable(derivation)) is not supported.")
            }
            salt = Array(try options.string())
            let count = Int(try options.uint32())
            guard count >= 1, !salt.isEmpty else {
                throw KeyDefect(.formatInvalid, "The key derivation has no salt or no rounds.")
            }
            rounds = count
        }
        try options.expectEnd()
        let section = try reader.string()
        tag = Array(try reader.bytes(cipher?.tagLength ?? 0))
        guard reader.isAtEnd else {
            throw KeyDefect(.formatInvalid, "\(reader.remaining.count) bytes follow the private key inside the file's data.")
        }
        let blockSize = cipher == nil ? 8 : 16
        guard section.count >= 8, section.count % blockSize == 0 else {
            throw KeyDefect(.formatInvalid, "The private section has \(section.count) bytes, not whole blocks of \(blockSize).")
        }
        self.publicKey = publicKey
        self.cipher = cipher
        self.keyCount = Int(keyCount)
        privateSection = SecretBytes(copying: section)
    }

    /// The defect if decryption would cost too much, with any passphrase; nil otherwise.
    var costDefect: KeyDefect? {
        guard rounds > DerivationLimit.bcryptRounds else { return nil }
        return DerivationLimit.exceeded("\(rounds) rounds of bcrypt", "\(DerivationLimit.bcryptRounds)")
    }

    /// Returns the private key. `passphrase` is used only if the key is encrypted.
    ///
    /// - Parameter isWanted: whether the caller still waits.
    func privateKey(passphrase: SSHSecret?, while isWanted: () -> Bool = { true }) throws(KeyDefect) -> SSHPrivateKey {
        guard let cipher else { return try open(privateSection) }
        guard let passphrase, !passphrase.isEmpty else { throw KeyDefect.passphraseRequired(cipher: cipher.name) }
        let material = passphrase.withArray { bytes in
            BcryptPBKDF.deriveKey(
                passphrase: bytes, salt: salt, rounds: rounds, count: cipher.keyLength + cipher.ivLength,
                while: isWanted)
        }
        guard let material else { throw KeyDefect(.passphraseRequired, "The derivation of its cipher's key was cancelled.") }
        let ciphertext = privateSection.withBytes { Array($0) }
        guard let plain = cipher.decrypt(ciphertext, tag: tag, keyMaterial: material) else { throw KeyDefect.passphraseWrong }
        return try open(plain)
    }

    private func open(_ section: SecretBytes) throws(KeyDefect) -> SSHPrivateKey {
        let key = try section.withArray { (bytes) throws(KeyDefect) in
            var reader = SSHWireReader(bytes)
            // The section begins with the same random number twice. If they differ, the key for decryption was wrong.
            guard let one = try? reader.uint32(), let other = try? reader.uint32(), one == other else {
                throw isEncrypted
                    ? .passphraseWrong
                    : KeyDefect(.formatInvalid, "The private section is damaged: its two check numbers differ.")
            }
            return try OpenSSHPrivateSection.firstKey(from: reader, isOnly: keyCount == 1)
        }
        guard key.publicKey == publicKey else {
            throw KeyDefect(
                .formatInvalid, "The public key in the file does not belong to the private key in it: the file is damaged.")
        }
        return key
    }
}

extension KeyDefect {
    static func passphraseRequired(cipher: String) -> KeyDefect {
        KeyDefect(.passphraseRequired, "It is encrypted with \(cipher) and no passphrase was given.")
    }

    static let passphraseWrong = KeyDefect(.passphraseWrong, "The passphrase does not decrypt it.")
}

/// The decrypted part of an OpenSSH key file, after its two check numbers.
enum OpenSSHPrivateSection {
    /// Reads the first key. After the only key, the padding 1, 2, 3, … must follow.
    static func firstKey(from start: SSHWireReader, isOnly: Bool) throws(KeyDefect) -> SSHPrivateKey {
        var reader = start
        do {
            let key = try privateKey(&reader)
            let comment = String(decoding: try reader.string(), as: UTF8.self)
            if isOnly {
                for (index, byte) in reader.remaining.enumerated() where byte != UInt8(truncatingIfNeeded: index + 1) {
                    throw KeyDefect(.formatInvalid, "The padding after the private key is damaged.")
                }
            }
            return key.withComment(comment)
        } catch let error as KeyDefect {
            throw error
        } catch {
            throw KeyDefect(.formatInvalid, "The private section is damaged: a value in it is cut off.")
        }
    }

    private static func privateKey(_ reader: inout SSHWireReader) throws -> SSHPrivateKey {
        let algorithm = try reader.text()
        switch algorithm {
        case PublicKeyAlgorithm.ed25519: return try ed25519(&reader)
        case PublicKeyAlgorithm.rsa: return try rsa(&reader)
        default:
            guard let curve = EllipticCurve(algorithm: algorithm) else { throw KeyDefect.typeUnsupported(algorithm) }
            return try ecdsa(curve, &reader)
        }
    }

    private static func ed25519(_ reader: inout SSHWireReader) throws -> SSHPrivateKey {
        let publicHalf = try reader.string()
        let both = try reader.string()
        guard both.count == 64, both.suffix(32).elementsEqual(publicHalf) else {
            throw KeyDefect(.formatInvalid, "The two halves of the Ed25519 key do not belong together: the file is damaged.")
        }
        return try SSHPrivateKey.ed25519(seed: both.prefix(32))
    }

    private static func ecdsa(_ curve: EllipticCurve, _ reader: inout SSHWireReader) throws -> SSHPrivateKey {
        guard try reader.string().elementsEqual(curve.rawValue.utf8) else {
            throw KeyDefect(.formatInvalid, "The key's curve is not the one of its algorithm: the file is damaged.")
        }
        _ = try reader.string()  // the point; the caller compares the public key, which includes it
        return try SSHPrivateKey.ecdsa(curve, scalar: try reader.mpint())
    }

    private static func rsa(_ reader: inout SSHWireReader) throws -> SSHPrivateKey {
        let modulus = try reader.mpint()
        let exponent = try reader.mpint()
        let privateExponent = try reader.mpint()
        let coefficient = try reader.mpint()
        let prime1 = try reader.mpint()
        let prime2 = try reader.mpint()
        return try SSHPrivateKey.rsa(
            RSANumbers(
                modulus: modulus, exponent: exponent, privateExponent: privateExponent, prime1: prime1, prime2: prime2,
                coefficient: coefficient))
    }
}

extension KeyDefect {
    /// A key type that cannot sign here, named by its algorithm.
    static func typeUnsupported(_ algorithm: String) -> KeyDefect {
        if PublicKeyAlgorithm.isSecurityKey(algorithm) {
            return KeyDefect(
                .typeUnsupported,
                "It is a handle for a FIDO security key (\(algorithm)). Only libssh2 1.11 and later can use it, through an agent. "
                    + "Load it there: `ssh-add {file}`.")
        }
        if algorithm == PublicKeyAlgorithm.dsa {
            return KeyDefect(
                .typeUnsupported, "It is a DSA key, which servers no longer accept; make one with `ssh-keygen -t ed25519`.")
        }
        return KeyDefect(
            .typeUnsupported, "Keys of type \(printable(algorithm)) are not supported; use Ed25519, ECDSA or RSA.")
    }
}

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
