/// What was tried and answered in user authentication (RFC 4252).
public struct AuthenticationEvidence: Sendable, Hashable, Codable {
    /// The methods that the server named in answer to `none`; nil when it never answered.
    public var methodsOffered: [String]?
    /// The methods that can continue, from the last SSH_MSG_USERAUTH_FAILURE.
    public var methodsRemaining: [String]?
    /// Whether a credential was accepted and more was asked for (RFC 4252 section 5.1).
    public var partialSuccess = false
    /// Every credential that was offered, in order.
    public var attempts: [AuthenticationAttempt] = []
    /// The methods that we hold a credential for, whether or not it was offered.
    public var methodsHeld: [String] = []
    /// SSH_MSG_USERAUTH_BANNER, all of them, cut to 4096 bytes.
    public var banner: String?
    /// The part of `banner` that came after the last credential was offered: the server's answer to that credential. An earlier
    /// banner is a notice to every client.
    public var bannerAfterAttempt: String?
    /// What the server said in SSH_MSG_DEBUG.
    public var debugMessages: [String] = []
    /// An agent that could not help, where something else could still be offered.
    public var agentProblem: AgentProblem?
    /// Identities that could not be used, where something else could still be offered.
    public var keyProblems: [KeyProblem] = []
    /// The server sent SSH_MSG_USERAUTH_PASSWD_CHANGEREQ.
    public var passwordChangeRequested = false
    /// What the server said in the last keyboard-interactive attempt: titles, instructions and prompts.
    public var prompts: [String] = []

    /// No attempt yet.
    public init() {}
}

/// One credential that was offered to the server.
public struct AuthenticationAttempt: Sendable, Hashable, Codable {
    /// What the server made of it.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// Accepted; the session is authenticated.
        case accepted
        /// Accepted, and more is asked for.
        case partial
        /// Refused.
        case refused
        /// No answer came.
        case unanswered
        /// We could not make the signature or answer the prompt.
        case unusable
    }
    /// `publickey`, `password` or `keyboard-interactive`.
    public var method: String
    /// What was offered, for a person: a key file's path, an agent key's comment. Never a secret.
    public var credential: String
    /// The key's SHA256 fingerprint.
    public var fingerprint: String?
    /// The key's type, such as `ssh-rsa`.
    public var keyType: String?
    /// The signature algorithm, such as `rsa-sha2-512`.
    public var signatureAlgorithm: String?
    /// Whether the server said that it would take this key (SSH_MSG_USERAUTH_PK_OK) before it was signed with.
    public var keyAccepted = false
    /// What in a certificate may be why it was refused.
    public var certificateDefect: CertificateDefect?
    /// What the server made of it.
    public var outcome: Outcome

    /// An attempt.
    public init(method: String, credential: String, outcome: Outcome) {
        self.method = method
        self.credential = credential
        self.outcome = outcome
    }
}

/// What a certificate of ours says of itself that speaks against its use here and now.
public struct CertificateDefect: Sendable, Hashable, Codable {
    /// What it is.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// Its time is over, by our clock.
        case expired
        /// Its time has not come, by our clock.
        case notYetValid = "not-yet-valid"
        /// It names principals other than the user; the server may be configured to accept them (AuthorizedPrincipalsFile).
        case otherPrincipals = "other-principals"
    }
    /// What it is.
    public var reason: Reason
    /// The dates or the names: the rest of a sentence that begins with the certificate.
    public var detail: String

    /// A defect.
    public init(reason: Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
