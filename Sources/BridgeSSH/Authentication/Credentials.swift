/// What to offer in user authentication: in this order, public keys from files, the agent's keys that are none of those,
/// the password, keyboard-interactive.
public struct Credentials: Sendable {
    /// Private key files, in the order in which they are offered.
    public var identities: [Identity] = []
    /// Certificates (CertificateFile of ssh_config(5)), offered before all keys, each with the identity or the agent's key that it
    /// is about; where there are none, the one in `IDENTITY-cert.pub` is offered behind each identity.
    public var certificates: [String] = []
    /// Opens encrypted identities; ``Interaction/passphrase(forKeyAt:)`` is asked where it is nil.
    public var passphrase: Secret?
    /// The agent's unix-domain socket.
    public var agentSocket: String?
    /// Whether only the agent's keys that are also identities are offered (IdentitiesOnly of ssh_config(5)).
    public var identitiesOnly = false
    /// The password, for the methods password and keyboard-interactive. Offered once.
    public var password: Secret?
    /// The methods that may be tried, in the order in which they are; one that is missing is never tried
    /// (PreferredAuthentications of ssh_config(5)).
    public var methods = AuthenticationMethod.allCases
    /// How often a person is asked for a password, 0 or more; also for keyboard-interactive (NumberOfPasswordPrompts). Default 3.
    public var passwordPrompts = 3

    /// Nothing to offer.
    public init() {}
}

/// A way to authenticate (RFC 4252, RFC 4256), by its name on the wire.
public enum AuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    /// A key signs.
    case publicKey = "publickey"
    /// A password is sent.
    case password
    /// The server's questions are answered.
    case keyboardInteractive = "keyboard-interactive"
}

/// A private key file.
public struct Identity: Sendable, Hashable {
    /// Its path.
    public var path: String
    /// Whether it is only tried because `ssh` would try it: a missing or unusable one is then no failure.
    public var isDefault: Bool

    /// A private key file that the user named.
    public init(path: String, isDefault: Bool = false) {
        self.path = path
        self.isDefault = isDefault
    }

    /// The path so that it reads as one, also in a command line: a bare name could be anything.
    var label: String { path.contains("/") ? path : "./" + path }
}

/// A person, or what stands for one. Time spent here counts against no deadline.
///
/// Answering nil means that nobody is there to answer; a thrown error ends the run with it.
public protocol Interaction: Sendable {
    /// Puts an unknown host key to the person; true only for a clear yes.
    func accept(_ question: HostKeyQuestion) async throws -> Bool?
    /// Asks for a key file's passphrase. Asked again, up to twice, when it does not open the key.
    func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> Secret?
    /// Asks for a password (RFC 4252 section 8).
    func password(user: String, host: String) async throws -> Secret?
    /// Answers the questions of keyboard-interactive, one answer each (RFC 4256).
    func answers(to request: PromptRequest, user: String, host: String) async throws -> [Secret]?
}

/// Told of what happens on the way. Called from the connection; must return at once.
public protocol RunObserver: Sendable {
    /// A stage has begun.
    func stageBegan(_ stage: Stage, detail: String)
    /// Something that does not fail the run but that a person may want to know.
    func notice(_ text: String)
    /// A host key was accepted that had not been known, and remembered or not: a person should know. A notice unless it is
    /// implemented.
    func trustChanged(_ text: String)
}

extension RunObserver {
    /// Tells it as any other notice.
    public func trustChanged(_ text: String) { notice(text) }
}
