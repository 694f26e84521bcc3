/// What to do about a host key that is not known. A changed or revoked key is always refused.
public enum HostKeyPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Refuse it.
    case strict
    /// Accept and remember it.
    case acceptNew = "accept-new"
    /// Ask a person; refuse it where nobody can be asked.
    case ask
}
