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
