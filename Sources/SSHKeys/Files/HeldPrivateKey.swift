/// A private key in memory, decrypted.
package struct HeldPrivateKey: SSHSigner {
    package let key: SSHPrivateKey

    package var publicKey: SSHPublicKey { key.publicKey }

    /// Reads a private key in any of the formats that a file may have.
    ///
    /// - Parameters:
    ///   - contents: what the file would have.
    ///   - passphrase: ignored if the key is not encrypted.
    ///   - name: how it is called in the problem.
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
