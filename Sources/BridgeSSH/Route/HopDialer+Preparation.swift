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
                if answer == false { refusal.note() }
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

    func note() { flag.withLock { $0 = true } }
}
