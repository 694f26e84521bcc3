/// An ordered set of hosts: each name once, in the order of the expression.
public struct HostSet: Sendable, Hashable {
    /// The hosts.
    public let hosts: [FleetHost]

    /// An empty set.
    public init() { hosts = [] }

    init(unique hosts: [FleetHost]) { self.hosts = hosts }

    /// The hosts of an expression: `web[01-20],@db!db7`.
    ///
    /// - Throws: ``HostSetProblem``. ``HostSources/resolve(_:)`` also returns notices.
    public init(_ expression: String, sources: HostSources = .none) throws {
        self = try sources.resolve(expression).hosts
    }

    /// Hosts in the given order. A repeated host counts once.
    ///
    /// - Throws: ``HostSetProblem`` if a host has two different ports or users, or if there are too many hosts.
    public init(_ hosts: some Sequence<FleetHost>) throws {
        var accumulator = HostAccumulator()
        accumulator.reserve(hosts.underestimatedCount)
        for host in hosts { try accumulator.add(host) }
        self.hosts = accumulator.hosts
    }

    /// The names, without users and ports.
    public var names: [String] { hosts.map(\.name) }

    /// One expression for all hosts: `r[1-4]n[01-16],web1`. It does not depend on the order of the hosts, and resolves to the
    /// same hosts.
    public var folded: String {
        hosts.count == 1 ? hosts[0].description : NameFolder(hosts.map(\.description)).folded()
    }
}

extension HostSet: RandomAccessCollection {
    /// The index of the first host.
    public var startIndex: Int { 0 }
    /// The index after the last host.
    public var endIndex: Int { hosts.count }
    /// The host at an index.
    public subscript(position: Int) -> FleetHost { hosts[position] }
}

extension HostSet: CustomStringConvertible {
    /// The folded expression.
    public var description: String { folded }
}
