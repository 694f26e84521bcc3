extension SSHConnectionConfiguration {
    /// Why a run of this configuration must not use a connection that another has made; nil where it may.
    ///
    /// The identity of a connection has the names of the files that decide on host keys, not what is in them, and not the policy: so
    /// each run looks at the keys for itself.
    ///
    /// - Parameters:
    ///   - keys: those that the connection has accepted, the nearest hop's first.
    ///   - endpoint: the destination.
    package func objection(to keys: [KeptHostKey], of endpoint: SSHEndpoint) async -> String? {
        let hops = Hop.hops(to: endpoint, self)
        guard hops.count == keys.count else { return "it does not say which host keys it has accepted" }
        for (hop, kept) in zip(hops, keys) {
            do {
                let trust = hop.trust(asking: { _ in false })
                let knownHosts = try await hop.knownHosts(
                    hop.loadKnownHosts(by: trust), judging: kept.key, within: timeouts.connect.boundedSeconds)
                let name = hop.trustedName
                let verdict = await knownHosts.lookUp { $0.verdict(on: kept.key, host: name.host, port: name.port) }
                guard kept.serves(trust.policy, verdict) else {
                    return "this run would not accept the host key of \(hop.endpoint.label), \(kept.key.fingerprint), by itself"
                }
            } catch {
                return "the host key of \(hop.endpoint.label) cannot be looked up by this run"
            }
        }
        return nil
    }
}
