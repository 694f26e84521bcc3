internal import Synchronization

/// A private key file that was read and checked, perhaps still encrypted.
///
/// The public half is known before a passphrase is: OpenSSH's format holds it in the clear; for encrypted PEM and PKCS#8
/// it comes from the `.pub` file beside it, where there is one.
///
/// Connections that are opened at once share it: see ``SharedReading``.
package final class KeyFile: Sendable {
    /// As the caller named it.
    package let path: String
    /// The public half, if it is known.
    package let publicKey: SSHPublicKey?
    /// A `.pub` file beside the key that belongs to another key.
    ///
    /// It does no harm here, because the public half was in the key file itself, but `ssh` would offer the wrong key.
    package let notice: SSHKeyProblem?
    /// Whether there is a readable `.pub` file beside the key.
    package let hasPublicFile: Bool
    private let content: KeyFileContent
    /// The key as decrypted with the last passphrase: derivation takes long, and many connections give the same.
    private let opened = Mutex<(passphrase: SSHSecret, key: SSHPrivateKey)?>(nil)

    static let shared = SharedReading<KeyFile>()

    package var isEncrypted: Bool { content.encryption != nil }

    /// The cipher that a passphrase is needed for, in the file's words; nil if the key is not encrypted.
    package var encryption: String? { content.encryption }

    /// Reads and checks a file.
    ///
    /// Blocks for as long as the file system does; nothing is decrypted yet. A key that is not encrypted is
    /// parsed whole, so that ``decrypted(with:)`` cannot fail for it.
    ///
    /// - Throws: every ``SSHKeyProblem/Reason`` but `passphraseRequired`, `passphraseWrong` and `publicKeyMismatch`.
    package static func read(path: String) throws(SSHKeyProblem) -> KeyFile { try read(path: path, sharing: shared) }

    static func read(path: String, sharing shared: SharedReading<KeyFile>) throws(SSHKeyProblem) -> KeyFile {
        try shared.content(of: path, beside: [path + ".pub"]) { () throws(SSHKeyProblem) in try readAlone(path: path) }
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

    private static func readAlone(path: String) throws(SSHKeyProblem) -> KeyFile {
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
        // Equal keys may differ in their comments: PEM has none, and OpenSSH's format has it in the encrypted part.
        let publicKey = known.comment.isEmpty && known == beside ? beside : known
        return KeyFile(path: path, publicKey: publicKey, notice: notice, hasPublicFile: beside != nil, content: content)
    }

    /// Call it before asking a person for the passphrase.
    ///
    /// - Throws: `cipherUnsupported` where deriving a key from it would cost too much.
    package func requireAffordable() throws(SSHKeyProblem) {
        if let excess = content.excess { throw excess.problem(path: path) }
    }

    /// The private key.
    ///
    /// Deriving the key from a passphrase takes the time that the file asks for, about 0.1 s by default and 10 s at most:
    /// see ``DerivationLimit``.
    ///
    /// - Parameter passphrase: ignored if the key is not encrypted.
    /// - Throws: as ``requireAffordable()``; `passphraseRequired` for none or an empty one, `passphraseWrong`;
    ///   `publicKeyMismatch` when the `.pub` file was all that was known of the key and names another; `formatInvalid` or
    ///   `typeUnsupported` for a defect that only decryption could show.
    package func decrypted(with passphrase: SSHSecret?) throws(SSHKeyProblem) -> SSHPrivateKey {
        try decrypted(with: passphrase, while: { true })
    }

    /// - Parameter isWanted: whether the caller still waits; asked often while bcrypt works.
    package func decrypted(with passphrase: SSHSecret?, while isWanted: () -> Bool) throws(SSHKeyProblem) -> SSHPrivateKey {
        guard isEncrypted, let passphrase else { return try decryptedAlone(with: passphrase, while: isWanted) }
        // The lock is held during derivation: another thread would do the same work.
        return try opened.withLock { (opened) throws(SSHKeyProblem) in
            if let opened, opened.passphrase.hasBytes(of: passphrase) { return opened.key }
            let key = try decryptedAlone(with: passphrase, while: isWanted)
            opened = (passphrase, key)
            return key
        }
    }

    private func decryptedAlone(
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
        return key.publicKey.comment.isEmpty ? key.commented(publicKey.comment) : key
    }

    private static func mismatch(_ path: String, private key: SSHPublicKey, public other: SSHPublicKey) -> SSHKeyProblem {
        SSHKeyProblem(
            reason: .publicKeyMismatch, path: path,
            detail: "The file \(path).pub holds another key (\(other.displayName) \(other.fingerprint)) than the private key"
                + " (\(key.displayName) \(key.fingerprint)).")
    }
}
