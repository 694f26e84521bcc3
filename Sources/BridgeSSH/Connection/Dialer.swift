/// Makes an authenticated session: keys and known hosts first, then the network, the host key, the user.
struct Dialer: Sendable {
    let endpoint: Endpoint
    let configuration: Configuration
    let timeline: Timeline

    private var recorder: EvidenceRecorder { EvidenceRecorder(endpoint: endpoint, timeline: timeline) }

    /// - Throws: `SSHError`; what an `Interaction` throws.
    func connect() async throws -> SSHConnection {
        let deadline = PausableDeadline(seconds: configuration.timeouts.connect)
        let whileAsking = WhileAsking(deadline: deadline)
        let agent = await AgentKeys.load(
            from: configuration.credentials.agentSocket, within: configuration.timeouts.connect)
        do {
            let connection = try await connect(agent: agent, deadline: deadline, whileAsking: whileAsking)
            await agent.close()
            return connection
        } catch {
            deadline.cancel()
            await agent.close()
            // The stage that failed took time too.
            timeline.end()
            throw error
        }
    }

    private func connect(
        agent: AgentKeys, deadline: PausableDeadline, whileAsking: WhileAsking
    ) async throws -> SSHConnection {
        try await checkHost()
        let publicKeys = try await loadKeys(agent, whileAsking)
        let (trust, knownHosts) = try await loadKnownHosts(whileAsking)
        let session = try await open(deadline)
        do {
            let hostKey = try await handshake(session, knownHosts)
            try await check(hostKey, trust, knownHosts, session)
            timeline.begin(.authentication, "authenticating as \(endpoint.user)")
            try await Authenticator(
                session: session, endpoint: endpoint, credentials: configuration.credentials, publicKeys: publicKeys,
                interaction: configuration.interaction, whileAsking: whileAsking, timeline: timeline
            ).authenticate()
        } catch let fault as Fault {
            let error = await recorder.error(fault, session: session)
            await session.close()
            throw error
        } catch {
            await session.close()
            throw error
        }
        await session.authenticated(keepalive: configuration.keepalive)
        // Until a channel is asked for, the time is the caller's.
        deadline.pause()
        return SSHConnection(session: session, recorder: recorder, configuration: configuration, deadline: deadline)
    }

    // MARK: Before the network

    private func checkHost() async throws {
        do {
            try HostNameRules.check(endpoint.host, input: endpoint.host)
        } catch {
            throw await recorder.error(Fault(.hostNameInvalid(problem: error.description), stage: .resolve))
        }
    }

    private func loadKeys(_ agent: AgentKeys, _ whileAsking: WhileAsking) async throws -> PublicKeyCandidates {
        let loader = CandidateLoader(
            credentials: configuration.credentials, interaction: configuration.interaction, whileAsking: whileAsking)
        let publicKeys: PublicKeyCandidates
        do {
            publicKeys = try await loader.load(agent)
        } catch let problem as KeyProblem {
            throw await recorder.error(Fault(.keyUnusable(problem), stage: .key))
        }
        timeline.note { [considered = publicKeys.considered] in
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
            timeline.notice("The identity \(problem.path) is not used: \(problem.detail)")
        }
        return publicKeys
    }

    private func loadKnownHosts(_ whileAsking: WhileAsking) async throws -> (HostKeyTrust, KnownHosts) {
        var ask: HostKeyTrust.Ask?
        if let interaction = configuration.interaction {
            ask = { question in try await whileAsking.ask { try await interaction.accept(question) ?? false } }
        }
        let trust = HostKeyTrust(files: configuration.knownHosts, policy: configuration.hostKeyPolicy, ask: ask)
        do {
            return (trust, try trust.load())
        } catch let problem as KnownHostsProblem {
            throw await recorder.error(
                Fault(.knownHostsUnreadable(path: problem.path, systemError: problem.errno), stage: .hostKey))
        }
    }

    // MARK: The network

    private func open(_ deadline: PausableDeadline) async throws -> Session {
        timeline.begin(.resolve, "resolving \(endpoint.host)")
        let timeline = timeline
        let port = endpoint.port
        let connector = Connector(
            family: configuration.addressFamily, resolveTimeout: configuration.timeouts.resolve, deadline: deadline,
            resolved: { addresses in
                timeline.note { $0.addresses = addresses }
                timeline.begin(.connect, "connecting to port \(port)")
            },
            tried: { outcome in timeline.note { $0.connects.append(outcome) } })
        let failure: ConnectFailure
        do {
            let reached = try await connector.connect(host: endpoint.host, port: endpoint.port)
            timeline.begin(.banner, "waiting for the server's identification")
            let session = try Session(carrier: reached.channel, early: reached.early) { stage in
                if stage == .keyExchange { timeline.begin(.keyExchange, "exchanging keys") }
            }
            let limit = Deadline(kind: .connect, seconds: deadline.seconds)
            deadline.start { session.enqueueFailure(Fault(.deadlinePassed(limit))) }
            return session
        } catch let error as ConnectFailure {
            failure = error
        } catch let fault as Fault {
            throw await recorder.error(fault)
        }
        throw FailureClassifier.classify(await evidence(of: failure, deadline))
    }

    private func evidence(of failure: ConnectFailure, _ deadline: PausableDeadline) async -> Evidence {
        switch failure {
        case .resolution(let problem):
            let fault = Fault(
                .resolutionFailed(code: problem.code, name: problem.kind, message: problem.message), stage: .resolve)
            return await recorder.evidence(of: fault)
        case .addresses(let failures):
            var evidence = await recorder.evidence(of: Fault(.connectionFailed, stage: .connect))
            evidence.addresses = failures
            return evidence
        case .timedOut(let failures):
            let limit = Deadline(kind: .connect, seconds: deadline.seconds)
            var evidence = await recorder.evidence(of: Fault(.deadlinePassed(limit), stage: .connect))
            evidence.addresses = failures
            return evidence
        case .cancelled:
            return await recorder.evidence(of: Fault(.cancelled(signal: nil), stage: .local))
        }
    }

    /// What known_hosts has the host under; an alias stands for the port too.
    private var trustedName: (host: String, port: Int) {
        configuration.hostKeyAlias.map { ($0, KnownHostName.standardPort) } ?? (endpoint.host, endpoint.port)
    }

    private func handshake(_ session: Session, _ knownHosts: KnownHosts) async throws -> HostKey {
        var preferences = configuration.algorithms
        preferences.hostKey = knownHosts.preferredAlgorithms(
            host: trustedName.host, port: trustedName.port, from: preferences.hostKey)
        try await session.attach()
        return try await session.handshake(preferences)
    }

    private func check(
        _ key: HostKey, _ trust: HostKeyTrust, _ knownHosts: KnownHosts, _ session: Session
    ) async throws {
        timeline.begin(.hostKey, "\(key.algorithm) \(key.fingerprint)")
        func note(_ verdict: HostKeyVerdict) async {
            await session.noteHostKey(HostKeyEvidence(key, verdict: verdict, policy: trust.policy))
        }
        do {
            switch try await trust.check(key, host: trustedName.host, port: trustedName.port, against: knownHosts) {
            case .trusted(let place):
                timeline.note { $0.hostNameIsHashed = knownHosts.isHashed(place) }
                await note(.trusted(place))
            case .remembered(let place):
                timeline.trustNotice("The host key of \(endpoint.host) (\(key.fingerprint)) is now known: \(place)")
                timeline.note { $0.hostKeyWasNew = true }
                await note(.trusted(place))
            case .acceptedOnce(let problem):
                timeline.trustNotice("The host key could not be written down: \(problem.message)")
                timeline.note { $0.hostKeyWasNew = true }
                await note(knownHosts.verdict(on: key, host: trustedName.host, port: trustedName.port))
            case .rejected(let verdict):
                await note(verdict)
                throw Fault(.hostKeyRejected, stage: .hostKey)
            }
        } catch let problem as KnownHostsProblem {
            throw Fault(.knownHostsUnreadable(path: problem.path, systemError: problem.errno), stage: .hostKey)
        }
    }
}
