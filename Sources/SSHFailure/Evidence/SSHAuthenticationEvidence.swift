/// The evidence of user authentication (RFC 4252): the attempts and the server's answers.
public struct SSHAuthenticationEvidence: Sendable, Hashable, Codable {
    /// The methods that the server listed in answer to `none`; nil if it did not answer.
    public var methodsOffered: [String]?
    /// The methods that can continue, from the last SSH_MSG_USERAUTH_FAILURE.
    public var methodsRemaining: [String]?
    /// Whether a credential was accepted and another was required (partial success, RFC 4252 section 5.1).
    public var partialSuccess = false
    /// Every credential that was offered, in order.
    public var attempts: [SSHAuthenticationAttempt] = []
    /// The methods for which there is a credential, offered or not.
    public var methodsHeld: [String] = []
    /// The texts of all SSH_MSG_USERAUTH_BANNER messages, truncated to 4096 bytes.
    public var banner: String?
    /// The part of `banner` that came after the last credential was offered: a reaction to that credential. An earlier banner is
    /// a notice for every client.
    public var bannerAfterAttempt: String?
    /// The text of the server's SSH_MSG_DEBUG messages.
    public var debugMessages: [String] = []
    /// Why the agent could not help, when something else could still be offered.
    public var agentProblem: SSHAgentProblem?
    /// Identities that could not be used, when something else could still be offered.
    public var keyProblems: [SSHKeyProblem] = []
    /// Whether the server sent SSH_MSG_USERAUTH_PASSWD_CHANGEREQ.
    public var passwordChangeRequested = false
    /// The server's text in the last keyboard-interactive attempt: titles, instructions and prompts.
    public var prompts: [String] = []

    /// No attempt yet.
    public init() {}
}

/// One credential that was offered to the server, and the answer.
public struct SSHAuthenticationAttempt: Sendable, Hashable, Codable {
    /// The server's answer.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// Accepted; the session is authenticated.
        case accepted
        /// Accepted, and another credential is required (partial success).
        case partial
        /// Refused.
        case refused
        /// No answer arrived.
        case unanswered
        /// The signature could not be made, or the prompt could not be answered.
        case unusable
    }
    /// `publickey`, `password` or `keyboard-interactive`.
    public var method: String
    /// The offered credential, for a person: a key file's path, or an agent key's comment. Never a secret.
    public var credential: String
    /// Whether the credential is a key file without its `.pub` file; nil if this does not matter.
    public var lacksPublicFile: Bool?
    /// The key's SHA256 fingerprint.
    public var fingerprint: String?
    /// The key's type, such as `ssh-rsa`.
    public var keyType: String?
    /// The signature algorithm, such as `rsa-sha2-512`.
    public var signatureAlgorithm: String?
    /// Whether the server said before the signature that it would accept this key (SSH_MSG_USERAUTH_PK_OK).
    public var keyAccepted = false
    /// A defect of the certificate that may explain the refusal.
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

/// A property of the client's certificate that makes it invalid for this login.
public struct SSHCertificateDefect: Sendable, Hashable, Codable {
    /// The kind of defect.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// Expired, by the local clock.
        case expired
        /// Not yet valid, by the local clock.
        case notYetValid = "not-yet-valid"
        /// It lists principals other than the user. The server may accept them by configuration (AuthorizedPrincipalsFile).
        case otherPrincipals = "other-principals"
    }
    /// The kind of defect.
    public var reason: Reason
    /// The dates or names: the end of a sentence that begins with the certificate.
    public var detail: String

    /// A defect.
    public init(reason: Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
