package import BridgeSSH
internal import ErrorCore

/// The result for a host's keys, key by key.
package struct TrustOutcome: Sendable {
    /// The result for one presented key.
    package enum Action: Sendable, Equatable {
        /// The key was already known.
        case kept
        /// The key was added.
        case added(SSHKnownHostsLocation)
        /// The key was added, and other keys of its type were removed.
        case replaced(SSHKnownHostsLocation)
        /// Nothing was written.
        case none
    }

    package let endpoint: SSHEndpoint
    /// Nil if the host was not contacted, or did not answer.
    package private(set) var scan: SSHHostKeyScan?
    /// One action per key of the scan.
    package var actions: [Action] = []
    /// The lines that were removed from known_hosts.
    package var removed: [SSHKnownHostsWriter.Removal] = []
    package var error: SSHError?

    package init(endpoint: SSHEndpoint, error: SSHError? = nil) {
        self.endpoint = endpoint
        self.error = error
    }

    /// Nothing has been written yet.
    package init(endpoint: SSHEndpoint, scan: SSHHostKeyScan) {
        self.endpoint = endpoint
        take(scan)
    }

    /// Takes the result of a scan; nothing has been written yet.
    package mutating func take(_ scan: SSHHostKeyScan) {
        self.scan = scan
        actions = scan.offers.map { if case .trusted = $0.verdict { .kept } else { .none } }
    }

    /// Whether to write a key, given the verdict on it.
    package static func isWritable(_ verdict: SSHHostKeyVerdict, updating: Bool) -> Bool {
        switch verdict {
        case .unknown, .otherTypeKnown: true
        case .changed: updating
        case .trusted, .revoked: false
        }
    }

    /// The key that prevents trust: a revoked one, else a changed one, else the first one if none is known.
    package var obstacle: SSHHostKeyScan.Offer? {
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

extension SSHHostKeyScan.Offer {
    /// The verdict about a key that is not trusted.
    ///
    /// - Parameters:
    ///   - declined: whether a person was asked and declined.
    ///   - expected: the fingerprints that were confirmed instead.
    package func failure(
        at endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, declined: Bool = false, expected: [String] = []
    ) -> SSHError {
        var evidence = SSHEvidence(local: .hostKeyRejected, stage: .hostKey, endpoint: endpoint)
        var hostKey = SSHHostKeyEvidence(key, verdict: verdict, policy: configuration.hostKeyPolicy)
        // A changed or revoked key keeps its verdict, regardless of the answer.
        if case .unknown = verdict { hostKey.declined = declined }
        hostKey.expected = expected
        let name = configuration.knownHostName(of: endpoint)
        hostKey.listedAs = KnownHostName(host: name.host, port: name.port).text
        evidence.hostKey = hostKey
        evidence.options = Redactor.standard.words(configuration.reachOptions)
        evidence.subcommand = "trust"
        return SSHFailureClassifier.classify(evidence)
    }
}

extension TrustOutcome {
    /// The object of docs/json-schema-trust.json, `bridge-ssh-trust/1`.
    ///
    /// - Parameter destination: the destination as it was typed.
    package func json(_ convention: SSHExitStatus.Convention, destination: String = "") -> JSONValue {
        let keys = zip(scan?.offers ?? [], actions).map(Self.json)
        return .members([
            "schema": .string("bridge-ssh-trust/1"),
            "destination": .string(destination),
            "host": .string(endpoint.host),
            "port": .integer(endpoint.port),
            "outcome": .string(error == nil ? "succeeded" : "failed"),
            "exitStatus": .integer(Int((error?.exitStatus(convention) ?? .success).rawValue)),
            "keys": .array(keys),
            "unavailable": .array(
                (scan?.unavailable ?? []).map {
                    .members(["keyType": .string(TerminalText.inert($0.keyType, limit: 256)), "reason": .string($0.reason)])
                }),
            "removed": .array(removed.map(Self.json)),
            "error": error?.json ?? .null,
        ])
    }

    private static func json(_ offer: SSHHostKeyScan.Offer, _ action: Action) -> JSONValue {
        let (actionName, place) = words(action)
        return .members([
            "keyType": .string(offer.key.algorithm),
            "bits": offer.key.bits.map { .integer($0) },
            "fingerprint": .string(offer.key.fingerprint),
            "randomart": .string(offer.key.randomart),
            "action": .string(actionName),
            "location": place.map { .string($0.description) },
            "knownHosts": SSHHostKeyEvidence(offer.key, verdict: offer.verdict, policy: .strict).verdictJSON,
        ])
    }

    private static func words(_ action: Action) -> (String, SSHKnownHostsLocation?) {
        switch action {
        case .kept: ("kept", nil)
        case .added(let place): ("added", place)
        case .replaced(let place): ("replaced", place)
        case .none: ("none", nil)
        }
    }

    private static func json(_ removal: SSHKnownHostsWriter.Removal) -> JSONValue {
        .members([
            "keyType": removal.key.map { .string($0.algorithm) },
            "fingerprint": removal.key.map { .string($0.fingerprint) },
            "location": .string(removal.location.description),
            "names": removal.names.map { .string($0) },
        ])
    }
}
