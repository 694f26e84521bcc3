internal import BridgeSSH
internal import SSHCommandLine

/// A file on this machine that every host would fail for: found before the first host, once.
struct CommonFault {
    /// What decides which files are read for a hop.
    private struct Files: Hashable {
        let identities: [SSHIdentity]
        let certificates: [String]
        let agentSocket: String?
        let identitiesOnly: Bool
        let knownHosts: SSHKnownHostsFiles
        let policy: SSHHostKeyPolicy

        init(_ configuration: SSHConnectionConfiguration) {
            let credentials = configuration.credentials
            (identities, certificates) = (credentials.identities, credentials.certificates)
            (agentSocket, identitiesOnly) = (credentials.agentSocket, credentials.identitiesOnly)
            (knownHosts, policy) = (configuration.knownHosts, configuration.hostKeyPolicy)
        }
    }

    /// - Parameter willAsk: whether a person is asked for the passphrases of key files afterwards.
    /// - Throws: ``SSHError`` where no host could be begun, and all for the same file.
    static func check(_ hosts: [NamedHost], _ access: HostAccess, willAsk: Bool) async throws {
        let agents = SharedAgents()
        let fault = try await fault(of: hosts, access, agents, willAsk: willAsk)
        await agents.close()
        guard let fault else { return }
        // It is of no host's making, so that it names none.
        throw SSHFailureClassifier.classify(SSHEvidence(local: fault.event, stage: fault.stage))
    }

    private static func fault(
        of hosts: [NamedHost], _ access: HostAccess, _ agents: SharedAgents, willAsk: Bool
    ) async throws -> SSHEvidence? {
        var seen: Set<[Files]> = []
        var common: SSHEvidence?
        for host in hosts {
            let reach = try access.reach(host)
            var configuration = reach.configuration
            guard seen.insert(([configuration] + configuration.jumpHosts.map(\.configuration)).map(Files.init)).inserted
            else { continue }
            configuration.agents = agents
            for index in configuration.jumpHosts.indices { configuration.jumpHosts[index].configuration.agents = agents }
            do {
                try await SSHClient.check(reach.endpoint, configuration)
                return nil
            } catch let error as SSHError {
                let event = error.evidence.event
                guard event.isOfLocalFile(willAsk: willAsk), common.map({ $0.event == event }) ?? true else { return nil }
                common = error.evidence
            }
        }
        return common
    }
}

extension SSHEvidence.Event {
    /// Whether a file on this machine is missing, cannot be read or used.
    fileprivate func isOfLocalFile(willAsk: Bool) -> Bool {
        switch self {
        case .keyUnusable(let problem): !willAsk || problem.reason != .passphraseRequired
        case .knownHostsUnreadable, .configurationInvalid: true
        default: false
        }
    }
}
