internal import Synchronization

/// The host keys that servers presented to the connections of one run. Several hosts of a run may be one server under many names.
/// One connection answers all of them that only need its key, or that would be refused for it.
///
/// OpenSSH 9.8 and later refuse an address for a while if it often connects without logging in (PerSourcePenalties).
package final class SeenHostKeys: Sendable {
    /// What decides which key is presented.
    struct Request: Hashable, Sendable {
        let server: String
        let way: [String]
        /// The host key algorithms, in the order in which they are offered.
        let algorithms: [String]
    }

    private enum State {
        /// A connection is asking, and others wait for its answer.
        case asked([CheckedContinuation<PresentedKey?, Never>])
        case seen(PresentedKey)
        /// No answer came, so each connection asks for itself.
        case failed
    }

    private let states = Mutex<[Request: State]>([:])

    package init() {}

    /// The presented key; nil if none is known yet.
    func seen(_ request: Request) -> PresentedKey? {
        states.withLock { if case .seen(let key)? = $0[request] { key } else { nil } }
    }

    /// The presented key. Waits while another connection asks for it.
    ///
    /// - Returns: nil if the caller has to connect. It must call ``settle(_:_:)`` then, whatever comes of it.
    func wait(for request: Request) async -> PresentedKey? {
        await withCheckedContinuation { continuation in
            let answer: PresentedKey?? = states.withLock { states in
                switch states[request] {
                case nil: states[request] = .asked([])
                case .failed: break
                case .seen(let key): return .some(key)
                case .asked(let waiters):
                    states[request] = .asked(waiters + [continuation])
                    return nil
                }
                return .some(nil)
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Answers those who wait.
    ///
    /// - Parameter key: nil if the server presented none.
    func settle(_ request: Request, _ key: PresentedKey?) {
        let waiters = states.withLock { states -> [CheckedContinuation<PresentedKey?, Never>] in
            let before = states[request]
            if let key { states[request] = .seen(key) } else if case .asked? = before { states[request] = .failed }
            if case .asked(let waiters)? = before { return waiters } else { return [] }
        }
        for waiter in waiters { waiter.resume(returning: key) }
    }
}

extension HopDialer {
    /// What decides which key the server presents to this connection; nil if its answers are not shared, or if a program decides.
    ///
    /// - Parameter algorithms: the host key algorithms; nil for those of the configuration.
    func hostKeyRequest(_ algorithms: [String]? = nil) async -> SeenHostKeys.Request? {
        let configuration = hop.configuration
        guard configuration.seenKeys != nil, configuration.knownHostsCommand == nil else { return nil }
        let (name, algorithms) = (hop.trustedName, algorithms ?? configuration.algorithms.hostKey)
        let way = (hop.place?.via ?? []) + [configuration.proxyCommand?.command ?? "", "\(configuration.addressFamily)"]
        return SeenHostKeys.Request(
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
    func checkSeenKeys(_ request: SeenHostKeys.Request) async throws -> Bool {
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
            return await knownHosts.lookUp { known in
                // A key that is known for port 22 is good for another port too.
                [name.port, KnownHostName.standardPort].allSatisfy { port in
                    !known.lines(for: name.host, port: port).contains { $0.marker == .trusted }
                }
            }
        }
    }
}
