/// The host keys that a server presents, and the verdict of known_hosts on each.
///
/// Each key has signed its key exchange, so the server holds the private half. But only a comparison of fingerprints over another
/// channel shows whose server it is.
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

    /// A key type that the server lists without presenting a key of it.
    public struct UnavailableKey: Sendable, Hashable {
        /// The key type, such as `ssh-rsa`.
        public let keyType: String
        /// Why no key was obtained, as a sentence.
        public let reason: String
    }

    /// The host's name in known_hosts: its own name, or a HostKeyAlias.
    public let name: String
    /// The port for that name.
    public let port: Int
    /// The keys, in the server's order of their types.
    public let offers: [Offer]
    /// The other types that the server lists.
    public let unavailable: [UnavailableKey]

    /// The types that the scan did not ask for, because it had already found the requested keys.
    package let unasked: [String]

    package init(name: String, port: Int, offers: [Offer], unavailable: [UnavailableKey], unasked: [String] = []) {
        self.name = name
        self.port = port
        self.offers = offers
        self.unavailable = unavailable
        self.unasked = unasked
    }
}

extension SSHClient {
    /// Asks a server for its host key of every type that it lists, with one connection per type. No user is authenticated, no key
    /// is written, and the policy for unknown keys is ignored.
    ///
    /// Jump hosts are passed once, as for a run: their keys must be known, and their users are authenticated.
    ///
    /// OpenSSH 9.8 and later refuse an address for a while if it often connects without logging in (PerSourcePenalties). So
    /// connections to one server are paced, and if the server refuses this address, the scan waits for at most a minute.
    ///
    /// - Parameters:
    ///   - endpoint: the server; the user is ignored.
    ///   - configuration: how to reach the server, and the known_hosts files for the comparison. Only types that its host key
    ///     algorithms include and the loaded libssh2 can verify are requested.
    /// - Throws: ``SSHError`` if no key could be obtained; errors of an ``SSHInteraction``.
    public static func hostKeys(
        of endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration()
    ) async throws -> SSHHostKeyScan {
        try await hostKeys(of: endpoint, configuration: configuration, sharing: nil)
    }

    /// - Parameters:
    ///   - hops: jump hosts shared with other connections.
    ///   - extent: how many keys to ask for, each with one connection.
    ///   - timeLimit: how long to wait for a server that refuses this address for a while (PerSourcePenalties).
    package static func hostKeys(
        of endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, sharing hops: SSHHopPool?,
        _ extent: HostKeyScanner.KeySelection = .all, timeLimit: Duration = HostKeyScanner.timeLimit
    ) async throws -> SSHHostKeyScan {
        let scanner = HostKeyScanner(endpoint: endpoint, configuration: configuration, sharing: hops)
        return try await scanner.scan(extent, timeLimit: timeLimit)
    }
}

extension SSHConnectionConfiguration {
    /// The host's name in known_hosts. An alias replaces the port too.
    package func knownHostName(of endpoint: SSHEndpoint) -> (host: String, port: Int) {
        hostKeyAlias.map { ($0, KnownHostName.standardPort) } ?? (endpoint.host, endpoint.port)
    }
}

/// Obtains a server's host keys, with one connection per key type.
package struct HostKeyScanner: Sendable {
    /// Longer than a penalty with OpenSSH's default settings.
    package static let timeLimit = Duration.seconds(60)

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
        // Unknown keys may be written afterwards, and the file may be created then.
        configuration.hostKeyPolicy = .acceptNew
        self.configuration = configuration
    }

    /// How many keys a scan asks for.
    package enum KeySelection: Sendable {
        /// The key that a login would see.
        case first
        /// Keys, until all with these fingerprints are found.
        case until(fingerprints: [String])
        /// Keys, until one with one of these fingerprints is found.
        case untilAny(of: Set<String>)
        /// The key of every type.
        case all

        fileprivate func isReached(_ keys: some Collection<SSHHostKey>) -> Bool {
            switch self {
            case .first: true
            case .until(let wanted): wanted.allSatisfy { fingerprint in keys.contains { $0.fingerprint == fingerprint } }
            case .untilAny(let wanted): keys.contains { wanted.contains($0.fingerprint) }
            case .all: false
            }
        }
    }

    func scan(_ extent: KeySelection, timeLimit: Duration) async throws -> SSHHostKeyScan {
        let timeline = Timeline(observer: configuration.observer, logger: configuration.logger)
        let dialer = Dialer(endpoint: endpoint, configuration: configuration, timeline: timeline, sharedHops: sharedHops)
        let pace = ScanPace(of: endpoint, timeLimit: timeLimit, timeline)
        return try await dialer.withLastHop { last, reached in
            let first = try await last.sharedKey {
                try await pace.perform(last.deadline) { attempt in
                    attempt == 1 ? try await last.presentedKey(after: reached) : try await again(last, nil, after: reached)
                }
            }
            last.deadline.cancel()
            pace.note(first.software)
            var seen = [SSHHostKey.keyType(ofAlgorithm: first.key.algorithm): first.key]
            var unavailable: [SSHHostKeyScan.UnavailableKey] = []
            var unasked: [String] = []
            let types = Self.types(of: first.listed)
            for type in types where seen[type] == nil {
                let algorithms = first.offered.filter { SSHHostKey.keyType(ofAlgorithm: $0) == type }
                guard !extent.isReached(seen.values) else {
                    if !algorithms.isEmpty { unasked.append(type) }
                    continue
                }
                guard !algorithms.isEmpty else {
                    unavailable.append(SSHHostKeyScan.UnavailableKey(keyType: type, reason: reason(for: type)))
                    continue
                }
                do {
                    let other = try await last.sharedKey(algorithms) {
                        try await pace.perform { _ in try await again(last, algorithms, after: reached) }
                    }
                    seen[type] = other.key
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
            return SSHHostKeyScan(name: name.host, port: name.port, offers: offers, unavailable: unavailable, unasked: unasked)
        }
    }

    /// Connects again, with a new deadline and timeline. The route to the server is reused.
    ///
    /// - Parameter algorithms: the host key algorithms to offer; nil for all.
    private func again(_ last: HopDialer, _ algorithms: [String]?, after reached: AuthenticatedHop?) async throws -> PresentedKey
    {
        let deadline = configuration.makeDeadline()
        defer { deadline.cancel() }
        var configuration = last.hop.configuration
        if let algorithms { configuration.algorithms.hostKey = algorithms }
        let hop = Hop(
            endpoint: last.hop.endpoint, configuration: configuration, place: last.hop.place,
            connectTimeout: last.hop.connectTimeout)
        let dialer = HopDialer(
            hop: hop, timeouts: last.timeouts, deadline: deadline, reachDeadline: hop.reachDeadline(beside: deadline),
            timeline: Timeline(
                observer: configuration.observer, logger: configuration.logger, secrets: last.timeline.secrets),
            agent: last.agent,
            publicKeys: last.publicKeys, trust: last.trust, knownHosts: last.knownHosts, refusal: HostKeyRefusal())
        return try await dialer.presentedKey(after: reached)
    }

    /// The key types for a list of algorithms, without duplicates.
    static func types(of algorithms: [String]) -> [String] {
        var types: [String] = []
        for algorithm in algorithms {
            let type = SSHHostKey.keyType(ofAlgorithm: algorithm)
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// Why a key type is not requested.
    private func reason(for type: String) -> String {
        if PublicKeyAlgorithm.isCertificate(type) { return "It is a host certificate, and certificates are not supported." }
        let isWanted = configuration.algorithms.hostKey.contains { SSHHostKey.keyType(ofAlgorithm: $0) == type }
        if !isWanted { return "Its algorithms are not among those that are enabled (HostKeyAlgorithms)." }
        let remedy = type == PublicKeyAlgorithm.rsa ? "; libssh2 1.11 can" : ""
        return "libssh2 \(Library.version) cannot verify its signatures\(remedy)."
    }
}
