/// One credential that was offered to the server.
public struct SSHAuthenticationAttempt: Sendable, Hashable, Codable {
    /// The server's answer.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// Accepted; the session is authenticated.
        case accepted
        /// Accepted, and another is required (partial success).
        case partial
        /// Refused.
        case refused
        /// No answer arrived.
        case unanswered
        /// The signature could not be made or the prompt not answered.
        case unusable
    }
    /// `publickey`, `password` or `keyboard-interactive`.
    public var method: String
    /// What was offered, for a person: a key file's path, an agent key's comment. Never a secret.
    public var credential: String
    /// Whether the credential is a key file without its public half (`.pub`) beside it; nil where that does not matter.
    public var lacksPublicFile: Bool?
    /// The key's SHA256 fingerprint.
    public var fingerprint: String?
    /// The key's type, such as `ssh-rsa`.
    public var keyType: String?
    /// The signature algorithm, such as `rsa-sha2-512`.
    public var signatureAlgorithm: String?
    /// Whether the server said that it would accept this key (SSH_MSG_USERAUTH_PK_OK) before the signature.
    public var keyAccepted = false
    /// The property of a certificate that may be why it was refused.
    public var certificateDefect: SSHCertificateDefect?
    /// The server's answer.
    public var outcome: Outcome

    /// An attempt.
    public init(method: String, credential: String, outcome: Outcome) {
        self.method = method
        self.credential = credential
        self.outcome = outcome
    }
}
