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

    /// Decrypts; nil when the padding shows that the passphrase is wrong; one wrong passphrase in 256 passes.
    func decrypt(passphrase: SSHSecret) throws(KeyDefect) -> SecretBytes? {
        let key = passphrase.withArray { derivation.key(passphrase: $0, count: keyLength) }
        guard let key else { throw Self.unsupported("a key derived with parameters that are not possible") }
        return AESChaining.decrypt(ciphertext, key: key, iv: iv)
    }
}

/// How PBES2 makes a key of the passphrase.
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
            if next?.identifier == .integer { next = nodes.next() }  // the key's length, which the cipher says too
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
                throw KeyDefect(.formatInvalid, "The parameters of scrypt are not possible ones.")
            }
            guard cost <= 1 << 40, blockSize <= 1 << 14 else {
                throw KeyDefect(.formatInvalid, "The parameters of scrypt are not possible ones.")
            }
            return .scrypt(salt: salt, cost: cost, blockSize: blockSize, parallelism: parallelism)
        }
    }

    /// Why it is not done, if so.
    var excess: KeyDefect? {
        switch self {
        case .pbkdf2(_, let rounds, _):
            guard rounds > DerivationLimit.pbkdf2Rounds else { return nil }
            return DerivationLimit.exceeded("\(rounds) rounds of PBKDF2", "\(DerivationLimit.pbkdf2Rounds)")
        case .scrypt(_, let cost, let blockSize, _):
            let memory = 128 * cost * blockSize
            guard memory > DerivationLimit.scryptMemory else { return nil }
            // Nothing to be had from ssh-keygen: it is OpenSSL that reads the file there, under its own limit.
            return DerivationLimit.exceeded(
                "scrypt with \(memory >> 20) MiB of memory",
                "\(DerivationLimit.scryptMemory >> 20) MiB, which OpenSSL and so ssh-keygen have too")
        }
    }

    /// nil when the library refuses the parameters.
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
