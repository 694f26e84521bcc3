/// A public key that can be offered, and what signs for it.
struct PublicKeyCandidate: Sendable {
    let signer: any Signer
    /// For a person: the file's path, or the agent key's comment.
    let label: String
    /// The file that it is of, which others find as long as it is in use.
    var file: KeyFile?

    var key: SSHPublicKey { signer.publicKey }
}
