/// The policy for an unknown host key (StrictHostKeyChecking of ssh_config(5)).
///
/// None accepts silently.
public enum SSHHostKeyPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only known keys; nothing is ever written.
    case strict
    /// A host that is not known at all is trusted and remembered.
    case acceptNew = "accept-new"
    /// A person decides about an unknown host. Without an ``SSHInteraction`` this is ``strict``.
    case ask

    /// Whether a key may be written, and so a missing file be created.
    package var mayRemember: Bool { self != .strict }
}
