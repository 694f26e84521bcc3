/// A host key, and how the run that made a connection came to accept it: what another run has to know before it uses that
/// connection.
package struct KeptHostKey: Sendable, Hashable {
    package enum Acceptance: String, Sendable {
        /// It was known, or has been remembered.
        case known
        /// A person has accepted it, and it could not be remembered.
        case person
        /// The policy has accepted it, and it could not be remembered.
        case policy
    }

    package var key: SSHHostKey
    package var acceptance: Acceptance

    package init(_ key: SSHHostKey, _ acceptance: Acceptance) {
        self.key = key
        self.acceptance = acceptance
    }

    /// Whether a run would have accepted the key by itself.
    ///
    /// - Parameters:
    ///   - policy: the run's; `ask` where it can ask a person.
    ///   - verdict: what its known_hosts say of the key now.
    package func serves(_ policy: SSHHostKeyPolicy, _ verdict: SSHHostKeyVerdict) -> Bool {
        switch SSHTrustDecision(policy: policy, verdict: verdict) {
        case .accept: true
        case .reject: false
        // One that was known and is not any more has been taken out of the file.
        case .acceptAndRemember: acceptance != .known
        case .ask: acceptance == .person
        }
    }
}

extension KeptHostKey: FieldCoded {
    package static var blank: KeptHostKey { KeptHostKey(.blank, .policy) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&key)
        try coder.code(name: &acceptance)
    }
}

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
