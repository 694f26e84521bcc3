/// The decision that follows from a policy and a verdict.
public enum SSHTrustDecision: Sendable, Hashable {
    /// Continue.
    case accept
    /// Continue, and write the key to known_hosts.
    case acceptAndRemember
    /// A person decides.
    case ask
    /// End the connection before a credential is sent.
    case reject

    /// Makes the decision; a pure function.
    ///
    /// Every policy rejects a changed or revoked key. Every policy also rejects a key of an unknown type if keys of other types
    /// are known: an impostor without the known key would offer such a key. ssh(1) since 5.7 calls that "changed" too.
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

/// The policy for an unknown host key (StrictHostKeyChecking of ssh_config(5)).
///
/// No policy accepts a key silently.
public enum SSHHostKeyPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only known keys are accepted, and nothing is written to known_hosts.
    case strict
    /// The key of an unknown host is accepted and written to known_hosts. A key that cannot be written is not accepted.
    case acceptNew = "accept-new"
    /// A person decides about the key of an unknown host. Without an ``SSHInteraction`` this is ``strict``.
    case ask

    /// Whether a key may be written to known_hosts, creating the file if it is missing.
    package var mayRemember: Bool { self != .strict }
}
