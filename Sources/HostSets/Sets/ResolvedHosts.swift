/// The hosts of an expression.
public struct ResolvedHosts: Sendable {
    /// The hosts.
    public var hosts: HostSet
    /// What the person should know: a group that is empty, a wildcard that matches nothing.
    public var notices: [String]

    /// Hosts, and what there is to say about them.
    public init(hosts: HostSet, notices: [String] = []) {
        self.hosts = hosts
        self.notices = notices
    }
}
