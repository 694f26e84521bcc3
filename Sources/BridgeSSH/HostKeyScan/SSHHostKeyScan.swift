/// The host keys that a server presents, and the verdict of known_hosts on each.
///
/// Every key here has signed its key exchange, so the server holds its private half. Only a comparison of fingerprints over
/// another channel can show whose server it is.
public struct SSHHostKeyScan: Sendable, Hashable {
    /// A key whose private half the server has proved to hold.
    public struct Offer: Sendable, Hashable {
        /// The key.
        public let key: SSHHostKey
        /// The verdict of known_hosts.
        public let verdict: SSHHostKeyVerdict

        /// A key and its verdict.
        public init(key: SSHHostKey, verdict: SSHHostKeyVerdict) {
            self.key = key
            self.verdict = verdict
        }
    }

    /// A key type that the server lists but did not show a key of.
    public struct UnavailableKey: Sendable, Hashable {
        /// The key's type, `ssh-rsa` for example.
        public let keyType: String
        /// Why it was not seen, a sentence for people.
        public let reason: String
    }

    /// The name under which known_hosts has the host: the host's own, or a HostKeyAlias.
    public let name: String
    /// The port that goes with it.
    public let port: Int
    /// The keys, in the order in which the server lists their types.
    public let offers: [Offer]
    /// The other types that the server lists.
    public let unavailable: [UnavailableKey]

    package init(name: String, port: Int, offers: [Offer], unavailable: [UnavailableKey]) {
        self.name = name
        self.port = port
        self.offers = offers
        self.unavailable = unavailable
    }
}

extension SSHClient {
    /// Asks a server for its host key of every type that it lists, one connection per type, and nothing else: no user is
    /// authenticated there, no key is written, and the policy for unknown keys does not matter.
    ///
    /// Jump hosts are passed as for a run, once; their own keys must be known, and their users are authenticated.
    ///
    /// - Parameters:
    ///   - endpoint: the server; the user does not matter.
    ///   - configuration: how it is reached, and the known_hosts files to compare with. Only types of its host key algorithms
    ///     that the loaded libssh2 can verify are asked for.
    /// - Throws: ``SSHError`` if no key at all could be obtained; what an ``SSHInteraction`` throws.
    public static func hostKeys(
        of endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration()
    ) async throws -> SSHHostKeyScan {
        try await hostKeys(of: endpoint, configuration: configuration, sharing: nil)
    }

    /// - Parameter hops: jump hosts that are shared with other connections.
    package static func hostKeys(
        of endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, sharing hops: SSHHopPool?
    ) async throws -> SSHHostKeyScan {
        try await HostKeyScanner(endpoint: endpoint, configuration: configuration, sharing: hops).scan()
    }
}

/// Sees a server's host keys, one connection for each type.
struct HostKeyScanner: Sendable {
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration
    private let sharedHops: SSHHopPool?

    private var name: (host: String, port: Int) { configuration.knownHostName(of: endpoint) }

    init(endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, sharing hops: SSHHopPool? = nil) {
        self.endpoint = endpoint
        sharedHops = hops
        var configuration = configuration
        // A scan does not authenticate.
        configuration.credentials = SSHCredentials()
        // What is unknown may be written afterwards, and so the file be created.
        configuration.hostKeyPolicy = .acceptNew
        self.configuration = configuration
    }

    func scan() async throws -> SSHHostKeyScan {
        let timeline = Timeline(observer: configuration.observer, logger: configuration.logger)
        let dialer = Dialer(endpoint: endpoint, configuration: configuration, timeline: timeline, sharedHops: sharedHops)
        return try await dialer.withLastHop { last, reached in
            let first = try await last.presentedKey(after: reached)
            last.deadline.cancel()
            var seen = [SSHHostKey.keyType(ofAlgorithm: first.key.algorithm): first.key]
            var unavailable: [SSHHostKeyScan.UnavailableKey] = []
            let types = Self.types(of: first.listed)
            for type in types where seen[type] == nil {
                let algorithms = first.offered.filter { SSHHostKey.keyType(ofAlgorithm: $0) == type }
                guard !algorithms.isEmpty else {
                    unavailable.append(SSHHostKeyScan.UnavailableKey(keyType: type, reason: reason(for: type)))
                    continue
                }
                do {
                    seen[type] = try await again(last, algorithms, after: reached)
                } catch let error as SSHError where error.code != .localCancelled {
                    unavailable.append(SSHHostKeyScan.UnavailableKey(keyType: type, reason: error.message))
                }
            }
            let order = types.contains(first.key.algorithm) ? types : [first.key.algorithm] + types
            var offers: [SSHHostKeyScan.Offer] = []
            for key in order.compactMap({ seen[$0] }) {
                let verdict = try await last.verdict(on: key)
                offers.append(SSHHostKeyScan.Offer(key: key, verdict: verdict))
            }
            return SSHHostKeyScan(name: name.host, port: name.port, offers: offers, unavailable: unavailable)
        }
    }

    /// Each connection has a clock and a record of its own; the way to it was made already.
    private func again(_ last: HopDialer, _ algorithms: [String], after reached: AuthenticatedHop?) async throws -> SSHHostKey {
        let deadline = configuration.makeDeadline()
        defer { deadline.cancel() }
        var configuration = last.hop.configuration
        configuration.algorithms.hostKey = algorithms
        let hop = Hop(
            endpoint: last.hop.endpoint, configuration: configuration, place: last.hop.place,
            connectTimeout: last.hop.connectTimeout)
        let dialer = HopDialer(
            hop: hop, timeouts: last.timeouts, deadline: deadline, reachDeadline: hop.reachDeadline(beside: deadline),
            timeline: Timeline(
                observer: configuration.observer, logger: configuration.logger, secrets: last.timeline.secrets),
            agent: last.agent,
            publicKeys: last.publicKeys, trust: last.trust, knownHosts: last.knownHosts, refusal: HostKeyRefusal())
        return try await dialer.presentedKey(after: reached).key
    }

    /// The types of the keys that a list of algorithms stands for, each once.
    static func types(of algorithms: [String]) -> [String] {
        var types: [String] = []
        for algorithm in algorithms {
            let type = SSHHostKey.keyType(ofAlgorithm: algorithm)
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// Why a type is not asked for.
    private func reason(for type: String) -> String {
        if PublicKeyAlgorithm.isCertificate(type) { return "It is a host certificate, and certificates are not supported." }
        let isWanted = configuration.algorithms.hostKey.contains { SSHHostKey.keyType(ofAlgorithm: $0) == type }
        if !isWanted { return "Its algorithms are not among those that are enabled (HostKeyAlgorithms)." }
        let remedy = type == PublicKeyAlgorithm.rsa ? "; libssh2 1.11 can" : ""
        return "libssh2 \(Library.version) cannot verify its signatures\(remedy)."
    }
}

extension SSHConnectionConfiguration {
    /// What known_hosts has a host under; an alias stands for the port too.
    package func knownHostName(of endpoint: SSHEndpoint) -> (host: String, port: Int) {
        hostKeyAlias.map { ($0, KnownHostName.standardPort) } ?? (endpoint.host, endpoint.port)
    }
}
