internal import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A private key file that was read and checked, and may still be encrypted.
///
/// The public half is known without a passphrase: OpenSSH's format holds it unencrypted. For encrypted PEM and PKCS#8 it comes
/// from the `.pub` file beside the key, if there is one.
///
/// Connections that are opened together share the file: see ``SharedFileCache``.
package final class KeyFile: Sendable {
    /// The path, as the caller gave it.
    package let path: String
    /// The public half, if it is known.
    package let publicKey: SSHPublicKey?
    /// Reports that the `.pub` file beside the key belongs to another key; nil otherwise.
    ///
    /// That is harmless here, because the key file itself has the public half. But `ssh` would offer the wrong key.
    package let notice: SSHKeyProblem?
    /// Whether there is a readable `.pub` file beside the key.
    package let hasPublicFile: Bool
    private let content: KeyFileContent
    /// The key, decrypted with the last passphrase. Derivation is slow, and many connections give the same passphrase.
    private let opened = Mutex<(passphrase: SSHSecret, key: SSHPrivateKey)?>(nil)

    static let shared = SharedFileCache<KeyFile>()

    package var isEncrypted: Bool { content.encryption != nil }

    /// The cipher's name, as the file gives it; nil if the key is not encrypted.
    package var encryption: String? { content.encryption }

    /// Reads and checks a file.
    ///
    /// Blocks as long as the file system does, and decrypts nothing. A key that is not encrypted is parsed completely, so that
    /// ``decrypted(with:)`` cannot fail for it.
    ///
    /// - Throws: every ``SSHKeyProblem/Reason`` except `passphraseRequired`, `passphraseWrong` and `publicKeyMismatch`.
    package static func read(path: String) throws(SSHKeyProblem) -> KeyFile { try read(path: path, sharing: shared) }

    static func read(path: String, sharing shared: SharedFileCache<KeyFile>) throws(SSHKeyProblem) -> KeyFile {
        try shared.content(of: path, beside: [path + ".pub"]) { () throws(SSHKeyProblem) in try readUnshared(path: path) }
    }

    private init(
        path: String, publicKey: SSHPublicKey?, notice: SSHKeyProblem?, hasPublicFile: Bool, content: KeyFileContent
    ) {
        self.path = path
        self.publicKey = publicKey
        self.notice = notice
        self.hasPublicFile = hasPublicFile
        self.content = content
    }

    private static func readUnshared(path: String) throws(SSHKeyProblem) -> KeyFile {
        let file = try KeyFileReading.read(path: path)
        let content: KeyFileContent
        do {
            content = try file.bytes.withArray { (bytes) throws(KeyDefect) in
                try KeyFileContent(bytes, permissions: file.permissionDefect)
            }
        } catch {
            throw error.problem(path: path)
        }
        let beside = KeyFileReading.publicKey(beside: path)
        guard let known = content.publicKey else {
            return KeyFile(path: path, publicKey: beside, notice: nil, hasPublicFile: beside != nil, content: content)
        }
        let notice = beside.flatMap { $0 == known ? nil : mismatch(path, private: known, public: $0) }
        // Equal keys may have different comments: PEM has none, and OpenSSH's format has it in the encrypted part.
        let publicKey = known.comment.isEmpty && known == beside ? beside : known
        return KeyFile(path: path, publicKey: publicKey, notice: notice, hasPublicFile: beside != nil, content: content)
    }

    /// Checks the cost of key derivation. Call it before asking a person for the passphrase.
    ///
    /// - Throws: `cipherUnsupported` if deriving the key would cost too much.
    package func checkDerivationCost() throws(SSHKeyProblem) {
        if let costDefect = content.costDefect { throw costDefect.problem(path: path) }
    }

    /// Returns the private key, decrypted.
    ///
    /// The file determines how long key derivation takes: about 0.1 s by default, 10 s at most (``DerivationLimit``).
    ///
    /// - Parameter passphrase: ignored if the key is not encrypted.
    /// - Throws: the errors of ``checkDerivationCost()``; `passphraseRequired` without a passphrase or with an empty one;
    ///   `passphraseWrong`; `publicKeyMismatch` if the public half came from a `.pub` file of another key; `formatInvalid` or
    ///   `typeUnsupported` for a defect that only decryption shows.
    package func decrypted(with passphrase: SSHSecret?) throws(SSHKeyProblem) -> SSHPrivateKey {
        try decrypted(with: passphrase, while: { true })
    }

    /// - Parameter isWanted: whether the caller still waits; called often while bcrypt works.
    package func decrypted(with passphrase: SSHSecret?, while isWanted: () -> Bool) throws(SSHKeyProblem) -> SSHPrivateKey {
        guard isEncrypted, let passphrase else { return try decryptedUnshared(with: passphrase, while: isWanted) }
        // Hold the lock during derivation: another thread would only repeat the work.
        return try opened.withLock { (opened) throws(SSHKeyProblem) in
            if let opened, opened.passphrase.hasBytes(of: passphrase) { return opened.key }
            let key = try decryptedUnshared(with: passphrase, while: isWanted)
            opened = (passphrase, key)
            return key
        }
    }

    private func decryptedUnshared(
        with passphrase: SSHSecret?, while isWanted: () -> Bool
    ) throws(SSHKeyProblem) -> SSHPrivateKey {
        let key: SSHPrivateKey
        do {
            key = try content.privateKey(passphrase: passphrase, while: isWanted)
        } catch {
            throw error.problem(path: path)
        }
        guard let publicKey else { return key }
        guard publicKey == key.publicKey else { throw Self.mismatch(path, private: key.publicKey, public: publicKey) }
        return key.publicKey.comment.isEmpty ? key.withComment(publicKey.comment) : key
    }

    private static func mismatch(_ path: String, private key: SSHPublicKey, public other: SSHPublicKey) -> SSHKeyProblem {
        SSHKeyProblem(
            reason: .publicKeyMismatch, path: path,
            detail: "The file \(path).pub holds another key (\(other.displayName) \(other.fingerprint)) than the private key"
                + " (\(key.displayName) \(key.fingerprint)).")
    }
}

/// Opens and reads key files. All code that uses the file system is here.
package enum KeyFileReading {
    /// The largest key file, in bytes: OpenSSH's limit too (MAX_KEY_FILE_SIZE).
    static let maximumSize = 1 << 20

    package struct File {
        var bytes: SecretBytes
        /// The defect of the file's mode by OpenSSH's rule, if any.
        var permissionDefect: KeyDefect?
    }

    package static func read(path: String) throws(SSHKeyProblem) -> File {
        let (descriptor, status) = try opened(path)
        defer { close(descriptor) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw SSHKeyProblem(reason: .unreadable, path: path, detail: "It is a directory.", systemError: EISDIR)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SSHKeyProblem(reason: .unreadable, path: path, detail: "It is not a regular file.")
        }
        guard status.st_size > 0 else { throw SSHKeyProblem(reason: .formatInvalid, path: path, detail: "The file is empty.") }
        guard status.st_size <= maximumSize else {
            throw SSHKeyProblem(
                reason: .formatInvalid, path: path,
                detail: "The file has \(status.st_size) bytes; no private key has more than \(maximumSize).")
        }
        let bytes = try content(of: descriptor, size: Int(status.st_size), path: path)
        let mode = UInt32(status.st_mode) & 0o7777
        return File(bytes: bytes, permissionDefect: permissionDefect(mode: mode, owner: status.st_uid, caller: getuid()))
    }

    private static func opened(_ path: String) throws(SSHKeyProblem) -> (Int32, stat) {
        do throws(WholeFile.Failure) {
            return try WholeFile.opened(path)
        } catch {
            guard error.errno == WholeFile.irregular else { throw systemProblem(path, doing: "opened", error.errno) }
            throw SSHKeyProblem(reason: .unreadable, path: path, detail: "It is not a regular file.")
        }
    }

    /// OpenSSH's rule (sshkey_perm_ok): only a file of the caller's own must not be accessible to group and others.
    static func permissionDefect(mode: UInt32, owner: uid_t, caller: uid_t) -> KeyDefect? {
        guard owner == caller, mode & 0o077 != 0 else { return nil }
        let octal = String(mode, radix: 8)
        let padded = String(repeating: "0", count: max(0, 4 - octal.count)) + octal
        return KeyDefect(
            .permissionsTooOpen, "Its mode is \(padded).")
    }

    /// The key in `path.pub`, if that is a readable public key. Anything else is ignored, as OpenSSH does.
    ///
    /// - Parameter orCertificate: whether a certificate is accepted too.
    package static func publicKey(beside path: String, orCertificate: Bool = false) -> SSHPublicKey? {
        publicKey(in: path + ".pub", orCertificate: orCertificate)
    }

    /// The first public key in a file; nil if there is none.
    package static func publicKey(in path: String, orCertificate: Bool) -> SSHPublicKey? {
        guard let file = try? read(path: path) else { return nil }
        return file.bytes.withArray { bytes in
            Armor.lines(of: bytes).lazy
                .filter { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
                .compactMap { try? SSHPublicKey(line: String(decoding: $0, as: UTF8.self)) }
                .first { orCertificate || !PublicKeyAlgorithm.isCertificate($0.algorithm) }
        }
    }

    private static func content(of descriptor: Int32, size: Int, path: String) throws(SSHKeyProblem) -> SecretBytes {
        try SecretBytes(capacity: size) { (memory) throws(SSHKeyProblem) in
            var count = 0
            while count < size {
                let result = readOnce(descriptor, UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
                if result == 0 { break }
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { throw systemProblem(path, doing: "read", errno) }
                count += result
            }
            return count
        }
    }

    private static func readOnce(_ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.read(descriptor, memory.baseAddress, memory.count)
        #else
            Glibc.read(descriptor, memory.baseAddress, memory.count)
        #endif
    }

    private static func systemProblem(_ path: String, doing action: String, _ code: Int32) -> SSHKeyProblem {
        let text = String(cString: strerror(code))
        if code == ENOENT || code == ENOTDIR {
            let slash = path.lastIndex(of: "/")
            let hasDirectory = slash.map { $0 == path.startIndex || access(String(path[..<$0]), F_OK) == 0 } ?? true
            let detail = hasDirectory ? "There is no such file (\(text))." : SSHKeyProblem.lacksDirectory
            return SSHKeyProblem(reason: .notFound, path: path, detail: detail, systemError: code)
        }
        return SSHKeyProblem(reason: .unreadable, path: path, detail: "It could not be \(action) (\(text)).", systemError: code)
    }
}

/// The private key files that `ssh` tries by default, in the order of OpenSSH 9.2 (ssh_config(5), IdentityFile), without the
/// unsupported types XMSS and DSA.
///
/// - Parameter home: the user's home directory.
package func defaultIdentityPaths(home: String) -> [String] {
    let directory = home.hasSuffix("/") ? home + ".ssh/" : home + "/.ssh/"
    return ["id_rsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"].map { directory + $0 }
}

/// The content of a private key file, by its format.
enum KeyFileContent: Sendable {
    case clear(SSHPrivateKey)
    case openSSH(OpenSSHKeyFormat)
    case pem(PEMKeyFormat, PEMEncryption, SecretBytes)
    case pkcs8(PKCS8Encryption)

    /// - Parameter permissions: the problem with the file's mode. It is reported only for a private key. For a public key, that
    ///   mistake is the better report.
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
