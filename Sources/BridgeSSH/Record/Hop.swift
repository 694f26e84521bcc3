/// One hop of a connection: its endpoint, and how to authenticate there.
///
/// A class, because many values share it and a configuration is large.
final class Hop: Sendable {
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration
    /// The position in the chain; nil without jump hosts.
    let place: SSHHopEvidence?
    /// The time limit in seconds from its first connect to its identification; nil to apply only the chain's deadline.
    let connectTimeout: Duration?

    init(
        endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, place: SSHHopEvidence?, connectTimeout: Duration? = nil
    ) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.place = place
        self.connectTimeout = connectTimeout
    }

    /// The hop without secrets, for an established connection.
    var withoutSecrets: Hop {
        guard configuration.hasSecrets else { return self }
        return Hop(
            endpoint: endpoint, configuration: configuration.withoutSecrets, place: place, connectTimeout: connectTimeout)
    }

    /// The position in the chain: 1 is the nearest.
    var number: Int { place?.number ?? 1 }
    /// Whether the hop is not the destination.
    var isJumpHost: Bool { place?.isJumpHost == true }

    /// The hop's own deadline, besides the chain's.
    func reachDeadline(beside chain: PausableDeadline) -> PausableDeadline? {
        connectTimeout.map { PausableDeadline(seconds: $0.boundedSeconds, on: chain.eventLoop) }
    }

    /// The hops to an endpoint, the nearest first; the endpoint is the last.
    static func hops(to endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) -> [Hop] {
        let hosts = hosts(of: configuration)
        var via: [String] = []
        var hops: [Hop] = []
        for (index, host) in hosts.enumerated() {
            var hostConfiguration = host.configuration
            if index > 0 { hostConfiguration.proxyCommand = nil }
            let place = SSHHopEvidence(number: index + 1, count: hosts.count + 1, via: via)
            hops.append(
                Hop(
                    endpoint: host.endpoint, configuration: hostConfiguration, place: place, connectTimeout: host.connectTimeout))
            via.append(host.endpoint.description)
        }
        let place = via.isEmpty ? nil : SSHHopEvidence(number: via.count + 1, count: via.count + 1, via: via)
        return hops + [Hop(endpoint: endpoint, configuration: configuration, place: place)]
    }

    /// Only the first jump host's own jump hosts are used: the later ones are reached through the previous hop.
    private static func hosts(of configuration: SSHConnectionConfiguration) -> [SSHJumpHost] {
        guard let first = configuration.jumpHosts.first else { return [] }
        return hosts(of: first.configuration) + configuration.jumpHosts
    }
}

/// The carrier of a session's bytes.
enum Path: Sendable {
    /// A TCP connection.
    case network
    /// A ProxyCommand.
    case proxy(ProxyProcess)
    /// A channel of the previous hop's session.
    case hop(AuthenticatedHop)

    /// Closes what the session depended on: the earlier hops, the nearest to the session first. The session itself is closed
    /// already.
    func close() async {
        switch self {
        case .network: break
        case .proxy(let process): await process.end()
        case .hop(let jumpHost): await jumpHost.close()
        }
    }
}

/// A jump host with an authenticated session, as used by one connection.
final class AuthenticatedHop: Sendable {
    let session: Session
    let recorder: EvidenceRecorder
    /// Returns a shared session; nil if the session belongs to one connection only.
    private let giveBack: (@Sendable () async -> Void)?

    init(session: Session, recorder: EvidenceRecorder, giveBack: (@Sendable () async -> Void)? = nil) {
        self.session = session
        self.recorder = recorder
        self.giveBack = giveBack
    }

    /// Whether other connections may use the session too.
    var isShared: Bool { giveBack != nil }

    /// The same session for another connection. Its errors refer to that connection's chain and timeline.
    ///
    /// - Parameters:
    ///   - hops: that connection's hops, up to this one.
    ///   - giveBack: called when that connection is closed.
    func lent(
        along hops: ArraySlice<Hop>, _ timeline: Timeline, giveBack: @escaping @Sendable () async -> Void
    ) -> AuthenticatedHop {
        let hop = hops.last ?? recorder.hop
        var path = recorder.path
        if case .hop(let previous) = path { path = .hop(previous.lent(along: hops.dropLast(), timeline) {}) }
        timeline.secrets.add(recorder.timeline.secrets)
        // Read before writing: the two timelines may be the same, and a write locks it.
        let facts = recorder.timeline.facts(of: recorder.hop)
        timeline.note(hop) { $0 = facts }
        return AuthenticatedHop(
            session: session, recorder: EvidenceRecorder(hop: hop, timeline: timeline, path: path), giveBack: giveBack)
    }

    func close() async {
        if let giveBack { return await giveBack() }
        await recorder.learnHostKeys(on: session, isLast: true)
        await session.close()
        await recorder.path.close()
    }

    /// Whether this host, or an earlier one, refused a credential that another attempt would offer again.
    var hasRefused: Bool {
        get async {
            if await session.authentication.repeatsRefusedOffer { return true }
            guard case .hop(let previous) = recorder.path else { return false }
            return await previous.hasRefused
        }
    }
}

/// An accepted host key, and who accepted it. Another run needs both before it uses the connection.
package struct KeptHostKey: Sendable, Hashable {
    package enum Acceptance: String, Sendable {
        /// The key was known, or was stored.
        case known
        /// A person accepted the key, but it could not be stored.
        case person
        /// The policy accepted the key, but it could not be stored.
        case policy
    }

    package var key: SSHHostKey
    package var acceptance: Acceptance

    package init(_ key: SSHHostKey, _ acceptance: Acceptance) {
        self.key = key
        self.acceptance = acceptance
    }

    /// Whether another run would accept the key on its own.
    ///
    /// - Parameters:
    ///   - policy: the run's policy; `ask` if it can ask a person.
    ///   - verdict: the present verdict of its known_hosts.
    package func isAcceptable(under policy: SSHHostKeyPolicy, verdict: SSHHostKeyVerdict) -> Bool {
        switch SSHTrustDecision(policy: policy, verdict: verdict) {
        case .accept: true
        case .reject: false
        // A key that was known, and is now missing, was removed from the file.
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
