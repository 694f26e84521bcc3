/// The content of a private key file, by its format.
enum KeyFileContent: Sendable {
    case clear(SSHPrivateKey)
    case openSSH(OpenSSHKeyFormat)
    case pem(PEMKeyFormat, PEMEncryption, SecretBytes)
    case pkcs8(PKCS8Encryption)

    /// - Parameter permissions: what is wrong with the file's mode. It is reported only for a private key. For a public key,
    ///   that mistake is the better report.
    init(_ bytes: [UInt8], permissions: KeyDefect?) throws(KeyDefect) {
        let lines = Armor.lines(of: bytes)
        let opening = try KeyFileFormat.privateKeyOpening(in: lines, of: bytes)
        if let permissions { throw permissions }
        let armor = try Armor(opening, in: lines)
        self = try armor.body.withArray { (body) throws(KeyDefect) in try Self.parse(armor, body) }
    }

    private static func parse(_ armor: Armor, _ body: [UInt8]) throws(KeyDefect) -> KeyFileContent {
        if armor.label == OpenSSHKeyFormat.label {
            let format = try OpenSSHKeyFormat(body)
            let algorithm = format.publicKey.algorithm
            guard
                [PublicKeyAlgorithm.ed25519, PublicKeyAlgorithm.rsa].contains(algorithm)
                    || EllipticCurve(algorithm: algorithm) != nil
            else { throw KeyDefect.typeUnsupported(algorithm) }
            return format.isEncrypted ? .openSSH(format) : .clear(try format.privateKey(passphrase: nil))
        }
        if armor.label == PKCS8Encryption.label { return .pkcs8(try PKCS8Encryption(der: body)) }
        guard let format = PEMKeyFormat(rawValue: armor.label) else {
            throw KeyDefect(.formatUnsupported, "Blocks of \(printable(armor.label)) are not supported.")
        }
        if let encryption = try PEMEncryption(headers: armor.headers) { return .pem(format, encryption, armor.body) }
        return .clear(try format.privateKey(der: body))
    }

    /// The public half, if the file has it unencrypted.
    var publicKey: SSHPublicKey? {
        switch self {
        case .clear(let key): key.publicKey
        case .openSSH(let format): format.publicKey
        case .pem, .pkcs8: nil
        }
    }

    /// The cipher's name, for an encrypted key.
    var encryption: String? {
        switch self {
        case .clear: nil
        case .openSSH(let format): format.cipherName
        case .pem(_, let encryption, _): encryption.cipher
        case .pkcs8(let encryption): encryption.cipher
        }
    }

    /// The defect if decryption would cost too much, with any passphrase; nil otherwise.
    var costDefect: KeyDefect? {
        switch self {
        case .clear, .pem: nil
        case .openSSH(let format): format.costDefect
        case .pkcs8(let encryption): encryption.derivation.costDefect
        }
    }

    func privateKey(passphrase: SSHSecret?, while isWanted: () -> Bool = { true }) throws(KeyDefect) -> SSHPrivateKey {
        if let costDefect { throw costDefect }
        switch self {
        case .clear(let key): return key
        case .openSSH(let format): return try format.privateKey(passphrase: passphrase, while: isWanted)
        case .pem(let format, let encryption, let body):
            let passphrase = try Self.required(passphrase, cipher: encryption.cipher)
            return try Self.parse(body.withArray { encryption.decrypt($0, passphrase: passphrase) }, as: format)
        case .pkcs8(let encryption):
            let passphrase = try Self.required(passphrase, cipher: encryption.cipher)
            return try Self.parse(try encryption.decrypt(passphrase: passphrase), as: .pkcs8)
        }
    }

    private static func required(_ passphrase: SSHSecret?, cipher: String) throws(KeyDefect) -> SSHSecret {
        guard let passphrase, !passphrase.isEmpty else { throw KeyDefect.passphraseRequired(cipher: cipher) }
        return passphrase
    }

    /// Parses the output of a cipher without authentication. Garbage means a wrong passphrase, not a damaged file.
    private static func parse(_ plain: SecretBytes?, as format: PEMKeyFormat) throws(KeyDefect) -> SSHPrivateKey {
        guard let plain else { throw KeyDefect.passphraseWrong }
        return try plain.withArray { (der) throws(KeyDefect) in
            do throws(KeyDefect) {
                return try format.privateKey(der: der)
            } catch {
                throw error.reason == .formatInvalid ? .passphraseWrong : error
            }
        }
    }
}

package struct InMemoryPrivateKey: SSHSigner {
    package let key: SSHPrivateKey

    package var publicKey: SSHPublicKey { key.publicKey }

    /// Reads a private key in any of the formats that a file may have.
    ///
    /// - Parameters:
    ///   - contents: the contents of a key file.
    ///   - passphrase: ignored if the key is not encrypted.
    ///   - name: the key's name in ``SSHKeyProblem/path``.
    package init(_ contents: SSHSecret, passphrase: SSHSecret?, name: String) throws(SSHKeyProblem) {
        do {
            key = try contents.withArray { (bytes) throws(KeyDefect) in
                try KeyFileContent(bytes, permissions: nil).privateKey(passphrase: passphrase)
            }
        } catch {
            throw error.problem(path: name)
        }
    }

    package func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature {
        var reader = SSHWireReader(try await KeySigner(key, path: "").sign(data, algorithm: algorithm))
        _ = try reader.string()
        return SSHSignature(try reader.string())
    }
}
