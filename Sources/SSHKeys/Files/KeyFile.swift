internal import Synchronization

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
