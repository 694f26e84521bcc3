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

    /// The types that the scan did not ask for, because it had what it was to find.
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
    ///   - patience: how long to wait for a server that refuses this address for a while (PerSourcePenalties).
    package static func hostKeys(
        of endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, sharing hops: SSHHopPool?,
        _ extent: HostKeyScanner.KeySelection = .all, patience: Duration = HostKeyScanner.patience
    ) async throws -> SSHHostKeyScan {
        let scanner = HostKeyScanner(endpoint: endpoint, configuration: configuration, sharing: hops)
        return try await scanner.scan(extent, patience: patience)
    }
}

extension SSHConnectionConfiguration {
    /// The host's name in known_hosts. An alias replaces the port too.
    package func knownHostName(of endpoint: SSHEndpoint) -> (host: String, port: Int) {
        hostKeyAlias.map { ($0, KnownHostName.standardPort) } ?? (endpoint.host, endpoint.port)
    }
}
