/// One hop of a connection: where it goes, and how to be let in there.
struct Leg: Sendable {
    let endpoint: Endpoint
    var configuration: Configuration
    /// Where it stands in the chain; nil without jump hosts.
    var hop: HopEvidence?
    /// Seconds from its first connect to its identification; nil for the chain's deadline alone.
    var connectTimeout: Double?

    /// Its place in the chain: 1 is the nearest to here.
    var number: Int { hop?.number ?? 1 }
    /// Whether it is not the destination.
    var isJumpHost: Bool { hop?.isJumpHost == true }

    /// The limit of its own, beside the chain's.
    func reachDeadline(beside chain: PausableDeadline) -> PausableDeadline? {
        connectTimeout.map { PausableDeadline(seconds: $0, on: chain.eventLoop) }
    }

    /// The hops to an endpoint, the nearest to here first, the endpoint itself last.
    static func legs(to endpoint: Endpoint, _ configuration: Configuration) -> [Leg] {
        let hosts = hosts(of: configuration)
        var via: [String] = []
        var legs: [Leg] = []
        for (index, host) in hosts.enumerated() {
            var hostConfiguration = host.configuration
            if index > 0 { hostConfiguration.proxyCommand = nil }
            let hop = HopEvidence(number: index + 1, count: hosts.count + 1, via: via)
            legs.append(
                Leg(
                    endpoint: host.endpoint, configuration: hostConfiguration, hop: hop, connectTimeout: host.connectTimeout))
            via.append(host.endpoint.description)
        }
        let hop = via.isEmpty ? nil : HopEvidence(number: via.count + 1, count: via.count + 1, via: via)
        return legs + [Leg(endpoint: endpoint, configuration: configuration, hop: hop)]
    }

    /// Only how the first one is reached is its own to say: the later ones are reached through those before them.
    private static func hosts(of configuration: Configuration) -> [JumpHost] {
        guard let first = configuration.jumpHosts.first else { return [] }
        return hosts(of: first.configuration) + configuration.jumpHosts
    }
}
