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
