extension SSHClient {
    /// Reads what a connection needs on this machine, for all hops: the key files, the agent's keys, and the known hosts. Uses no network.
    ///
    /// - Throws: ``SSHError``, as a connection would before it reaches out.
    package static func check(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) async throws {
        let timeline = Timeline(observer: nil, secrets: KnownSecrets())
        try await Dialer(endpoint: endpoint, configuration: configuration, timeline: timeline).check()
    }
}
