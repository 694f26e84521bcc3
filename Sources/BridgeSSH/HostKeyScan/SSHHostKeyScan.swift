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
    /// OpenSSH 9.8 and later refuse an address for a while that connects often without a login (PerSourcePenalties): connections
    /// to one server are paced, and a server that refuses this address is waited for, a minute at most.
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

    /// - Parameters:
    ///   - hops: jump hosts that are shared with other connections.
    ///   - onlyFirst: whether one key is enough, the one that a login would see: one connection.
    ///   - patience: how long a server that refuses this address for a while (PerSourcePenalties) is waited for.
    package static func hostKeys(
        of endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, sharing hops: SSHHopPool?, onlyFirst: Bool = false,
        patience: Duration = HostKeyScanner.patience
    ) async throws -> SSHHostKeyScan {
        let scanner = HostKeyScanner(endpoint: endpoint, configuration: configuration, sharing: hops)
        return try await scanner.scan(onlyFirst: onlyFirst, patience: patience)
    }
}

extension SSHConnectionConfiguration {
    /// What known_hosts has a host under; an alias stands for the port too.
    package func knownHostName(of endpoint: SSHEndpoint) -> (host: String, port: Int) {
        hostKeyAlias.map { ($0, KnownHostName.standardPort) } ?? (endpoint.host, endpoint.port)
    }
}
