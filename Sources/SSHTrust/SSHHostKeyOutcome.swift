/// The outcome for a host key.
public enum SSHHostKeyOutcome: Sendable, Hashable {
    /// It was known.
    case trusted(SSHKnownHostsLocation)
    /// It was not known, was accepted, and is known from now on.
    case remembered(SSHKnownHostsLocation)
    /// It was unknown and was accepted, but could not be written to known_hosts; as with ssh(1) the connection continues, with a
    /// notice.
    case acceptedOnce(SSHKnownHostsProblem)
    /// It is not trusted: the connection must end before any credential is sent.
    case rejected(SSHHostKeyVerdict)
}
