import BridgeSSH
import SSHRun

/// What came of it, key by key.
struct TrustOutcome: Sendable {
    /// What became of a key that the host shows.
    enum Action: Sendable, Equatable {
        /// It was known.
        case kept
        /// It is known from now on.
        case added(SSHKnownHostsLocation)
        /// It is known from now on, and other keys of its type are not any more.
        case replaced(SSHKnownHostsLocation)
        /// Nothing was written.
        case none
    }

    let endpoint: SSHEndpoint
    /// Nil if the host was not asked, or gave no answer.
    var scan: SSHHostKeyScan?
    /// One for each key of the scan.
    var actions: [Action] = []
    /// The lines that are gone from known_hosts.
    var removed: [SSHKnownHostsWriter.Removal] = []
    var error: SSHError?

    /// Whether a key is to be known, by what is said of it.
    static func isWritable(_ verdict: SSHHostKeyVerdict, updating: Bool) -> Bool {
        switch verdict {
        case .unknown, .otherTypeKnown: true
        case .changed: updating
        case .trusted, .revoked: false
        }
    }

    /// The key that stands in the way: a revoked one, a changed one, or else the first if none is known.
    var obstacle: SSHHostKeyScan.Offer? {
        guard let scan else { return nil }
        let open = zip(scan.offers, actions).filter { $1 == .none }.map(\.0)
        for isWorst in [Self.isRevoked, Self.isChanged] {
            if let offer = open.first(where: { isWorst($0.verdict) }) { return offer }
        }
        return actions.contains { $0 != .none } ? nil : open.first
    }

    private static func isRevoked(_ verdict: SSHHostKeyVerdict) -> Bool { if case .revoked = verdict { true } else { false } }
    private static func isChanged(_ verdict: SSHHostKeyVerdict) -> Bool { if case .changed = verdict { true } else { false } }
}

extension TrustPlan {
    /// The verdict about a key that is not trusted.
    func failure(about offer: SSHHostKeyScan.Offer, declined: Bool = false, expected: [String] = []) -> SSHError {
        var evidence = SSHEvidence(local: .hostKeyRejected, stage: .hostKey, endpoint: access.endpoint)
        var hostKey = SSHHostKeyEvidence(offer.key, verdict: offer.verdict, policy: access.configuration.hostKeyPolicy)
        // A changed or revoked key is that, whatever was answered.
        if case .unknown = offer.verdict { hostKey.declined = declined }
        hostKey.expected = expected
        hostKey.listedAs = KnownHostName(host: knownHostName.host, port: knownHostName.port).text
        evidence.hostKey = hostKey
        evidence.options = access.configuration.reachOptions
        evidence.subcommand = Subcommand.trust.rawValue
        return SSHFailureClassifier.classify(evidence)
    }
}
