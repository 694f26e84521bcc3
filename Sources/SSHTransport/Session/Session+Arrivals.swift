internal import NIOCore

/// A session's bookkeeping of received bytes, besides the bytes.
struct Arrivals {
    /// Whether the carrier has been asked for more.
    var isReading = false
    /// While another thread holds the session (see `lend`), what arrives waits here.
    var isLent = false
    var whileLent: [ByteBuffer] = []
    var endWhileLent: StreamEnd?
    /// Makes the other thread return the session soon.
    var interruptLoan: (@Sendable () -> Void)?
    /// What ended the stream, where an earlier hop's fault did.
    var endedBy: Fault?
    /// The tasks that wait for bytes that libssh2 has not seen.
    var waiters: [CheckedContinuation<Void, Never>] = []
}

extension Session {
    // MARK: Called by the handler

    func arrived(_ buffer: ByteBuffer) {
        if isLent { arrivals.whileLent.append(buffer) } else { take(buffer) }
    }

    private func take(_ buffer: ByteBuffer) {
        wire.received(buffer)
        lastSign = .now
        keepalive?.heard()
        if stage == .banner, case .found = wire.openingOutcome { enter(.keyExchange) }
        if wire.openingOutcome == .notSSH { fail(Fault(.identificationUnreadable, stage: .banner)) }
        if let violation = wire.openingViolation { fail(Fault(.protocolViolated(violation), stage: .keyExchange)) }
    }

    func arrivalCompleted() {
        arrivals.isReading = false
        // The end of the stream, behind whatever comes before it, interrupts the loan.
        if isLent, arrivals.whileLent.reduce(0, { $0 + $1.readableBytes }) < 1 << 18 { requestRead() }
        wakeArrivalWaiters()
        let sendCount = wire.sendCount
        pump()
        guard !hasStartedProgram, wire.sendCount == sendCount, !isDead else { return }
        // Resumed tasks run before this does, and may answer: that acknowledges, too.
        eventLoop.execute {
            self.assumeIsolated { if $0.wire.sendCount == sendCount, !$0.isDead { $0.carrier.acknowledge() } }
        }
    }

    func wakeArrivalWaiters() {
        guard !arrivals.waiters.isEmpty else { return }
        let waiters = arrivals.waiters
        arrivals.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until there are bytes that libssh2 has not seen, or the session fails.
    func arrival() async throws(Fault) {
        if wire.inboundCount == 0, !isDead {
            pump()
            await suspended {
                if wire.inboundCount > 0 || isDead { return $0.resume() }
                arrivals.waiters.append($0)
            } onCancel: {
                $0.wakeArrivalWaiters()
            }
        }
        if let fault { throw fault }
        if Task.isCancelled { throw .cancelled }
    }

    /// - Parameter cause: the fault of the earlier hop that ended the stream.
    func streamEnded(_ end: StreamEnd, by cause: Fault? = nil) {
        // The end that a fault brings about is ours.
        guard !isDead else { return }
        noteEnd(end, by: cause)
        pump()
    }

    /// Draws no conclusion yet.
    func noteEnd(_ end: StreamEnd, by fault: Fault? = nil) {
        arrivals.endedBy = arrivals.endedBy ?? fault
        guard !isLent else {
            arrivals.endWhileLent = arrivals.endWhileLent ?? end
            arrivals.interruptLoan?()
            return
        }
        wire.ended(end)
    }

    /// Back-pressure on the socket: nothing is read while libssh2 has not taken what came before, or holds much for a slow reader.
    func requestRead() {
        guard !arrivals.isReading, !isDead, wire.inboundCount < 1 << 20, !isHeldBack else { return }
        arrivals.isReading = true
        carrier.read()
    }

    func concludeIfEnded() {
        guard wire.hasEnded, !isDead else { return }
        // Between being attached and its handshake a session is idle, and what came before the end is yet to be judged.
        let isOpening = stage == .banner || stage == .keyExchange
        let isIdle = waitingCount == 0 && channels.isEmpty && !(isOpening && wire.inboundCount > 0)
        guard isIdle || (wire.inboundCount == 0 && channels.values.allSatisfy(\.isAtRest)) else { return }
        fail(arrivals.endedBy ?? Fault(.streamEnded))
    }

    // MARK: Lending

    /// Runs a call on another thread, for one that may wait for a person inside libssh2's callback.
    ///
    /// The session is not touched here in the meantime, and `call` must not outlive the returned value.
    ///
    /// - Parameter interrupt: makes the call return soon. It is called when the session or its stream ends.
    func lend(
        _ call: @escaping @Sendable () -> Int, to runner: some Sendable & LentCallRunner,
        interrupt: @escaping @Sendable () -> Void
    ) async throws(Fault) -> Int {
        if let fault { throw fault }
        arrivals.isLent = true
        arrivals.interruptLoan = interrupt
        if wire.hasEnded { interrupt() }
        let result = await runner.run(call)
        arrivals.isLent = false
        arrivals.interruptLoan = nil
        for buffer in arrivals.whileLent { take(buffer) }
        arrivals.whileLent = []
        if let end = arrivals.endWhileLent { wire.ended(end) }
        arrivals.endWhileLent = nil
        collectObserved()
        flush()
        if let fault { throw fault }
        return result
    }
}

/// Runs a lent call somewhere that may block.
package protocol LentCallRunner {
    func run(_ call: @escaping @Sendable () -> Int) async -> Int
}
