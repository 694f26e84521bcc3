/// One hop of a connection: its endpoint, and how to authenticate there.
///
/// Shared by many holders, and a configuration is large.
final class Leg: Sendable {
    let endpoint: Endpoint
    let configuration: Configuration
    /// Where it stands in the chain; nil without jump hosts.
    let hop: HopEvidence?
    /// Seconds from its first connect to its identification; nil for the chain's deadline alone.
    let connectTimeout: Double?

    init(endpoint: Endpoint, configuration: Configuration, hop: HopEvidence?, connectTimeout: Double? = nil) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.hop = hop
        self.connectTimeout = connectTimeout
    }

    /// The same, as an established connection keeps it.
    var withoutSecrets: Leg {
        guard configuration.hasSecrets else { return self }
        return Leg(
            endpoint: endpoint, configuration: configuration.withoutSecrets, hop: hop, connectTimeout: connectTimeout)
    }

    /// Its place in the chain: 1 is the nearest.
    var number: Int { hop?.number ?? 1 }
    /// Whether it is not the destination.
    var isJumpHost: Bool { hop?.isJumpHost == true }

    /// Its own time limit, beside the chain's.
    func reachDeadline(beside chain: PausableDeadline) -> PausableDeadline? {
        connectTimeout.map { PausableDeadline(seconds: $0, on: chain.eventLoop) }
    }

    /// The hops to an endpoint, the nearest first, the endpoint itself last.
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
