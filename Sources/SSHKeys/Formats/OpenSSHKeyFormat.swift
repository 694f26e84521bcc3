/// OpenSSH's own private key format, `openssh-key-v1` (OpenSSH PROTOCOL.key): the public key in the clear, the private
/// key perhaps encrypted.
///
/// Of several keys in one file the first is used.
struct OpenSSHKeyFormat: Sendable {
    static let label = "OPENSSH PRIVATE KEY"
    private static let magic = Array("openssh-key-v1\0".utf8)

    let publicKey: SSHPublicKey
    /// nil for a key that is not encrypted.
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
            throw KeyDefect(.formatInvalid, "The file says that it holds \(keyCount) keys.")
        }
        let publicKey = try SSHPublicKey(blob: try reader.string())
        for _ in 1..<keyCount { _ = try reader.string() }
        let cipher = cipherName == "none" ? nil : try OpenSSHCipher.named(cipherName)
        if cipher == nil {
            guard derivation == "none" else {
                throw KeyDefect(.formatInvalid, "The key is not encrypted, but names a way to derive a key for that.")
            }
            (salt, rounds) = ([], 0)
        } else {
            guard derivation == "bcrypt" else {
                throw KeyDefect(.cipherUnsupported, "Its passphrase is used by \(printable(derivation)), which is not supported.")
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

    /// Why it is not decrypted with any passphrase, if so.
    var excess: KeyDefect? {
        guard rounds > DerivationLimit.bcryptRounds else { return nil }
        return DerivationLimit.exceeded("\(rounds) rounds of bcrypt", "\(DerivationLimit.bcryptRounds)")
    }

    /// The private key; `passphrase` is only looked at if the key is encrypted.
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
            // The same random number twice: what decrypts to anything else was decrypted with another key.
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
