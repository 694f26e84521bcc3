/// What to offer in user authentication: in this order, public keys from files, the agent's keys that are none of those,
/// the password, keyboard-interactive.
public struct SSHCredentials: Sendable {
    /// Private key files, in the order in which they are offered.
    public var identities: [SSHIdentity]
    /// Certificates (CertificateFile of ssh_config(5)), offered before all keys, each with the identity or the agent's key that
    /// it certifies; if there are none, the one in `IDENTITY-cert.pub` is offered after each identity.
    public var certificates: [String]
    /// Decrypts encrypted identities; if it is nil, ``SSHInteraction/passphrase(forKeyAt:isRetry:)`` is asked.
    public var passphrase: SSHSecret?
    /// The agent's unix-domain socket.
    public var agentSocket: String?
    /// Whether only the agent's keys that are also identities are offered (IdentitiesOnly of ssh_config(5)).
    public var identitiesOnly: Bool
    /// The password, for the methods password and keyboard-interactive. Offered once.
    public var password: SSHSecret?
    /// Decides whether the password is offered; nil for always.
    package var passwordPermit: (any PasswordPermit)?
    /// The methods that may be tried, in the order in which they are; one that is missing is never tried
    /// (PreferredAuthentications of ssh_config(5)).
    public var methods: [SSHAuthenticationMethod]
    /// How often a person is asked for a password, 0 or more; also for keyboard-interactive (NumberOfPasswordPrompts). Default 3.
    public var passwordPrompts: Int

    /// Nothing to offer, but for what is given.
    public init(
        identities: [SSHIdentity] = [], certificates: [String] = [], passphrase: SSHSecret? = nil, agentSocket: String? = nil,
        identitiesOnly: Bool = false, password: SSHSecret? = nil,
        methods: [SSHAuthenticationMethod] = SSHAuthenticationMethod.allCases, passwordPrompts: Int = 3
    ) {
        self.identities = identities
        self.certificates = certificates
        self.passphrase = passphrase
        self.agentSocket = agentSocket
        self.identitiesOnly = identitiesOnly
        self.password = password
        self.methods = methods
        self.passwordPrompts = passwordPrompts
    }
}
