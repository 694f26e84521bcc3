/// The credentials for user authentication.
///
/// They are offered in this order: public keys from files, the agent's other keys, the password, keyboard-interactive.
public struct SSHCredentials: Sendable {
    /// Private key files, in the order in which they are offered.
    public var identities: [SSHIdentity]
    /// Certificate files (CertificateFile of ssh_config(5)). They are offered before all keys, each with the identity or the
    /// agent's key that it certifies. If the list is empty, the certificate in `IDENTITY-cert.pub` is offered after each
    /// identity.
    public var certificates: [String]
    /// The passphrase of encrypted identities. If it is nil, ``SSHInteraction/passphrase(forKeyAt:isRetry:)`` is called.
    public var passphrase: SSHSecret?
    /// The agent's unix-domain socket.
    public var agentSocket: String?
    /// Whether only the agent's keys that are also identities are offered (IdentitiesOnly of ssh_config(5)).
    public var identitiesOnly: Bool
    /// The password, for the methods password and keyboard-interactive. Offered once.
    public var password: SSHSecret?
    /// Decides whether the password is offered. If nil, it always is.
    package var passwordPermit: (any PasswordPermit)?
    /// The signature algorithms with which a key may be offered (PubkeyAcceptedAlgorithms of ssh_config(5)); nil for all.
    package var acceptedAlgorithms: [String]?
    /// The permitted methods, in the order in which they are tried (PreferredAuthentications of ssh_config(5)). Other methods
    /// are never tried.
    public var methods: [SSHAuthenticationMethod]
    /// How often a person is asked for a password, 0 or more; also for keyboard-interactive (NumberOfPasswordPrompts). Default
    /// 3.
    public var passwordPrompts: Int

    /// Makes credentials of the given parts; by default there are none.
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

/// A way to authenticate (RFC 4252, RFC 4256), by its name on the wire.
public enum SSHAuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    /// Authentication by a signature with a private key.
    case publicKey = "publickey"
    /// Authentication by a password that is sent to the server.
    case password
    /// Authentication by answers to the server's questions.
    case keyboardInteractive = "keyboard-interactive"
}

/// Decides whether the password is offered to one host, and learns the result.
///
/// The same wrong password, offered to many hosts, would lock as many accounts.
package protocol PasswordPermit: Sendable {
    /// Called before the password is offered for the first time in a connection. Time spent here counts against no deadline.
    func mayOffer() async -> Bool
    /// The permitted password was not offered, and will not be offered on this connection.
    func unused() async
    /// The server has accepted or refused the password.
    ///
    /// Not called if the connection ends without an answer. The server may have counted a failed attempt even so.
    func answered(accepted: Bool) async
}
