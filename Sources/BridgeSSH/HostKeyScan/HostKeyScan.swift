/// The host keys that a server shows, and what known_hosts says of each.
///
/// Every key here has signed its key exchange, so the server holds its private half. Only a comparison of fingerprints over
/// another channel can show whose server it is.
public struct HostKeyScan: Sendable, Hashable {
    /// A key that the server has proved to hold.
    public struct Offer: Sendable, Hashable {
        /// The key.
        public let key: HostKey
        /// What known_hosts says of it.
        public let verdict: HostKeyVerdict

        /// A key and what is said of it.
        public init(key: HostKey, verdict: HostKeyVerdict) {
            self.key = key
            self.verdict = verdict
        }
    }

    /// A kind of key that the server lists and of which no key was seen.
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
}

extension SSHClient {
    /// Asks a server for its host key of every type that it lists, one connection a type, and nothing else: no user is
    /// authenticated there, no key is written, and the policy for unknown keys does not matter.
    ///
    /// Jump hosts are passed as for a run, once; their own keys must be known, and their users are authenticated.
    ///
    /// - Parameters:
    ///   - endpoint: the server; the user does not matter.
    ///   - configuration: how it is reached, and the known_hosts files to compare with. Only types of its host key algorithms
    ///     that the loaded libssh2 can verify are asked for.
    /// - Throws: ``SSHError`` if no key could be had at all; what an ``Interaction`` throws.
    public static func hostKeys(of endpoint: Endpoint, configuration: Configuration = Configuration()) async throws -> HostKeyScan
    {
        try await HostKeyScanner(endpoint: endpoint, configuration: configuration).scan()
    }
}
