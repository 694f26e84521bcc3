/// Facts about one hop's connection, whether it succeeded or not, that the evidence of a failure does not contain.
struct ConnectionFacts: Sendable, Hashable {
    /// The addresses that the name has, in the resolver's order: `192.0.2.1:22`, `[2001:db8::1]:22`.
    var addresses: [String] = []
    /// The outcome of each address that was tried, in order.
    var connects: [AddressOutcome] = []
    /// Every public key that was considered: first those that may be offered, in the order of the offers.
    var keys: [KeyConsideration] = []
    /// Whether a password is held; a person may be asked for one in any case.
    var holdsPassword = false
    /// Whether the host's name in the line of known_hosts that decided is hashed (HashKnownHosts of ssh_config(5)).
    var hostNameIsHashed = false
    /// Whether the host key was not known before, and was accepted.
    var hostKeyWasNew = false
    /// The host key that was accepted, and how; nil before.
    var acceptedKey: KeptHostKey?
    /// Seconds from the start of a ProxyCommand until it ran; nil without one.
    var proxyStart: Double?
    /// Whether the hop before has opened a channel to this one.
    var isTunnelled = false
    /// Seconds from the first stage to the login, or to the failure.
    var seconds: Double?
    /// How the login went; nil where it did not succeed.
    var login: SSHAuthenticationEvidence?
    /// The host key, once it was accepted and the login had succeeded.
    var hostKey: SSHHostKeyEvidence?
    /// When the last command was sent to the server.
    var commandSentAt: MonotonicInstant?
}
