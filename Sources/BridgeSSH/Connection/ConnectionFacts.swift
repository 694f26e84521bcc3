/// What was learnt on the way to one hop's session, whether it came about or not, and what no evidence of a failure has room for.
struct ConnectionFacts: Sendable, Hashable {
    /// The addresses that the name has, in the resolver's order: `192.0.2.1:22`, `[2001:db8::1]:22`.
    var addresses: [String] = []
    /// What became of each address that was tried, in order.
    var connects: [AddressOutcome] = []
    /// Every public key that was considered, those first that may be offered, in the order in which they are.
    var keys: [ConsideredKey] = []
    /// Whether a password is held; a person may be asked for one besides.
    var holdsPassword = false
    /// Whether the host's name in the line of known_hosts that decided is hashed (HashKnownHosts of ssh_config(5)).
    var hostNameIsHashed = false
    /// Whether the host key was not known before, and was accepted.
    var hostKeyWasNew = false
    /// Seconds from the start of a ProxyCommand until it ran; nil where none was started.
    var proxyStart: Double?
    /// Whether the hop before has opened a channel to this one.
    var isTunnelled = false
    /// Seconds from the first stage to the login, or to the failure.
    var seconds: Double?
    /// How the login went; nil where it did not succeed.
    var login: AuthenticationEvidence?
    /// The host key, once it was accepted and the login had succeeded.
    var hostKey: HostKeyEvidence?
    /// When the last command was sent to the server.
    var commandSentAt: ContinuousClock.Instant?
}

/// What became of one address.
struct AddressOutcome: Sendable, Hashable {
    enum Ending: Sendable, Hashable {
        /// TCP's handshake was completed.
        case open
        /// `connect(2)` failed with this errno.
        case failed(systemError: Int32)
        /// It had not answered when the waiting ended.
        case unanswered
    }
    var address: String
    var result: Ending
    /// From the connect to its result.
    var seconds: Double
}

/// One public key and what is to be done with it.
struct ConsideredKey: Sendable, Hashable {
    enum Use: Sendable, Hashable {
        /// It may be offered.
        case candidate
        /// The identity cannot be used.
        case unusable(KeyProblem)
        /// A default identity that is not there.
        case missing
        /// The agent holds it, and only identities are to be offered.
        case notAnIdentity
        /// It is of a kind that cannot be offered here: a certificate, a security key.
        case unsupported
        /// The same key comes earlier.
        case duplicate
    }
    /// The file's path, or the agent key's comment.
    var label: String
    var isAgents: Bool
    var fingerprint: String?
    var algorithm: String?
    var bits: Int?
    var use: Use

    init(path: String, use: Use) {
        label = path
        isAgents = false
        self.use = use
    }

    init(_ key: SSHPublicKey, label: String, isAgents: Bool, use: Use) {
        self.label = label
        self.isAgents = isAgents
        fingerprint = key.fingerprint
        algorithm = key.algorithm
        bits = key.bits
        self.use = use
    }
}
