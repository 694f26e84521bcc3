extension SSHIdentity {
    /// A private key in memory, which is read and decrypted here, once for all connections.
    ///
    /// Deriving the key from a passphrase takes the time that the key asks for, about 0.1 s by default and 10 s at most, and
    /// blocks the thread for as long.
    ///
    /// - Parameters:
    ///   - privateKey: what a key file has: OpenSSH's format, PEM or PKCS #8.
    ///   - passphrase: for an encrypted key; ignored for any other.
    /// - Throws: ``SSHError`` with the code `ssh.key.…` that a file with this content would have.
    public init(privateKey: SSHSecret, passphrase: SSHSecret? = nil) throws {
        do throws(SSHKeyProblem) {
            self.init(signer: try InMemoryPrivateKey(privateKey, passphrase: passphrase, name: SSHKeyProblem.inMemory))
        } catch {
            throw SSHFailureClassifier.classify(SSHEvidence(local: .keyUnusable(error), stage: .key))
        }
    }

    /// A private key in memory; otherwise as ``init(privateKey:passphrase:)-(SSHSecret,_)``.
    ///
    /// The `String` stays in memory until the program reuses its place; see ``SSHSecret``.
    public init(privateKey: String, passphrase: SSHSecret? = nil) throws {
        try self.init(privateKey: SSHSecret(privateKey), passphrase: passphrase)
    }
}
