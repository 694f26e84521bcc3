package import BridgeSSH

/// The ways to all hosts of a run, found once and before the first of them is begun.
///
/// What ssh's configuration says of hosts is mostly the same but for their names. Such hosts share one configuration, so that ten
/// thousand take hardly more memory than one.
package struct HostReaches: Sendable {
    /// What hosts have in common, still without secrets.
    private struct Way: Sendable {
        var configuration: SSHConnectionConfiguration
        let options: SSHCommandOptions
        let mayAsk: Bool
    }

    /// All that a way is made of.
    private struct Content: Hashable {
        let bytes: [UInt8]
        let mayAsk: Bool

        init(_ way: Way) {
            bytes = FieldCoder.bytes(of: way.configuration) + FieldCoder.bytes(of: way.options)
            mayAsk = way.mayAsk
        }
    }

    /// As many different ways are kept. Hosts beyond them are looked at again when they are begun.
    static let mostWays = 256

    private let hosts: [NamedHost]
    private let numbers: [String: Int]
    private var access: HostAccess
    /// In the order of the hosts.
    package let endpoints: [SSHEndpoint]
    private var ways: [Way] = []
    /// The way to each host; nil for one that is not kept.
    private let places: [Int32?]

    /// How many different ways are kept.
    var wayCount: Int { ways.count }

    /// - Throws: `UsageProblem` for the first host that cannot be reached as its configuration says.
    package init(_ hosts: [NamedHost], _ access: HostAccess) throws {
        var endpoints: [SSHEndpoint] = []
        var ways: [Way] = []
        var places: [Int32?] = []
        var known: [Content: Int32] = [:]
        endpoints.reserveCapacity(hosts.count)
        places.reserveCapacity(hosts.count)
        for host in hosts {
            let reach = try access.unsecuredReach(host)
            endpoints.append(reach.endpoint)
            let way = Way(configuration: reach.configuration, options: reach.options, mayAsk: reach.mayAsk)
            let content = Content(way)
            if known[content] == nil, ways.count < Self.mostWays {
                known[content] = Int32(ways.count)
                ways.append(way)
            }
            places.append(known[content])
        }
        numbers = Dictionary(zip(hosts.lazy.map(\.name), 0...), uniquingKeysWith: { first, _ in first })
        (self.hosts, self.access, self.endpoints, self.ways, self.places) = (hosts, access, endpoints, ways, places)
    }

    /// Settings without effect here that lead to other hosts, each once.
    package var warnings: [String] { access.warnings }

    /// The same ways with the secrets that were asked for in the meantime.
    package func with(_ secrets: HostAccess.Secrets) -> HostReaches {
        var secured = self
        for index in secured.ways.indices { secrets.put(into: &secured.ways[index].configuration) }
        secured.access = access.with(secrets)
        return secured
    }

    /// How ssh is told to reach a host.
    ///
    /// - Throws: `UsageProblem`.
    package func route(_ name: String) throws -> (OpenSSHRoute, SSHCommandOptions, SSHCredentials) {
        try access.route(numbers[name].map { hosts[$0] } ?? NamedHost(name: name))
    }

    /// The way to a host, by its name; a name that is none of the hosts' is looked at as it is.
    ///
    /// - Throws: `UsageProblem`.
    package func reach(_ name: String) throws -> HostAccess.Reach {
        guard let number = numbers[name] else { return try access.reach(NamedHost(name: name)) }
        guard let place = places[number] else { return try access.reach(hosts[number]) }
        let way = ways[Int(place)]
        var configuration = way.configuration
        hosts[number].complete(&configuration)
        return (endpoints[number], configuration, way.options, way.mayAsk)
    }
}
