internal import BridgeSSH
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun

/// Asks, once and before the first host begins, for passwords, passphrases, and the confirmation of unknown host keys.
struct HostPreparation {
    let hosts: HostOptions
    /// The purpose of the connections.
    let session: SSHConfigSession
    let limits: FleetLimits
    let isQuiet: Bool

    /// - Throws: `UsageProblem`; `SSHError`; `CancellationError`.
    func perform(_ named: [NamedHost], in environment: LaunchEnvironment) async throws -> HostAccess.Secrets {
        var secrets = try await HostAccess.secrets(hosts, in: environment)
        // If a person can be asked, their answer may create the missing known_hosts file.
        let access = HostAccess(
            hosts, command: SSHCommandOptions(), session: session, in: environment, secrets, mayAsk: environment.canAsk)
        try await SharedFailure.check(named, access, willAsk: environment.canAsk)
        guard environment.canAsk else { return secrets }
        var locked = EncryptedKeyFiles()
        var targets = TrustTargets(.questionable)
        for host in named {
            let connection = try access.connection(to: host)
            if connection.mayAsk { locked.add(connection.configuration) }
            targets.add(host.name, connection.endpoint, connection.configuration)
        }
        secrets.openedKeys = try await locked.opened()
        try await settleHostKeys(targets, secrets.openedKeys)
        return secrets
    }

    /// How long all hosts may wait for one. A live server answers sooner, and the run will report one that does not answer.
    private static let timeLimit = Duration.seconds(4)

    /// Hosts whose keys are not accepted still begin, and end with `ssh.host-key.unknown`.
    private func settleHostKeys(_ targets: TrustTargets, _ openedKeys: OpenedKeys) async throws {
        let unknown = targets.rounds.flatMap { $0 }.flatMap(\.hosts)
        guard !unknown.isEmpty else { return }
        if !isQuiet { FleetProcess.note("\(Formatted.hosts(unknown.count)) not known: looking at their keys first") }
        var conversation = HostKeyConfirmation(
            limits: limits, confirming: .asking, mayAsk: true, showsTable: false, openedKeys: openedKeys
        ) { keys, hosts in
            "Remember \(keys == 1 ? "this key" : "these \(keys) keys") of \(Formatted.hosts(hosts))? Compare the fingerprints first; "
                + "no leaves \(hosts == 1 ? "the host" : "the hosts") out. Type yes or no: "
        }
        conversation.timeLimit = Self.timeLimit
        let reviews = try await conversation.perform(targets)
        guard !isQuiet else { return }
        FleetProcess.say(TrustSummary(reviews, folded: Folding.names).written)
        let silent = TrustSummary(reviews, folded: Folding.names).silent
        if !silent.isEmpty {
            FleetProcess.note(
                "no host key came within \(Self.timeLimit.components.seconds) s from \(Folding.names(silent)); this run does not wait "
                    + "longer, bridge-ssh fleet trust does")
        }
    }
}

/// A local file that would make every host fail. It is found once, before the first host.
struct SharedFailure {
    /// The settings that decide which files are read for a hop.
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

    /// - Parameter willAsk: whether a person will be asked for the passphrases of key files afterwards.
    /// - Throws: ``SSHError`` if no host could begin, all because of the same file.
    static func check(_ hosts: [NamedHost], _ access: HostAccess, willAsk: Bool) async throws {
        let agents = SharedAgents()
        let fault = try await fault(of: hosts, access, agents, willAsk: willAsk)
        await agents.close()
        guard let fault else { return }
        // The error names no host, because no host causes it.
        throw SSHFailureClassifier.classify(SSHEvidence(local: fault.event, stage: fault.stage))
    }

    private static func fault(
        of hosts: [NamedHost], _ access: HostAccess, _ agents: SharedAgents, willAsk: Bool
    ) async throws -> SSHEvidence? {
        var seen: Set<[Files]> = []
        var common: SSHEvidence?
        for host in hosts {
            let connection = try access.connection(to: host)
            var configuration = connection.configuration
            guard seen.insert(([configuration] + configuration.jumpHosts.map(\.configuration)).map(Files.init)).inserted
            else { continue }
            configuration.agents = agents
            for index in configuration.jumpHosts.indices { configuration.jumpHosts[index].configuration.agents = agents }
            do {
                try await SSHClient.check(connection.endpoint, configuration)
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
    /// Whether a local file is missing, unreadable or unusable.
    fileprivate func isOfLocalFile(willAsk: Bool) -> Bool {
        switch self {
        case .keyUnusable(let problem): !willAsk || problem.reason != .passphraseRequired
        case .knownHostsUnreadable, .knownHostsUnwritable, .configurationInvalid: true
        default: false
        }
    }
}
