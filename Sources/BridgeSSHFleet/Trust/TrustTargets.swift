package import BridgeSSH

/// The servers whose host keys are looked at before a fleet's hosts are begun: each once.
package struct TrustTargets: Sendable {
    /// Which servers are looked at.
    package enum Choice: Sendable {
        /// All hosts, and jump hosts that are not known.
        case all
        /// Hosts and jump hosts that are not known, and about which a person would be asked.
        case questionable
    }

    private let choice: Choice
    private let known: KnownHostsLookUp
    private var indices: [TrustTarget.Identity: (round: Int, index: Int)] = [:]
    /// The servers, in rounds: what is behind a jump host can be reached once its key is known. The hosts are the last round.
    private var byDepth: [[TrustTarget]] = []
    private var hosts: [TrustTarget] = []

    /// The mark of the last round.
    private static let last = -1

    package init(_ choice: Choice, _ known: KnownHostsLookUp = KnownHostsLookUp()) {
        self.choice = choice
        self.known = known
    }

    /// The rounds in their order, none of them empty.
    package var rounds: [[TrustTarget]] { (byDepth + [hosts]).filter { !$0.isEmpty } }

    /// Adds a host and the jump hosts on the way to it, as far as they are to be looked at.
    package mutating func add(_ host: String, _ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
        for (depth, jumpHost) in configuration.jumpHosts.enumerated() {
            var own = jumpHost.configuration
            own.jumpHosts = Array(configuration.jumpHosts.prefix(depth))
            guard !known.isKnown(jumpHost.endpoint, own), choice == .all || own.hostKeyPolicy == .ask else { continue }
            while byDepth.count <= depth { byDepth.append([]) }
            add(jumpHost.endpoint.name, jumpHost.endpoint, own, round: depth)
        }
        guard choice == .all || configuration.hostKeyPolicy == .ask && !known.isKnown(endpoint, configuration) else { return }
        add(host, endpoint, configuration, round: Self.last)
    }

    private mutating func add(
        _ host: String, _ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, round: Int
    ) {
        let identity = TrustTarget.Identity(endpoint, configuration)
        if let place = indices[identity], place.round == round {
            if round == Self.last { hosts[place.index].add(host) } else { byDepth[round][place.index].add(host) }
            return
        }
        let target = TrustTarget(host, endpoint, configuration)
        if round == Self.last {
            indices[identity] = (round, hosts.count)
            hosts.append(target)
        } else {
            indices[identity] = (round, byDepth[round].count)
            byDepth[round].append(target)
        }
    }
}
