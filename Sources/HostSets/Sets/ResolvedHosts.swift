/// The hosts of an expression.
public struct ResolvedHosts: Sendable {
    /// The hosts.
    public var hosts: HostSet
    /// Warnings for the user: an empty group, a wildcard without a match.
    public var notices: [String]

    /// Hosts and their warnings.
    public init(hosts: HostSet, notices: [String] = []) {
        self.hosts = hosts
        self.notices = notices
    }
}
