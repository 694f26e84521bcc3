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
    package init(_ contents: Secret, passphrase: Secret?, name: String) throws(KeyProblem) {
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

/// A signer of the caller's, as authentication asks it.
package struct CallersSigner: Signer {
    private let signer: any SSHSigner
    package let publicKey: SSHPublicKey
    package let origin: SignerOrigin

    package init(_ signer: any SSHSigner, label: String) {
        self.signer = signer
        publicKey = signer.publicKey
        origin = .file(path: label)
    }

    package var mayWait: Bool { true }

    package func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8] {
        let plain = PublicKeyAlgorithm.plain(algorithm)
        var blob = SSHWireWriter()
        blob.string(plain)
        blob.string(try await signer.sign(data, algorithm: plain).bytes)
        return blob.bytes
    }
}
