/// A public key that can be offered, with its signer.
package struct PublicKeyCandidate: Sendable {
    package let signer: any Signer
    /// For a person: the file's path, or the agent key's comment.
    package let label: String
    /// The file it comes from, which other connections can share as long as it is in use.
    package var file: KeyFile?
    /// Whether it is a file without its public half beside it.
    package var lacksPublicFile = false

    package init(signer: any Signer, label: String, file: KeyFile? = nil) {
        self.signer = signer
        self.label = label
        self.file = file
    }

    package var key: SSHPublicKey { signer.publicKey }
}
