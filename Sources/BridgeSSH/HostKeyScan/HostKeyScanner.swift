/// Collects a server's host keys, one connection per type.
struct HostKeyScanner: Sendable {
    let endpoint: Endpoint
    let configuration: Configuration

    private var name: (host: String, port: Int) { configuration.knownHostName(of: endpoint) }

    init(endpoint: Endpoint, configuration: Configuration) {
        self.endpoint = endpoint
        var configuration = configuration
        // A scan does not authenticate.
        configuration.credentials = Credentials()
        // What is unknown may be written afterwards, and so the file be created.
        configuration.hostKeyPolicy = .acceptNew
        self.configuration = configuration
    }

    func scan() async throws -> HostKeyScan {
        let timeline = Timeline(observer: configuration.observer, logger: configuration.logger)
        let dialer = Dialer(endpoint: endpoint, configuration: configuration, timeline: timeline)
        return try await dialer.withLastLeg { last, reached in
            let first = try await last.presentedKey(after: reached)
            last.deadline.cancel()
            var seen = [HostKey.keyType(ofAlgorithm: first.key.algorithm): first.key]
            var unseen: [HostKeyScan.Unseen] = []
            let types = Self.types(of: first.listed)
            for type in types where seen[type] == nil {
                let algorithms = first.offered.filter { HostKey.keyType(ofAlgorithm: $0) == type }
                guard !algorithms.isEmpty else {
                    unseen.append(HostKeyScan.Unseen(keyType: type, reason: reason(for: type)))
                    continue
                }
                do {
                    seen[type] = try await again(last, algorithms, after: reached)
                } catch let error as SSHError where error.code != .localCancelled {
                    unseen.append(HostKeyScan.Unseen(keyType: type, reason: error.message))
                }
            }
            let order = types.contains(first.key.algorithm) ? types : [first.key.algorithm] + types
            var offers: [HostKeyScan.Offer] = []
            for key in order.compactMap({ seen[$0] }) {
                let verdict = try await last.verdict(on: key)
                offers.append(HostKeyScan.Offer(key: key, verdict: verdict))
            }
            return HostKeyScan(name: name.host, port: name.port, offers: offers, unseen: unseen)
        }
    }

    /// Each connection has its own clock and record; the path to the server exists already.
    private func again(_ last: LegDialer, _ algorithms: [String], after reached: Passage?) async throws -> HostKey {
        let deadline = PausableDeadline(seconds: configuration.timeouts.connect)
        defer { deadline.cancel() }
        var configuration = last.leg.configuration
        configuration.algorithms.hostKey = algorithms
        let leg = Leg(
            endpoint: last.leg.endpoint, configuration: configuration, hop: last.leg.hop,
            connectTimeout: last.leg.connectTimeout)
        let dialer = LegDialer(
            leg: leg, timeouts: last.timeouts, deadline: deadline, reachDeadline: leg.reachDeadline(beside: deadline),
            timeline: Timeline(
                observer: configuration.observer, logger: configuration.logger, secrets: last.timeline.secrets),
            agent: last.agent,
            publicKeys: last.publicKeys, trust: last.trust, knownHosts: last.knownHosts)
        return try await dialer.presentedKey(after: reached).key
    }

    /// The types of the keys that a list of algorithms stands for, each once.
    static func types(of algorithms: [String]) -> [String] {
        var types: [String] = []
        for algorithm in algorithms {
            let type = HostKey.keyType(ofAlgorithm: algorithm)
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// Why no key of a type is requested.
    private func reason(for type: String) -> String {
        if PublicKeyAlgorithm.isCertificate(type) { return "It is a host certificate, and certificates are not supported." }
        let isWanted = configuration.algorithms.hostKey.contains { HostKey.keyType(ofAlgorithm: $0) == type }
        if !isWanted { return "Its algorithms are not among those that are enabled (HostKeyAlgorithms)." }
        let remedy = type == PublicKeyAlgorithm.rsa ? "; libssh2 1.11 can" : ""
        return "libssh2 \(Library.version) cannot verify its signatures\(remedy)."
    }
}

extension Configuration {
    /// The name that known_hosts has for a host; an alias replaces the port too.
    package func knownHostName(of endpoint: Endpoint) -> (host: String, port: Int) {
        hostKeyAlias.map { ($0, KnownHostName.standardPort) } ?? (endpoint.host, endpoint.port)
    }
}
