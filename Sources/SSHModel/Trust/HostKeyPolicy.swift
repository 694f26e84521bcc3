/// What to do with a host key that is not known yet (StrictHostKeyChecking of ssh_config(5)).
///
/// None accepts silently.
public enum HostKeyPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only known keys; nothing is ever written.
    case strict
    /// A host that is not known at all is trusted and remembered.
    case acceptNew = "accept-new"
    /// A person decides about an unknown host. Without an ``Interaction`` this is ``strict``.
    case ask

    /// Whether a key may be written, and so a missing file be created.
    package var mayRemember: Bool { self != .strict }
}

/// What follows from a policy and a verdict.
public enum TrustDecision: Sendable, Hashable {
    /// Go on.
    case accept
    /// Go on, and write the key down.
    case acceptAndRemember
    /// A person decides.
    case ask
    /// End the connection before any credential is sent.
    case reject

    /// The decision, a pure function.
    ///
    /// A changed or revoked key is rejected under every policy. So is a key of a type that is not known where other types
    /// are: ssh(1) since 5.7 calls that "changed" too, for an impostor without the known key would offer just that.
    public init(policy: HostKeyPolicy, verdict: HostKeyVerdict) {
        self =
            switch (verdict, policy) {
            case (.trusted, _): .accept
            case (.changed, _), (.revoked, _), (.otherTypeKnown, _), (.unknown, .strict): .reject
            case (.unknown, .acceptNew): .acceptAndRemember
            case (.unknown, .ask): .ask
            }
    }
}
