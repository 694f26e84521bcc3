internal import NIOCore

/// Connects and authenticates to one hop.
final class HopDialer: Sendable {
    let hop: Hop
    let timeouts: SSHTimeouts
    /// The deadline of the whole chain.
    let deadline: PausableDeadline
    /// The hop's own deadline, until the server's identification.
    let reachDeadline: PausableDeadline?
    let timeline: Timeline
    let agent: AgentKeys
    let publicKeys: PublicKeyCandidates
    let trust: SSHHostKeyTrust
    let knownHosts: SSHKnownHosts
    private let refusal: HostKeyRefusal

    init(
        hop: Hop, timeouts: SSHTimeouts, deadline: PausableDeadline, reachDeadline: PausableDeadline?, timeline: Timeline,
        agent: AgentKeys, publicKeys: PublicKeyCandidates, trust: SSHHostKeyTrust, knownHosts: SSHKnownHosts,
        refusal: HostKeyRefusal
    ) {
        self.hop = hop
        self.timeouts = timeouts
        self.deadline = deadline
        self.reachDeadline = reachDeadline
        self.timeline = timeline
        self.agent = agent
        self.publicKeys = publicKeys
        self.trust = trust
        self.knownHosts = knownHosts
        self.refusal = refusal
    }

    private var endpoint: SSHEndpoint { hop.endpoint }
    private var configuration: SSHConnectionConfiguration { hop.configuration }
    private var promptPause: PromptPause { PromptPause(deadline: deadline) }

    private func note(_ change: (inout ConnectionFacts) -> Void) { timeline.note(hop, change) }

    // MARK: The network

    /// - Parameter previous: the previous hop; nil for the first.
    /// - Throws: `SSHError`; errors of an `SSHInteraction`. In that case everything opened for this hop is closed.
    func connect(after previous: AuthenticatedHop?) async throws -> AuthenticatedHop {
        timeline.enter(hop)
        let start = ContinuousClock.now
        defer {
            reachDeadline?.cancel()
            note { $0.seconds = start.duration(to: .now).seconds }
        }
        let request = await hostKeyRequest()
        let othersWait = if let request { try await checkSeenKeys(request) } else { false }
        // The key of a refused host has been recorded before this.
        defer { if othersWait, let request { configuration.seenKeys?.settle(request, nil) } }
        let (session, path) = try await open(after: previous)
        let recorder = EvidenceRecorder(hop: hop, timeline: timeline, path: path)
        do {
            try await logIn(on: session)
        } catch {
            let failure = await failure(error, session, recorder)
            await close(session, path)
            throw failure
        }
        return AuthenticatedHop(session: session, recorder: recorder)
    }

    /// Performs the login, step by step, on the session's executor.
    private func logIn(on session: isolated Session) async throws {
        let hostKey = try await handshake(session)
        try await check(hostKey, session)
        timeline.begin(.authentication, "authenticating as \(hop.place == nil ? endpoint.user : "\(endpoint)")")
        try await Authenticator(
            endpoint: endpoint, credentials: configuration.credentials, publicKeys: publicKeys,
            interaction: configuration.interaction, promptPause: promptPause, timeline: timeline
        ).authenticate(on: session)
        session.authenticated(keepalive: configuration.keepalive)
        let (login, hostKeyEvidence) = (timeline.secrets.masking(session.authentication), session.hostKeyEvidence)
        note { ($0.login, $0.hostKey) = (login, hostKeyEvidence) }
    }

    /// Obtains the server's host key after the server has proved to hold it, and closes the connection.
    ///
    /// - Throws: `SSHError`.
    func presentedKey(after previous: AuthenticatedHop?) async throws -> PresentedKey {
        let (session, path) = try await open(after: previous)
        let recorder = EvidenceRecorder(hop: hop, timeline: timeline, path: path)
        do {
            let key = try await handshake(session)
            let presented = await presented(key, on: session)
            await close(session, path)
            return presented
        } catch {
            let failure = await failure(error, session, recorder)
            await close(session, path)
            throw failure
        }
    }

    /// The verdict of known_hosts on a key that the server presented.
    ///
    /// - Throws: `SSHError`.
    func verdict(on key: SSHHostKey) async throws -> SSHHostKeyVerdict {
        do {
            return try await knownHosts(judging: key).verdict(on: key, host: trustedName.host, port: trustedName.port)
        } catch let fault as Fault {
            throw await EvidenceRecorder(hop: hop, timeline: timeline).error(fault)
        }
    }

    private func close(_ session: Session, _ path: Path) async {
        await session.close()
        if case .proxy(let process) = path { await process.end() }
    }

    @inline(never)
    private func failure(_ error: any Error, _ session: Session, _ recorder: EvidenceRecorder) async -> any Error {
        guard var fault = error as? Fault else { return error }
        if case .proxy(let process) = recorder.path, fault.event == .streamEnded {
            await process.settle()
            if await session.stage == .banner {
                let seen = process.evidence
                fault.event = .proxyFailed(
                    command: seen.command, exitStatus: seen.exitStatus, standardError: seen.standardError)
                fault.stage = .connect
            }
        }
        return await recorder.error(fault, session: session)
    }

    private func open(after previous: AuthenticatedHop?) async throws -> (Session, Path) {
        let session: Session
        let path: Path
        do {
            if let previous {
                path = .hop(previous)
                session = try makeSession(over: try await tunnel(through: previous))
            } else if let command = configuration.proxyCommand {
                timeline.begin(.connect, "starting the proxy command \(command.command)")
                let (timeline, loop) = (timeline, deadline.eventLoop)
                let start = ContinuousClock.now
                let (process, transport) = try await BlockingWork.run {
                    try await ProxyProcess.start(command, on: loop) { timeline.remark("proxy command: \($0)") }
                }
                note { $0.proxyStart = start.duration(to: .now).seconds }
                path = .proxy(process)
                do throws(Fault) {
                    session = try makeSession(over: transport)
                } catch {
                    await process.end()
                    throw error
                }
            } else {
                path = .network
                let transport = try await reach()
                session = try makeSession(over: transport)
            }
        } catch let fault as Fault {
            throw await EvidenceRecorder(hop: hop, timeline: timeline).error(fault)
        }
        watch { session.enqueueFailure(Fault(.deadlinePassed($0))) }
        return (session, path)
    }

    /// Sets the action for the end of the chain's deadline, and of this hop's own.
    private func watch(_ expire: @escaping @Sendable (SSHDeadline) -> Void) {
        Self.watch(deadline, reachDeadline, expire)
    }

    /// A name lookup may outlive its connection, so it must not keep the secrets.
    private static func watch(
        _ deadline: PausableDeadline, _ reachDeadline: PausableDeadline?, _ expire: @escaping @Sendable (SSHDeadline) -> Void
    ) {
        let limit = SSHDeadline(kind: .connect, seconds: deadline.seconds)
        deadline.start { expire(limit) }
        guard let reachDeadline else { return }
        let own = SSHDeadline(kind: .reach, seconds: reachDeadline.seconds)
        reachDeadline.start { expire(own) }
    }

    private func makeSession(over transport: any ByteTransport) throws(Fault) -> Session {
        let (timeline, reachDeadline) = (timeline, reachDeadline)
        timeline.begin(.banner, "waiting for the server's identification")
        do throws(Fault) {
            return try Session(transport: transport) { stage in
                guard stage == .keyExchange else { return }
                reachDeadline?.cancel()
                timeline.begin(.keyExchange, "exchanging keys")
            }
        } catch {
            // No session will close the transport.
            transport.eventLoop.execute { transport.close() }
            throw error
        }
    }

    private func tunnel(through previous: AuthenticatedHop) async throws -> TunnelTransport {
        timeline.begin(.connect, "asking \(previous.recorder.endpoint.label) for \(endpoint.label) port \(endpoint.port)")
        let (session, isShared) = (previous.session, previous.isShared)
        let id = await session.reserveChannel()
        watch { limit in
            let late = Fault(.deadlinePassed(limit), stage: .connect)
            guard isShared else { return session.enqueueFailure(late) }
            session.eventLoop.execute { session.assumeIsolated { $0.endLateTunnel(id, late) } }
        }
        do throws(Fault) {
            let channel = try await session.openTunnel(to: endpoint.host, port: endpoint.port, id)
            note { $0.isTunnelled = true }
            return TunnelTransport(through: previous.session, channel)
        } catch {
            // As far as is known, the next hop does not answer while the channel is being opened.
            if case .deadlinePassed = error.event { throw await EvidenceRecorder(hop: hop, timeline: timeline).error(error) }
            throw await previous.recorder.error(error, session: previous.session, target: endpoint)
        }
    }

    private func reach() async throws -> ChannelTransport {
        timeline.begin(.resolve, "resolving \(endpoint.label)")
        // A name lookup may outlive its connection, so it must not keep the secrets.
        let (hop, timeline, deadline, reachDeadline) = (hop.withoutSecrets, timeline, deadline, reachDeadline)
        let port = endpoint.port
        let connector = Connector(
            family: configuration.addressFamily, localAddress: configuration.localAddress,
            resolveTimeout: timeouts.resolve.boundedSeconds, deadline: deadline,
            resolved: { addresses in
                timeline.note(hop) { $0.addresses = addresses }
                timeline.begin(.connect, "connecting to port \(port)")
            },
            tried: { outcome in timeline.note(hop) { $0.connects.append(outcome) } },
            watch: { Self.watch(deadline, reachDeadline, $0) })
        do throws(ConnectFailure) {
            return try await connector.connect(host: endpoint.host, port: endpoint.port)
        } catch {
            throw await unreachable(error)
        }
    }

    @inline(never)
    private func unreachable(_ failure: ConnectFailure) async -> any Error {
        SSHFailureClassifier.classify(await evidence(of: failure))
    }

    @inline(never)
    private func evidence(of failure: ConnectFailure) async -> SSHEvidence {
        let recorder = EvidenceRecorder(hop: hop, timeline: timeline)
        switch failure {
        case .resolution(let problem):
            let fault = Fault(
                .resolutionFailed(code: problem.code, name: problem.kind, message: problem.message), stage: .resolve)
            return await recorder.evidence(of: fault)
        case .addresses(let failures):
            var evidence = await recorder.evidence(of: Fault(.connectionFailed, stage: .connect))
            evidence.addresses = failures
            evidence.setting = configuration.setting(behind: evidence)
            return evidence
        case .timedOut(let limit, let failures):
            let limit = limit ?? SSHDeadline(kind: .connect, seconds: deadline.seconds)
            var evidence = await recorder.evidence(of: Fault(.deadlinePassed(limit), stage: .connect))
            evidence.addresses = failures
            return evidence
        case .cancelled:
            return await recorder.evidence(of: Fault(.cancelled(signal: nil), stage: .local))
        }
    }

    private var trustedName: (host: String, port: Int) { hop.trustedName }

    private func handshake(_ session: isolated Session) async throws -> SSHHostKey {
        // The time of a KnownHostsCommand does not count for the server.
        reachDeadline?.pause()
        let knownHosts = try await knownHosts(judging: nil)
        var preferences = configuration.algorithms
        let (name, algorithms) = (trustedName, preferences.hostKey)
        preferences.hostKey = await knownHosts.lookUp {
            $0.preferredAlgorithms(host: name.host, port: name.port, from: algorithms)
        }
        reachDeadline?.resume()
        session.attach()
        do throws(Fault) {
            let key = try await session.handshake(preferences)
            if let offered = session.offeredAlgorithms {
                for text in configuration.leftOut(of: offered) { timeline.remark(text) }
            }
            return key
        } catch {
            throw configuration.attributed(error)
        }
    }

    /// The known hosts from the files and the command.
    ///
    /// - Parameter key: the server's key; nil before it is known.
    /// - Throws: `Fault` if the command fails; `CancellationError`.
    nonisolated(nonsending) func knownHosts(judging key: SSHHostKey?) async throws -> SSHKnownHosts {
        try await hop.knownHosts(knownHosts, judging: key, within: timeouts.connect.boundedSeconds)
    }

    private func check(_ key: SSHHostKey, _ session: isolated Session) async throws {
        timeline.begin(.hostKey, "\(key.algorithm) \(key.fingerprint)")
        let knownHosts = try await knownHosts(judging: key)
        func noteKey(_ verdict: SSHHostKeyVerdict) { session.noteHostKey(hostKeyEvidence(key, verdict)) }
        do {
            switch try await trust.check(key, host: trustedName.host, port: trustedName.port, against: knownHosts) {
            case .trusted(let place):
                note {
                    $0.hostNameIsHashed = knownHosts.isHashed(place)
                    $0.acceptedKey = KeptHostKey(key, .known)
                }
                noteKey(.trusted(place))
                await expectAnnouncement(knownHosts, after: key, at: place, isConfirmed: true, session)
            case .remembered(let place):
                timeline.trustNotice("The host key of \(endpoint.label) (\(key.fingerprint)) is now known: \(place)")
                note {
                    $0.hostKeyWasNew = true
                    $0.acceptedKey = KeptHostKey(key, .known)
                }
                noteKey(.trusted(place))
                await expectAnnouncement(knownHosts, after: key, at: place, isConfirmed: trust.policy == .ask, session)
            case .acceptedOnce(let problem):
                timeline.trustNotice("The host key could not be stored: \(problem.message)")
                note {
                    $0.hostKeyWasNew = true
                    $0.acceptedKey = KeptHostKey(key, trust.policy == .ask ? .person : .policy)
                }
                noteKey(knownHosts.verdict(on: key, host: trustedName.host, port: trustedName.port))
            case .rejected(let verdict):
                noteKey(verdict)
                if let request = await hostKeyRequest() {
                    configuration.seenKeys?.settle(request, presented(key, on: session))
                }
                throw Fault(.hostKeyRejected, stage: .hostKey)
            }
        } catch let problem as SSHKnownHostsProblem {
            guard problem.code != .unreadable else {
                throw Fault(.knownHostsUnreadable(path: problem.path, systemError: problem.errno), stage: .hostKey)
            }
            noteKey(knownHosts.verdict(on: key, host: trustedName.host, port: trustedName.port))
            if problem.code == .unwritableName {
                throw Fault(.usage(field: "known_hosts", problem: problem.description), stage: .local)
            }
            throw Fault(.knownHostsUnwritable(path: problem.path, systemError: problem.errno), stage: .hostKey)
        }
    }

    func hostKeyEvidence(_ key: SSHHostKey, _ verdict: SSHHostKeyVerdict) -> SSHHostKeyEvidence {
        var evidence = SSHHostKeyEvidence(key, verdict: verdict, policy: trust.policy)
        evidence.listedAs = KnownHostName(host: trustedName.host, port: trustedName.port).text
        evidence.declined = refusal.isNoted
        return evidence
    }

    private func presented(_ key: SSHHostKey, on session: isolated Session) -> PresentedKey {
        let (offered, listed) = session.hostKeyAlgorithms
        return PresentedKey(key: key, offered: offered, listed: listed, software: session.serverSoftware)
    }

    /// Tells the session which of the server's host keys are known. The server announces all of them after the login.
    ///
    /// - Parameter isConfirmed: whether the key was known, or a person accepted it.
    private func expectAnnouncement(
        _ knownHosts: SSHKnownHosts, after key: SSHHostKey, at place: SSHKnownHostsLocation, isConfirmed: Bool,
        _ session: isolated Session
    ) async {
        guard configuration.trustedHostKeys.isEmpty,
            configuration.reportsAnnouncedKeys || configuration.knownHosts.learnsAnnouncedKeys
        else { return }
        let name = trustedName
        let lines = await knownHosts.lookUp { $0.lines(for: name.host, port: name.port) }
        let update = HostKeyLearning(hop: hop, place: place, isConfirmed: isConfirmed)
        session.expectHostKeys(
            known: Set(lines.map(\.key.blob) + [key.blob]),
            types: Set(configuration.algorithms.hostKey.map { SSHHostKey.keyType(ofAlgorithm: $0) }),
            areProven: update.reason == nil)
        note { $0.hostKeyLearning = update }
    }
}
