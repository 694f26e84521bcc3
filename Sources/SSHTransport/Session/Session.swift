package import NIOCore

/// One libssh2 session over one transport.
///
/// The actor runs on the transport's event loop, so libssh2 is entered by one thread and one call at a time. It coordinates parts
/// that keep their own rules: ``CallQueue`` (whose turn it is), ``ChannelTable``, ``AuthenticationRecord``,
/// ``SessionObservations`` and ``SessionProgress`` (observations, and the first fault), ``SessionInbox`` and ``PumpState`` (bytes
/// in, and the tasks that wait for them).
///
/// Calls that would block are kept and repeated by `pump()` whenever bytes arrive. libssh2 never learns that the stream has
/// ended: it would then refuse to hand out bytes that it has already received. The session itself reports the end, once
/// everything received has been read.
package actor Session: LoopActor {
    package nonisolated var eventLoop: any EventLoop { executor.loop }
    /// Tasks that mostly wait for this session may prefer it too.
    package nonisolated let executor: LoopExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package let transport: any ByteTransport
    let library: LibrarySession
    let calls = CallQueue()
    let channels = ChannelTable()
    /// The session channels that the server counts towards its limit.
    package nonisolated let slots = ChannelSlots()
    var authenticationRecord = AuthenticationRecord()
    var observations = SessionObservations()
    var hostKeyProof = HostKeyProof()
    let inbox = SessionInbox()
    private var progress = SessionProgress()
    private var pumpState = PumpState()
    private let stageBegan: @Sendable (SSHStage) -> Void
    var keepalive: Keepalive?
    /// The deadlines of channels that are being opened.
    package let deadlines: SharedTimer

    var wire: Wire { library.wire }
    /// The session's current stage, which a fault is attributed to.
    package var stage: SSHStage { progress.stage }
    /// The first fault, which ends the session.
    package var fault: Fault? { progress.fault }
    var isDead: Bool { progress.isDead }
    var isAuthenticated: Bool { progress.isAuthenticated }
    /// Whether the server has not been asked for the authentication service yet.
    var isOpening: Bool { progress.isOpening }
    /// Whether another thread holds the session: see `lend`.
    var isLent: Bool { inbox.isLent }
    /// How many calls have not ended.
    var waitingCount: Int { calls.count }

    /// A session over a transport.
    ///
    /// - Parameter stageBegan: called on the event loop for each stage that begins by itself.
    package init(transport: any ByteTransport, stageBegan: @escaping @Sendable (SSHStage) -> Void) throws(Fault) {
        self.transport = transport
        self.stageBegan = stageBegan
        executor = LoopExecutor.of(transport.eventLoop)
        deadlines = SharedTimer(on: executor.loop)
        library = try LibrarySession()
    }

    /// Starts to receive from the transport.
    package func attach() {
        wire.share(executor.spare.value)
        transport.attach(self)
    }

    // MARK: Stages

    func enter(_ stage: SSHStage) {
        if progress.enter(stage) { beginBudget() }
        stageBegan(stage)
    }

    /// A command, a subsystem or a tunnel runs.
    func programStarted() { progress.programStarted() }

    /// Whether received bytes are acknowledged at once: see ``SessionProgress/hasStartedProgram``.
    var acknowledgesAtOnce: Bool { !progress.hasStartedProgram }

    // MARK: The pump

    /// Continues after a call that was made outside of the pump. If the call consumed no bytes, no other call can make
    /// progress.
    func pump(since consumed: Int, flushes: Bool = true) {
        guard wire.consumedCount == consumed, wire.inboundCount == 0, !wire.hasEnded, !isLent, !isDead, !library.isViolated else {
            return pump(flushes: flushes)
        }
        if flushes { flush() }
        requestRead()
    }

    /// Repeats every waiting call until libssh2 takes no more bytes.
    ///
    /// - Parameter flushes: whether pending bytes are sent now. Otherwise the caller sends them.
    func pump(flushes: Bool = true) {
        guard !isLent, !isDead, pumpState.begin() else { return }
        repeat {
            pumpState.beginRound(consumed: wire.consumedCount, held: library.held)
            makeCalls()
            if !isDead { serveChannels() }
            collectObserved()
            concludeIfViolated()
            concludeIfFlooded()
        } while pumpState.endRound(consumed: wire.consumedCount, held: library.held, remaining: wire.inboundCount) && !isDead
        pumpState.end()
        if flushes { flush() }
        concludeIfEnded()
        requestRead()
    }

    /// Whether a call may be made outside of the pump.
    var mayCall: Bool { !isLent && !pumpState.isRunning && !isDead }

    private func makeCalls() {
        guard !calls.isEmpty else { return }
        let hasEnded = calls.makeCalls(while: { !isDead }) { call, result in
            collectObserved(after: result)
            call.finish(outcome(of: result, nextStage: call.nextStage))
            if let id = call.channel, channels[id]?.closesWhenIdle == true { closeChannel(id) }
        }
        if hasEnded { pumpState.askAgain() }
    }

    // MARK: The end

    /// Ends the session with its first fault; later ones are consequences. Every wait for the session ends here.
    func fail(_ fault: Fault) {
        guard let first = progress.end(with: fault) else { return }
        salvage()
        calls.endAll(with: first)
        channels.sessionFailed(first)
        slots.end()
        inbox.sessionFailed()
        keepalive?.stop()
        deadlines.stop()
        transport.close()
    }

    /// Ends the session from anywhere.
    package nonisolated func enqueueFailure(_ fault: Fault) {
        eventLoop.execute { self.assumeIsolated { $0.fail(fault) } }
    }

    /// Sends SSH_MSG_DISCONNECT (by application) and closes the connection.
    package func close() async {
        if !isDead, !isLent {
            library.disconnect()
            flush()
        }
        fail(Fault(.cancelled(signal: nil), stage: .local))
        // Without the preference a thread of the pool would wake up, only to switch back to this loop.
        await withTaskExecutorPreference(executor) { try? await transport.closeFuture.get() }
    }
}

/// The deadline for starting a command, on a connection that other commands may use.
extension Session {
    /// Ends a start whose time is over: opening the channel and every request before its command runs.
    ///
    /// If nothing else uses the connection, the connection fails. Otherwise only this start fails, and the other commands
    /// continue.
    ///
    /// - Returns: whether this start only waits for its turn, behind a call that is not abandoned. Then its time starts again.
    package func endLateStart(_ id: ChannelID, _ late: Fault) -> Bool {
        guard channels.hasOther(than: id) || calls.isShared(with: id) else {
            fail(late)
            return false
        }
        return calls.endLateStart(id, late)
    }

    /// Ends the opening of a tunnel whose time is over. Only this start fails: the connection is shared.
    ///
    /// If the request was sent already, the session is blocked until the server answers: libssh2 opens one channel at a time.
    package func endLateTunnel(_ id: ChannelID, _ late: Fault) { calls.endStart(id, late) }

    /// Whether an unanswered start whose time is over keeps all others waiting.
    package var isBlocked: Bool { calls.isBlocked }

    /// The start of a channel's command is complete.
    package func startHasEnded(_ id: ChannelID) { calls.startHasEnded(id) }
}

/// The meaning of a failed libssh2 call for the session.
extension Session {
    /// The first fault, unless it is only that this side has closed the connection.
    package var faultIfLost: Fault? {
        guard let fault else { return nil }
        if case .cancelled = fault.event { return nil }
        return fault
    }

    /// The fault of a call that did not succeed. It also ends the session if libssh2's state cannot be trusted afterwards.
    func noteFailure(_ result: LibraryResult) -> Fault {
        concludeIfViolated()
        if case .failure(let failure) = result { failIfProtocolViolated(by: failure) }
        if let fault { return fault }
        guard case .failure(let failure) = result else {
            return Fault(.internalFailure(problem: "a libssh2 call that must be repeated has ended"))
        }
        let fault = Fault(.libraryFailed, stage: stage, library: failure.call)
        if stage == .keyExchange { observations.keyExchangeFailed(hostKeyCame: !library.presentedHostKey.isEmpty) }
        if stage == .banner || stage == .keyExchange || library.discarded.disconnect != nil || failure.isFatal { fail(fault) }
        return self.fault ?? fault
    }

    /// Ends the session if the allocator refused a packet, even if libssh2 reported something else.
    func concludeIfViolated() {
        guard library.isViolated, !isDead, let violation = library.violation else { return }
        fail(Fault(.protocolViolated(violation)))
    }

    /// Ends the session if a malformed packet led libssh2 to a code that hides the cause.
    func failIfProtocolViolated(by failure: LibraryFailure) {
        guard !isDead else { return }
        let asksForTooMuch = isAuthenticated && failure.code == .allocation && !library.isExhausted
        if asksForTooMuch || library.hasSeenEndlessPacket { fail(Fault(.protocolViolated(.malformedPacket))) }
    }

    /// Notes the messages that a dead session had received and never read. Every later call fails with the fault.
    func collectUnread() {
        guard isDead, stage == .authentication, channels.isEmpty, !isLent else { return }
        library.free()
        collectObserved()
    }

    /// Recovers the data that libssh2 had received for the channels when a fault ended the session.
    ///
    /// libssh2 refuses every read after a DISCONNECT or a packet that it cannot parse (transport.c: `_libssh2_transport_read`),
    /// even of data that came before. A server may send the last output, the exit status and its DISCONNECT in one piece. But
    /// libssh2 frees its data with the session, each stream in order, and the tap sees that.
    func salvage() {
        guard let fault, !channels.isEmpty, !isLent else { return }
        if case .cancelled = fault.event { return }
        collectObserved()
        // After a message that broke the protocol, no command counts as ended.
        guard library.discarded.violation == nil else { return }
        let counts = channels.unreadCounts
        // libssh2 reads on while it frees its channels, and bytes after a fault cannot be trusted.
        wire.dropInbound()
        library.discarded.keepFreedData()
        library.free()
        for (id, count) in counts { channels[id]?.take(over: library.discarded.ledger, count: count) }
    }
}

/// The session's observations, as evidence of a failure.
extension Session {
    /// Applies a message that libssh2 discarded.
    func note(_ message: ObservedPayload) {
        switch message {
        case .authenticationFailure(let methods, let partialSuccess):
            authenticationRecord.refused(methods: methods, partialSuccess: partialSuccess)
        case .authenticationBanner(let text):
            authenticationRecord.banner(text)
        case .hostKeys(let keys):
            observations.announced(keys)
            askForProof(of: keys)
        case .signatures(let signatures):
            hostKeyProof.answered(signatures, identifier: library.sessionIdentifier(of: observations.agreed?.keyExchange ?? ""))
        case .globalRequestRefused:
            hostKeyProof.refused()
        case .channelOpened(let number, _):
            channels.note(.success(number: number))
            library.discarded.open(number)
        case .channelOpenFailed(let number, let reason, let description):
            channels.note(.failure(number: number, reason: reason, description: description))
        case .endOfData(let number):
            channels.numbered(number)?.receivedEnd()
        case .channelClosed(let number):
            channels.numbered(number)?.receivedClose()
        case .exitStatus(let number, let status):
            // If the message ends before its status, padding follows. libssh2 knows the length and does not read the padding.
            guard let channel = channels.numbered(number), status == 0 || channel.library.exitStatus != 0 else { break }
            channel.receivedExit(status: Int(status))
        case .exitSignal(let number, let signal):
            channels.numbered(number)?.receivedExit(signal: signal)
        }
    }

    /// The software name in the server's identification line: `OpenSSH_9.2p1 Debian-2`.
    package var serverSoftware: String {
        guard let line = wire.opening.filter.identification else { return "" }
        return line.split(separator: "-", maxSplits: 2).dropFirst(2).first.map(String.init) ?? ""
    }

    /// The server's offer of post-quantum key exchange; nil before its KEXINIT.
    package var postQuantumOffer: PostQuantumOffer? {
        wire.opening.packets.algorithms.map {
            PostQuantumOffer(offered: $0.keyExchange, agreed: observations.agreed?.keyExchange)
        }
    }

    /// The algorithms that were offered in key exchange.
    package var offeredAlgorithms: SSHAlgorithmLists? { observations.offered }

    /// The host key algorithms that the client offered, and those that the server lists.
    package var hostKeyAlgorithms: (offered: [String], listed: [String]) {
        (observations.offered?.hostKey ?? [], wire.opening.packets.algorithms?.hostKey ?? [])
    }

    /// The known facts about the server's host key.
    package var hostKeyEvidence: SSHHostKeyEvidence? { observations.hostKey }

    package func noteHostKey(_ evidence: SSHHostKeyEvidence) { observations.judged(evidence) }

    /// Fills in the session's observations.
    package func describe(_ evidence: inout SSHEvidence) {
        collectUnread()
        let opening = wire.opening
        evidence.stream = wire.end
        evidence.identification = opening.filter.identification
        evidence.linesBeforeIdentification = opening.filter.linesBefore
        if opening.outcome == .more || opening.outcome == .notSSH { evidence.firstBytes = opening.filter.firstBytes }
        evidence.bytesReceived = wire.receivedCount
        evidence.keyExchangeBegun = opening.keyExchangeBegun
        evidence.keyExchangeAnswered = opening.packets.isAnswered
        evidence.serverAlgorithms = opening.packets.algorithms
        evidence.disconnect = library.discarded.disconnect
        observations.describe(&evidence, awaitsAnswer: authenticationRecord.awaitsAnswer)
        authenticationRecord.describe(&evidence, debugMessages: library.discarded.debugMessages)
    }
}
