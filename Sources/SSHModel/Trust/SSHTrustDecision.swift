/// The decision that follows from a policy and a verdict.
public enum SSHTrustDecision: Sendable, Hashable {
    /// Continue.
    case accept
    /// Continue, and write the key to known_hosts.
    case acceptAndRemember
    /// A person decides.
    case ask
    /// End the connection before any credential is sent.
    case reject

    /// The decision, a pure function.
    ///
    /// A changed or revoked key is rejected under every policy. So is a key of a type that is not known where other types
    /// are: ssh(1) since 5.7 calls that "changed" too, for an impostor without the known key would offer just that.
    public init(policy: SSHHostKeyPolicy, verdict: SSHHostKeyVerdict) {
        self =
            switch (verdict, policy) {
            case (.trusted, _): .accept
            case (.changed, _), (.revoked, _), (.otherTypeKnown, _), (.unknown, .strict): .reject
            case (.unknown, .acceptNew): .acceptAndRemember
            case (.unknown, .ask): .ask
            }
    }
}
