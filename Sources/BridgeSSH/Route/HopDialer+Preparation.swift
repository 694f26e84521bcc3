import Synchronization

extension HopDialer {
    /// Does the work that needs no network: the name, the keys, the known hosts.
    ///
    /// - Throws: `SSHError`; errors of an `SSHInteraction`.
    static func prepare(
        _ hop: Hop, within timeouts: SSHTimeouts, _ deadline: PausableDeadline, _ timeline: Timeline
    ) async throws -> HopDialer {
        let credentials = hop.configuration.credentials
        for secret in [credentials.password, credentials.passphrase] { secret.map { timeline.secrets.add($0) } }
        let (socket, limit) = (credentials.agentSocket, timeouts.connect.boundedSeconds)
        let agent: AgentKeys
        if let agents = hop.configuration.agents {
            agent = await agents.keys(from: socket, within: limit)
        } else {
            agent = await AgentKeys.load(from: socket, within: limit, on: deadline.eventLoop)
        }
        let preparation = HopPreparation(hop: hop, timeline: timeline, promptPause: PromptPause(deadline: deadline))
        do {
            try await preparation.checkHost()
            let publicKeys = try await preparation.loadKeys(agent)
            let (trust, knownHosts) = try await preparation.loadKnownHosts()
            return HopDialer(
                hop: hop, timeouts: timeouts, deadline: deadline, reachDeadline: hop.reachDeadline(beside: deadline),
                timeline: timeline, agent: agent, publicKeys: publicKeys, trust: trust, knownHosts: knownHosts,
                refusal: preparation.refusal)
        } catch {
            await agent.close()
            throw error
        }
    }
}

/// The local data for a hop.
private struct HopPreparation {
    let hop: Hop
    let timeline: Timeline
    let promptPause: PromptPause
    let refusal = HostKeyRefusal()

    private var endpoint: SSHEndpoint { hop.endpoint }
    private var configuration: SSHConnectionConfiguration { hop.configuration }
    private var recorder: EvidenceRecorder { EvidenceRecorder(hop: hop, timeline: timeline) }

    func checkHost() async throws {
        do {
            try HostNameRules.check(endpoint.host, input: endpoint.host)
        } catch {
            throw await recorder.error(Fault(.hostNameInvalid(problem: error.description), stage: .resolve))
        }
    }

    func loadKeys(_ agent: AgentKeys) async throws -> PublicKeyCandidates {
        let loader = CandidateLoader(
            credentials: configuration.credentials, interaction: configuration.interaction, promptPause: promptPause,
            openedKeys: configuration.openedKeys, decryptedKeyFiles: configuration.decryptedKeyFiles)
        let publicKeys: PublicKeyCandidates
        do {
            publicKeys = try await loader.load(agent)
        } catch let problem as SSHKeyProblem {
            throw await recorder.error(Fault(.keyUnusable(problem), stage: .key))
        }
        timeline.note(hop) { [considered = publicKeys.considered] in
            $0.keys = considered
            $0.holdsPassword = configuration.credentials.password != nil
        }
        let mayOfferOther =
            !publicKeys.candidates.isEmpty || configuration.credentials.password != nil
            || configuration.interaction != nil
        if let problem = publicKeys.explicitProblem, !mayOfferOther {
            throw await recorder.error(Fault(.keyUnusable(problem), stage: .key))
        }
        for problem in publicKeys.keyProblems {
            timeline.notice(UnusedIdentity.notice(problem))
        }
        return publicKeys
    }

    func loadKnownHosts() async throws -> (SSHHostKeyTrust, SSHKnownHosts) {
        var ask: SSHHostKeyTrust.Ask?
        if let interaction = configuration.interaction {
            ask = { [promptPause, refusal] question in
                let answer = try await promptPause.ask { try await interaction.accept(question) }
                if answer == false { refusal.noteRefusal() }
                return answer ?? false
            }
        }
        let trust = hop.trust(asking: ask)
        do {
            return (trust, try hop.loadKnownHosts(by: trust))
        } catch let problem as SSHKnownHostsProblem where problem.code == .revocationListUnusable {
            throw await recorder.error(
                Fault(.configurationInvalid(file: problem.path, line: problem.line, problem: problem.problem), stage: .local))
        } catch let problem as SSHKnownHostsProblem {
            throw await recorder.error(
                Fault(.knownHostsUnreadable(path: problem.path, systemError: problem.errno), stage: .hostKey))
        }
    }
}

/// Decides which host keys of a hop are accepted.
extension Hop {
    var trustedName: (host: String, port: Int) { configuration.knownHostName(of: endpoint) }

    private var isPinned: Bool { !configuration.trustedHostKeys.isEmpty }

    /// - Parameter ask: asks a person; nil if there is none.
    func trust(asking ask: SSHHostKeyTrust.Ask?) -> SSHHostKeyTrust {
        var files = configuration.knownHosts
        if isPinned { (files.user, files.system) = ([], []) }
        return SSHHostKeyTrust(files: files, policy: isPinned ? .strict : configuration.hostKeyPolicy, ask: ask)
    }

    /// - Throws: `SSHKnownHostsProblem`.
    func loadKnownHosts(by trust: SSHHostKeyTrust) throws -> SSHKnownHosts {
        var knownHosts = try trust.load()
        if isPinned {
            knownHosts.add(trusted: configuration.trustedHostKeys, host: trustedName.host, port: trustedName.port)
        }
        return knownHosts
    }

    /// The known hosts from the files and the command.
    ///
    /// - Parameters:
    ///   - files: the known hosts from the files.
    ///   - key: the server's key; nil before it is known.
    ///   - limit: the time limit for the command, in seconds.
    /// - Throws: `Fault` if the command fails; `CancellationError`.
    nonisolated(nonsending) func knownHosts(
        _ files: SSHKnownHosts, judging key: SSHHostKey?, within limit: Double
    ) async throws -> SSHKnownHosts {
        guard let command = configuration.knownHostsCommand, !isPinned else { return files }
        let words: [String]
        do throws(LineProblem) {
            let name = KnownHostName(host: trustedName.host, port: trustedName.port).text
            words = try command.words(lookingUp: name, for: key)
        } catch {
            throw Fault(.configurationInvalid(file: "KnownHostsCommand", line: nil, problem: error.text), stage: .local)
        }
        let program = KnownHostsProgram(words: words, environment: command.environment, limit: limit)
        var all = files
        let output = try await BlockingWork.run { try await program.output() }
        all.add(contents: output, file: key == nil ? "KnownHostsCommand-ORDER" : "KnownHostsCommand-HOSTNAME")
        return all
    }
}

/// Whether a person was asked about a hop's host key and declined, as opposed to not answering.
final class HostKeyRefusal: Sendable {
    private let flag = Mutex(false)

    var isNoted: Bool { flag.withLock { $0 } }

    func noteRefusal() { flag.withLock { $0 = true } }
}

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
