package import BridgeSSH
internal import ErrorCore

extension TrustOutcome {
    /// The object of docs/json-schema-trust.json, `bridge-ssh-trust/1`.
    ///
    /// - Parameter destination: the destination as it was typed.
    package func json(_ convention: ExitStatus.Convention, destination: String = "") -> JSONValue {
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
