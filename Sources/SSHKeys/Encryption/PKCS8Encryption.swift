import Crypto
import CryptoExtras
import SwiftASN1

/// EncryptedPrivateKeyInfo with PBES2 (RFC 8018 appendix A.4): PBKDF2 or scrypt (RFC 7914 section 7), then AES-CBC.
struct PKCS8Encryption: Sendable {
    static let label = "ENCRYPTED PRIVATE KEY"

    let cipher: String
    private let keyLength: Int
    private let iv: [UInt8]
    let derivation: PKCS8KeyDerivation
    private let ciphertext: [UInt8]

    init(der: [UInt8]) throws(KeyDefect) {
        do {
            self = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
                let algorithm = try PKCS8Algorithm(derEncoded: &nodes)
                let ciphertext = try ASN1OctetString(derEncoded: &nodes).bytes
                guard algorithm.identifier == [1, 2, 840, 113549, 1, 5, 13], let parameters = algorithm.parameters else {
                    throw Self.unsupported("the scheme \(algorithm.identifier)")
                }
                return try Self(parameters: parameters, ciphertext: Array(ciphertext))
            }
        } catch let error as KeyDefect {
            throw error
        } catch {
            throw KeyDefect(.formatInvalid, "The ASN.1 data of the encrypted key is damaged.")
        }
    }

    private init(parameters: ASN1Node, ciphertext: [UInt8]) throws {
        let (derivation, scheme) = try DER.sequence(parameters, identifier: .sequence) { nodes in
            (try PKCS8Algorithm(derEncoded: &nodes), try PKCS8Algorithm(derEncoded: &nodes))
        }
        switch scheme.identifier {
        case [2, 16, 840, 1, 101, 3, 4, 1, 2]: (cipher, keyLength) = ("AES-128-CBC", 16)
        case [2, 16, 840, 1, 101, 3, 4, 1, 22]: (cipher, keyLength) = ("AES-192-CBC", 24)
        case [2, 16, 840, 1, 101, 3, 4, 1, 42]: (cipher, keyLength) = ("AES-256-CBC", 32)
        case [1, 2, 840, 113549, 3, 7]: throw Self.unsupported("DES-EDE3-CBC")
        default: throw Self.unsupported("the cipher \(scheme.identifier)")
        }
        guard let vector = scheme.parameters else { throw KeyDefect(.formatInvalid, "The cipher has no initialization vector.") }
        iv = Array(try ASN1OctetString(derEncoded: vector).bytes)
        guard iv.count == 16 else { throw KeyDefect(.formatInvalid, "The initialization vector has \(iv.count) bytes, not 16.") }
        self.derivation = try PKCS8KeyDerivation(derivation)
        self.ciphertext = ciphertext
    }

    static func unsupported(_ what: String) -> KeyDefect {
        KeyDefect(
            .cipherUnsupported,
            "It is encrypted with \(what), which is not supported; `ssh-keygen -p -f {file}` encrypts it again.")
    }

    /// Decrypts. Returns nil if the padding shows that the passphrase is wrong. One wrong passphrase in 256 is not detected.
    func decrypt(passphrase: SSHSecret) throws(KeyDefect) -> SecretBytes? {
        let key = passphrase.withArray { derivation.key(passphrase: $0, count: keyLength) }
        guard let key else { throw Self.unsupported("a key derived with invalid parameters") }
        return AESChaining.decrypt(ciphertext, key: key, iv: iv)
    }
}

/// The derivation of a key from the passphrase in PBES2.
enum PKCS8KeyDerivation: Sendable {
    case pbkdf2(salt: [UInt8], rounds: Int, hash: KDF.Insecure.PBKDF2.HashFunction)
    case scrypt(salt: [UInt8], cost: Int, blockSize: Int, parallelism: Int)

    init(_ algorithm: PKCS8Algorithm) throws {
        guard let parameters = algorithm.parameters else {
            throw KeyDefect(.formatInvalid, "The key derivation has no parameters.")
        }
        switch algorithm.identifier {
        case [1, 2, 840, 113549, 1, 5, 12]: self = try Self.pbkdf2(parameters)
        case [1, 3, 6, 1, 4, 1, 11591, 4, 11]: self = try Self.scrypt(parameters)
        default: throw PKCS8Encryption.unsupported("a key derived by \(algorithm.identifier)")
        }
    }

    private static func pbkdf2(_ node: ASN1Node) throws -> Self {
        try DER.sequence(node, identifier: .sequence) { nodes in
            let salt = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
            let rounds = try Int(derEncoded: &nodes)
            var next = nodes.next()
            if next?.identifier == .integer { next = nodes.next() }  // the key's length, which the cipher determines too
            guard rounds >= 1 else { throw KeyDefect(.formatInvalid, "The key derivation has no rounds.") }
            let hash: KDF.Insecure.PBKDF2.HashFunction = try next.map(pseudorandomFunction) ?? .insecureSHA1
            return .pbkdf2(salt: salt, rounds: rounds, hash: hash)
        }
    }

    private static func pseudorandomFunction(_ node: ASN1Node) throws -> KDF.Insecure.PBKDF2.HashFunction {
        let identifier = try DER.sequence(node, identifier: .sequence) { nodes in
            let identifier = try ASN1ObjectIdentifier(derEncoded: &nodes)
            _ = nodes.next()
            return identifier
        }
        switch identifier {
        case [1, 2, 840, 113549, 2, 7]: return .insecureSHA1
        case [1, 2, 840, 113549, 2, 8]: return .insecureSHA224
        case [1, 2, 840, 113549, 2, 9]: return .sha256
        case [1, 2, 840, 113549, 2, 10]: return .sha384
        case [1, 2, 840, 113549, 2, 11]: return .sha512
        default: throw PKCS8Encryption.unsupported("a key derived with the function \(identifier)")
        }
    }

    private static func scrypt(_ node: ASN1Node) throws -> Self {
        try DER.sequence(node, identifier: .sequence) { nodes in
            let salt = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
            let cost = try Int(derEncoded: &nodes)
            let blockSize = try Int(derEncoded: &nodes)
            let parallelism = try Int(derEncoded: &nodes)
            _ = nodes.next()
            guard cost > 1, cost.nonzeroBitCount == 1, blockSize >= 1, (1...64).contains(parallelism) else {
                throw KeyDefect(.formatInvalid, "The parameters of scrypt are invalid.")
            }
            guard cost <= 1 << 40, blockSize <= 1 << 14 else {
                throw KeyDefect(.formatInvalid, "The parameters of scrypt are invalid.")
            }
            return .scrypt(salt: salt, cost: cost, blockSize: blockSize, parallelism: parallelism)
        }
    }

    /// The defect if the derivation exceeds ``DerivationLimit``; nil otherwise.
    var costDefect: KeyDefect? {
        switch self {
        case .pbkdf2(_, let rounds, _):
            guard rounds > DerivationLimit.pbkdf2Rounds else { return nil }
            return DerivationLimit.exceeded("\(rounds) rounds of PBKDF2", "\(DerivationLimit.pbkdf2Rounds)")
        case .scrypt(_, let cost, let blockSize, _):
            let memory = 128 * cost * blockSize
            guard memory > DerivationLimit.scryptMemory else { return nil }
            // ssh-keygen cannot help: it reads the file with OpenSSL, which has the same limit.
            return DerivationLimit.exceeded(
                "scrypt with \(memory >> 20) MiB of memory",
                "\(DerivationLimit.scryptMemory >> 20) MiB, also in OpenSSL and ssh-keygen")
        }
    }

    /// Derives the key. Returns nil if swift-crypto refuses the parameters.
    func key(passphrase: [UInt8], count: Int) -> SymmetricKey? {
        switch self {
        case .pbkdf2(let salt, let rounds, let hash):
            try? KDF.Insecure.PBKDF2.deriveKey(
                from: passphrase, salt: salt, using: hash, outputByteCount: count, unsafeUncheckedRounds: rounds)
        case .scrypt(let salt, let cost, let blockSize, let parallelism):
            try? KDF.Scrypt.deriveKey(
                from: passphrase, salt: salt, outputByteCount: count, rounds: cost, blockSize: blockSize,
                parallelism: parallelism, maxMemory: 2 * DerivationLimit.scryptMemory)
        }
    }
}

/// AlgorithmIdentifier of RFC 5280 section 4.1.1.2.
struct PKCS8Algorithm {
    var identifier: ASN1ObjectIdentifier
    var parameters: ASN1Node?

    init(derEncoded nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "no algorithm") }
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            PKCS8Algorithm(identifier: try ASN1ObjectIdentifier(derEncoded: &nodes), parameters: nodes.next())
        }
    }

    init(identifier: ASN1ObjectIdentifier, parameters: ASN1Node?) {
        self.identifier = identifier
        self.parameters = parameters
    }
}

/// Limits of the work for decrypting a key file. Each is about 10 s on a current processor.
///
/// `ssh-keygen` writes 16 or 24 rounds of bcrypt and 2,048 of PBKDF2; `openssl pkcs8 -scrypt` needs 16 MiB.
enum DerivationLimit {
    static let bcryptRounds = 1024
    static let pbkdf2Rounds = 10_000_000
    /// In bytes. OpenSSL has the same limit by default.
    static let scryptMemory = 32 << 20

    /// - Parameters:
    ///   - cost: the cost that the file demands.
    ///   - limit: the limit, in the same unit.
    static func exceeded(_ cost: String, _ limit: String) -> KeyDefect {
        KeyDefect(.cipherUnsupported, "Its key derivation needs \(cost); the limit is \(limit).")
    }
}

/// The old encryption of PEM files, `Proc-Type: 4,ENCRYPTED` (RFC 1421 section 4.6.1), as OpenSSL and `ssh-keygen -m PEM` write
/// it. The key is only an MD5 hash of passphrase and salt, even for strong ciphers.
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
