/// One hop of a connection: where it goes, and how to authenticate there.
///
/// A class, because many values share it and a configuration is large.
final class Hop: Sendable {
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration
    /// Where it stands in the chain; nil without jump hosts.
    let place: SSHHopEvidence?
    /// Seconds from its first connect to its identification; nil for the chain's deadline alone.
    let connectTimeout: Duration?

    init(
        endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, place: SSHHopEvidence?, connectTimeout: Duration? = nil
    ) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.place = place
        self.connectTimeout = connectTimeout
    }

    /// The same, as a connection keeps it once it is there.
    var withoutSecrets: Hop {
        guard configuration.hasSecrets else { return self }
        return Hop(
            endpoint: endpoint, configuration: configuration.withoutSecrets, place: place, connectTimeout: connectTimeout)
    }

    /// Its place in the chain: 1 is the nearest to here.
    var number: Int { place?.number ?? 1 }
    /// Whether it is not the destination.
    var isJumpHost: Bool { place?.isJumpHost == true }

    /// The limit of its own, beside the chain's.
    func reachDeadline(beside chain: PausableDeadline) -> PausableDeadline? {
        connectTimeout.map { PausableDeadline(seconds: $0.boundedSeconds, on: chain.eventLoop) }
    }

    /// The hops to an endpoint, the nearest to here first, the endpoint itself last.
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

    /// Only how the first one is reached is its own to say: the later ones are reached through those before them.
    private static func hosts(of configuration: SSHConnectionConfiguration) -> [SSHJumpHost] {
        guard let first = configuration.jumpHosts.first else { return [] }
        return hosts(of: first.configuration) + configuration.jumpHosts
    }
}

/// What a session's bytes go through.
enum Path: Sendable {
    /// A TCP connection.
    case network
    /// A ProxyCommand.
    case proxy(ProxyProcess)
    /// A channel of the session of the hop before.
    case hop(AuthenticatedHop)

    /// Ends what was needed for the session, which is closed already: the hops before it, the nearest to it first.
    func close() async {
        switch self {
        case .network: break
        case .proxy(let process): await process.end()
        case .hop(let jumpHost): await jumpHost.close()
        }
    }
}

/// A jump host with an authenticated session, as one connection uses it.
final class AuthenticatedHop: Sendable {
    let session: Session
    let recorder: EvidenceRecorder
    /// Gives a shared session back; nil where the session belongs to the one connection.
    private let giveBack: (@Sendable () async -> Void)?

    init(session: Session, recorder: EvidenceRecorder, giveBack: (@Sendable () async -> Void)? = nil) {
        self.session = session
        self.recorder = recorder
        self.giveBack = giveBack
    }

    /// Whether other connections may use the session too.
    var isShared: Bool { giveBack != nil }

    /// The same session for another connection: its errors carry that connection's chain, times and notices.
    ///
    /// - Parameters:
    ///   - hops: that connection's hops up to this one.
    ///   - giveBack: called when that connection is closed.
    func lent(
        along hops: ArraySlice<Hop>, _ timeline: Timeline, giveBack: @escaping @Sendable () async -> Void
    ) -> AuthenticatedHop {
        let hop = hops.last ?? recorder.hop
        var path = recorder.path
        if case .hop(let previous) = path { path = .hop(previous.lent(along: hops.dropLast(), timeline) {}) }
        timeline.secrets.add(recorder.timeline.secrets)
        // The two timelines may be one, which is locked while it is changed.
        let facts = recorder.timeline.facts(of: recorder.hop)
        timeline.note(hop) { $0 = facts }
        return AuthenticatedHop(
            session: session, recorder: EvidenceRecorder(hop: hop, timeline: timeline, path: path), giveBack: giveBack)
    }

    func close() async {
        if let giveBack { return await giveBack() }
        await session.close()
        await recorder.path.close()
    }

    /// Whether this host, or one before it, refused what another attempt would offer again.
    var hasRefused: Bool {
        get async {
            if await session.authentication.wouldOfferRefusedAgain { return true }
            guard case .hop(let previous) = recorder.path else { return false }
            return await previous.hasRefused
        }
    }
}

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
