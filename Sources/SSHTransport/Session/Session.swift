package import NIOCore

/// One libssh2 session over one carrier.
///
/// The actor runs on the carrier's event loop, so libssh2 is entered by one thread and one call at a time. It coordinates parts that
/// keep their own rules: ``CallQueue`` (whose turn it is), ``ChannelTable``, ``AuthenticationRecord``, ``SessionFacts`` and
/// ``SessionProgress`` (what was observed, and the first fault), ``Arrivals`` and ``PumpRounds`` (bytes in, and who waits for them).
///
/// Calls that would block are kept and repeated by `pump()` whenever bytes arrive. libssh2 never learns that the stream has
/// ended: it would then refuse to hand out what it has already received. The session itself draws the conclusion, once
/// everything received has been read.
package actor Session: LoopActor {
    package nonisolated var eventLoop: any EventLoop { executor.loop }
    /// Also for tasks that do little but wait for this session.
    package nonisolated let executor: LoopExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package let carrier: any Carrier
    let library: LibrarySession
    let calls = CallQueue()
    let channels = ChannelTable()
    /// The session channels as the server counts them.
    package nonisolated let slots = ChannelSlots()
    var authenticationRecord = AuthenticationRecord()
    var facts = SessionFacts()
    let arrivals = Arrivals()
    private var progress = SessionProgress()
    private var rounds = PumpRounds()
    private let stageBegan: @Sendable (SSHStage) -> Void
    var keepalive: Keepalive?
    /// The deadlines of channels that are being opened.
    package let deadlines: SharedTimer

    var wire: Wire { library.wire }
    /// The session's current stage, which a fault is attributed to.
    package var stage: SSHStage { progress.stage }
    /// The first fault; the session is dead from then on.
    package var fault: Fault? { progress.fault }
    var isDead: Bool { progress.isDead }
    var isAuthenticated: Bool { progress.isAuthenticated }
    /// Whether the server has not been asked for the authentication service yet.
    var isOpening: Bool { progress.isOpening }
    /// Whether another thread holds the session: see `lend`.
    var isLent: Bool { arrivals.isLent }
    /// How many calls have not ended.
    var waitingCount: Int { calls.count }

    /// A session over a carrier.
    ///
    /// - Parameter stageBegan: called on the event loop for each stage that begins by itself.
    package init(carrier: any Carrier, stageBegan: @escaping @Sendable (SSHStage) -> Void) throws(Fault) {
        self.carrier = carrier
        self.stageBegan = stageBegan
        executor = LoopExecutor.of(carrier.eventLoop)
        deadlines = SharedTimer(on: executor.loop)
        library = try LibrarySession()
    }

    /// Starts to receive from the carrier.
    package func attach() {
        wire.share(executor.spare.value)
        carrier.attach(self)
    }

    // MARK: Stages

    /// Enters a stage.
    func enter(_ stage: SSHStage) {
        if progress.enter(stage) { beginBudget() }
        stageBegan(stage)
    }

    /// A command, a subsystem or a tunnel runs.
    func programStarted() { progress.programStarted() }

    /// Whether what arrives is acknowledged at once: see ``SessionProgress/hasStartedProgram``.
    var acknowledgesAtOnce: Bool { !progress.hasStartedProgram }

    // MARK: The pump

    /// After a call that was made outside of the pump: where it has taken nothing in, no other call can get on.
    func pump(since consumed: Int, flushes: Bool = true) {
        guard wire.consumedCount == consumed, wire.inboundCount == 0, !wire.hasEnded, !isLent, !isDead, !library.isViolated else {
            return pump(flushes: flushes)
        }
        if flushes { flush() }
        requestRead()
    }

    /// Repeats every waiting call until no more bytes are taken.
    ///
    /// - Parameter flushes: whether what is to be sent goes out now. Otherwise the caller sees to it.
    func pump(flushes: Bool = true) {
        guard !isLent, !isDead, rounds.begin() else { return }
        repeat {
            rounds.beginRound(consumed: wire.consumedCount, held: library.held)
            makeCalls()
            if !isDead { serveChannels() }
            collectObserved()
            concludeIfViolated()
            concludeIfFlooded()
        } while rounds.endRound(consumed: wire.consumedCount, held: library.held, remaining: wire.inboundCount) && !isDead
        rounds.end()
        if flushes { flush() }
        concludeIfEnded()
        requestRead()
    }

    /// Whether a call may be made outside of the pump.
    var mayCall: Bool { !isLent && !rounds.isRunning && !isDead }

    private func makeCalls() {
        guard !calls.isEmpty else { return }
        let hasEnded = calls.makeCalls(while: { !isDead }) { call, result in
            collectObserved(after: result)
            call.finish(outcome(of: result, nextStage: call.nextStage))
            if let id = call.channel, channels[id]?.closesWhenIdle == true { closeChannel(id) }
        }
        if hasEnded { rounds.askAgain() }
    }

    // MARK: The end

    /// Ends the session with its first fault; later ones are consequences. Every wait for the session ends here.
    func fail(_ fault: Fault) {
        guard let first = progress.end(with: fault) else { return }
        salvage()
        calls.endAll(with: first)
        channels.sessionFailed(first)
        slots.end()
        arrivals.sessionFailed()
        keepalive?.stop()
        deadlines.stop()
        carrier.close()
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
        // Without the preference it would be a thread of the pool that is woken, only to come back here.
        await withTaskExecutorPreference(executor) { try? await carrier.closeFuture.get() }
    }
}
