/// The evidence of user authentication (RFC 4252): attempts and answers.
public struct SSHAuthenticationEvidence: Sendable, Hashable, Codable {
    /// The methods that the server named in answer to `none`; nil when it never answered.
    public var methodsOffered: [String]?
    /// The methods that can continue, from the last SSH_MSG_USERAUTH_FAILURE.
    public var methodsRemaining: [String]?
    /// Whether a credential was accepted and another was required (partial success, RFC 4252 section 5.1).
    public var partialSuccess = false
    /// Every credential that was offered, in order.
    public var attempts: [SSHAuthenticationAttempt] = []
    /// The methods for which a credential is held, whether or not it was offered.
    public var methodsHeld: [String] = []
    /// SSH_MSG_USERAUTH_BANNER, all of them, truncated to 4096 bytes.
    public var banner: String?
    /// The part of `banner` that came after the last credential was offered: the server's answer to that credential. An earlier
    /// banner is a notice to every client.
    public var bannerAfterAttempt: String?
    /// The text of the server's SSH_MSG_DEBUG messages.
    public var debugMessages: [String] = []
    /// An agent that could not help, where something else could still be offered.
    public var agentProblem: SSHAgentProblem?
    /// Identities that could not be used, where something else could still be offered.
    public var keyProblems: [SSHKeyProblem] = []
    /// The server sent SSH_MSG_USERAUTH_PASSWD_CHANGEREQ.
    public var passwordChangeRequested = false
    /// The server's text in the last keyboard-interactive attempt: titles, instructions and prompts.
    public var prompts: [String] = []

    /// No attempt yet.
    public init() {}
}
