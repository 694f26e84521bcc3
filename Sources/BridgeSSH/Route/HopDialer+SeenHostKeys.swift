/// Answers of a server that other connections of a run have received.
extension HopDialer {
    /// What decides which key the server presents to this connection; nil if its answers are not shared, or if a program decides.
    ///
    /// - Parameter algorithms: the host key algorithms; nil for those of the configuration.
    func hostKeyRequest(_ algorithms: [String]? = nil) async -> HostKeyRequest? {
        let configuration = hop.configuration
        guard configuration.seenKeys != nil, configuration.knownHostsCommand == nil else { return nil }
        let (name, algorithms) = (hop.trustedName, algorithms ?? configuration.algorithms.hostKey)
        let way = (hop.place?.via ?? []) + [configuration.proxyCommand?.command ?? "", "\(configuration.addressFamily)"]
        return HostKeyRequest(
            server: hop.endpoint.place, way: way,
            algorithms: await knownHosts.lookUp { $0.preferredAlgorithms(host: name.host, port: name.port, from: algorithms) })
    }

    /// The key that the server presented to another connection of the run; from `connect` if there was none.
    func sharedKey(
        _ algorithms: [String]? = nil, _ connect: () async throws -> PresentedKey
    ) async throws -> PresentedKey {
        guard let keys = hop.configuration.seenKeys, let request = await hostKeyRequest(algorithms) else {
            return try await connect()
        }
        if let key = await keys.wait(for: request) { return key }
        do {
            let key = try await connect()
            keys.settle(request, key)
            return key
        } catch {
            keys.settle(request, nil)
            throw error
        }
    }

    /// Fails if this host is refused for the key that its server presented to another host of the run. A host that is refused
    /// whatever the key waits for that answer.
    ///
    /// - Returns: whether others wait for this connection's answer.
    /// - Throws: `SSHError`.
    func checkSeenKeys(_ request: HostKeyRequest) async throws -> Bool {
        guard let keys = hop.configuration.seenKeys else { return false }
        let isRefusedAnyway = await isRefusedAnyway
        let seen = isRefusedAnyway ? await keys.wait(for: request) : keys.seen(request)
        guard let key = seen?.key else { return isRefusedAnyway }
        let name = hop.trustedName
        let verdict = await knownHosts.lookUp { $0.verdict(on: key, host: name.host, port: name.port) }
        guard SSHTrustDecision(policy: trust.policy, verdict: verdict) == .reject else { return false }
        timeline.notice("not connected: another host of this run was shown this key at the same address")
        let recorder = EvidenceRecorder(hop: hop, timeline: timeline)
        var evidence = await recorder.evidence(of: Fault(.hostKeyRejected, stage: .hostKey))
        evidence.hostKey = hostKeyEvidence(key, verdict)
        evidence.hostKeyReceived = true
        throw SSHFailureClassifier.classify(evidence)
    }

    /// Whether no key of the host is known, and an unknown one is not accepted.
    private var isRefusedAnyway: Bool {
        get async {
            guard trust.policy == .strict else { return false }
            let name = hop.trustedName
            return await knownHosts.lookUp { !$0.hasLine(of: [.trusted], for: name.host, port: name.port) }
        }
    }
}
