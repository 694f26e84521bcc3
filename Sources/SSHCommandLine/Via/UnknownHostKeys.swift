package import BridgeSSH
import SSHRun

/// The unknown host keys that servers presented to the ssh processes of one run.
package typealias UnknownHostKeys = SharedAnswers<OpenSSHHostKeyRequest, SSHHostKeyEvidence>

/// What decides which key a server presents to ssh, if no key of the host is known.
package struct OpenSSHHostKeyRequest: Hashable, Sendable {
    private let server: String
    private let way: [String]

    /// - Returns: nil if a program or another host decides.
    init?(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
        guard configuration.jumpHosts.isEmpty, configuration.proxyCommand == nil, configuration.knownHostsCommand == nil else {
            return nil
        }
        server = endpoint.place
        way = ["\(configuration.addressFamily)"] + configuration.algorithms.hostKey
    }
}

extension OpenSSHCall {
    /// Runs ssh, unless the host is refused whatever its key, and another host of the run was shown a key at the same address.
    func observe(_ streams: Streams) async -> (end: RunOutcome.End, watch: OpenSSHMonitor?) {
        guard let keys = unknownKeys, let request = route.hostKeyRequest, await isRefusedAnyway() else {
            return await connect(streams)
        }
        if let key = await keys.wait(for: request) {
            timeline.notice("not connected: another host of this run was shown this key at the same address")
            return (.failed(refusal(of: key)), nil)
        }
        let (end, watch) = await connect(streams)
        var key: SSHHostKeyEvidence?
        if case .failed(let error) = end, error.code == .hostKeyUnknown { key = error.evidence.hostKey }
        keys.settle(request, key)
        return (end, watch)
    }

    /// Whether an unknown key is not accepted, and no line, also of an authority, is about the host.
    private func isRefusedAnyway() async -> Bool {
        guard route.policy == .strict, let known = try? route.knownHosts.load(policy: .strict) else { return false }
        let name = route.trustedName
        return await known.lookUp { !$0.hasLine(of: [.trusted, .certificateAuthority], for: name.host, port: name.port) }
    }

    /// The verdict on an unknown host key in bridge-ssh's own words, which name the key and the command to type.
    func refusal(of key: SSHHostKeyEvidence) -> SSHError {
        var evidence = SSHEvidence(event: .hostKeyRejected, stage: .hostKey)
        place(&evidence)
        (evidence.hostKey, evidence.hostKeyReceived) = (key, true)
        return SSHFailureClassifier.classify(known.masking(evidence))
    }
}
