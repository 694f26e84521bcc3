/// One hop of a connection: where it goes, and how to authenticate there.
///
/// A class, because many values share it and a configuration is large.
final class Hop: Sendable {
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration
    /// Where it stands in the chain; nil without jump hosts.
    let place: SSHHopEvidence?
    /// Seconds from its first connect to its identification; nil for the chain's deadline alone.
    let connectTimeout: Duration?

    init(
        endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, place: SSHHopEvidence?, connectTimeout: Duration? = nil
    ) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.place = place
        self.connectTimeout = connectTimeout
    }

    /// The same, as a connection keeps it once it is there.
    var withoutSecrets: Hop {
        guard configuration.hasSecrets else { return self }
        return Hop(
            endpoint: endpoint, configuration: configuration.withoutSecrets, place: place, connectTimeout: connectTimeout)
    }

    /// Its place in the chain: 1 is the nearest to here.
    var number: Int { place?.number ?? 1 }
    /// Whether it is not the destination.
    var isJumpHost: Bool { place?.isJumpHost == true }

    /// The limit of its own, beside the chain's.
    func reachDeadline(beside chain: PausableDeadline) -> PausableDeadline? {
        connectTimeout.map { PausableDeadline(seconds: $0.boundedSeconds, on: chain.eventLoop) }
    }

    /// The hops to an endpoint, the nearest to here first, the endpoint itself last.
    static func hops(to endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) -> [Hop] {
        let hosts = hosts(of: configuration)
        var via: [String] = []
        var hops: [Hop] = []
        for (index, host) in hosts.enumerated() {
            var hostConfiguration = host.configuration
            if index > 0 { hostConfiguration.proxyCommand = nil }
            let place = SSHHopEvidence(number: index + 1, count: hosts.count + 1, via: via)
            hops.append(
                Hop(
                    endpoint: host.endpoint, configuration: hostConfiguration, place: place, connectTimeout: host.connectTimeout))
            via.append(host.endpoint.description)
        }
        let place = via.isEmpty ? nil : SSHHopEvidence(number: via.count + 1, count: via.count + 1, via: via)
        return hops + [Hop(endpoint: endpoint, configuration: configuration, place: place)]
    }

    /// Only how the first one is reached is its own to say: the later ones are reached through those before them.
    private static func hosts(of configuration: SSHConnectionConfiguration) -> [SSHJumpHost] {
        guard let first = configuration.jumpHosts.first else { return [] }
        return hosts(of: first.configuration) + configuration.jumpHosts
    }
}
