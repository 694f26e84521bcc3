package import NIOCore

/// Bytes from and to the carrier.
extension Session: CarrierClient {
    package nonisolated func carrierIsReady(
        bytes: [ByteBuffer], end: SSHStreamEnd?, by cause: Fault?, givesBuffersBack: Bool
    ) {
        assumeIsolated { session in
            if givesBuffersBack { session.wire.giveBuffersBack() }
            for buffer in bytes { session.arrived(buffer) }
            if let end { session.noteEnd(end, by: cause) } else { session.requestRead() }
        }
    }

    package nonisolated func carrierBrought(_ bytes: ByteBuffer) { assumeIsolated { $0.arrived(bytes) } }
    package nonisolated func carrierBroughtAll() { assumeIsolated { $0.arrivalCompleted() } }

    package nonisolated func carrierEnded(_ end: SSHStreamEnd, by cause: Fault?) {
        assumeIsolated { session in
            // The end that a fault brings about is ours.
            guard !session.isDead else { return }
            session.noteEnd(end, by: cause)
            session.pump()
        }
    }

    package nonisolated func carrierAcceptsMore() { assumeIsolated { $0.pump() } }

    // MARK: Bytes in

    func arrived(_ buffer: ByteBuffer) {
        if !arrivals.keep(buffer) { take(buffer) }
    }

    private func take(_ buffer: ByteBuffer) {
        wire.received(buffer)
        facts.sign()
        keepalive?.heard()
        if stage == .banner, case .found = wire.opening.outcome { enter(.keyExchange) }
        if wire.opening.outcome == .notSSH { fail(Fault(.identificationUnreadable, stage: .banner)) }
        if let violation = wire.opening.violation { fail(Fault(.protocolViolated(violation), stage: .keyExchange)) }
    }

    func arrivalCompleted() {
        arrivals.readCompleted()
        if arrivals.wantsEnd { requestRead() }
        arrivals.wake()
        let sendCount = wire.sendCount
        pump()
        guard acknowledgesAtOnce, wire.sendCount == sendCount, !isDead else { return }
        // Resumed tasks run before this does, and may answer: that acknowledges, too.
        eventLoop.execute {
            self.assumeIsolated { if $0.wire.sendCount == sendCount, !$0.isDead { $0.carrier.acknowledge() } }
        }
    }

    /// Waits until there are bytes that libssh2 has not seen, or the session fails.
    func arrival() async throws(Fault) {
        if wire.inboundCount == 0, !isDead {
            pump()
            await suspended {
                if wire.inboundCount > 0 || isDead { return $0.resume() }
                arrivals.add($0, self)
            } onCancel: {
                $0.arrivals.wake()
            }
        }
        if let fault { throw fault }
        if Task.isCancelled { throw .cancelled }
    }

    /// Draws no conclusion yet.
    private func noteEnd(_ end: SSHStreamEnd, by cause: Fault?) {
        if !arrivals.ended(end, by: cause) { wire.ended(end) }
    }

    /// Back-pressure on the socket: nothing is read while libssh2 has not taken what came before, or holds much for a slow reader.
    func requestRead() {
        guard !isDead, wire.inboundCount < 1 << 20, !isHeldBack, arrivals.mayRead() else { return }
        carrier.read()
    }

    /// Ends the session once its stream has ended and everything received has been read.
    func concludeIfEnded() {
        guard wire.hasEnded, !isDead else { return }
        // Between being attached and its handshake a session is idle, and what came before the end is yet to be judged.
        let isIdle = calls.isEmpty && channels.isEmpty && !(isOpening && wire.inboundCount > 0)
        guard isIdle || (wire.inboundCount == 0 && channels.all.allSatisfy(\.isAtRest)) else { return }
        fail(arrivals.endedBy ?? Fault(.streamEnded))
    }

    // MARK: Bytes out

    /// Whether the carrier accepts more; when it does again, `pump` is called.
    var isWritable: Bool { carrier.isWritable && wire.outboundCount < 1 << 18 }

    /// Sends what waits to be sent.
    func flush() {
        guard wire.hasOutbound, !isLent else { return }
        carrier.write(wire.takeOutbound())
        guard !carrier.isWritable, carrier.unsentCount > SessionBudget.unsent else { return }
        fail(Fault(.protocolViolated(.unreadAnswers(limit: SessionBudget.unsent))))
    }

    // MARK: Lending

    /// Runs a call on another thread, for one that may wait for a person inside libssh2's callback.
    ///
    /// The session is not touched here in the meantime, and `call` must not outlive the returned value.
    ///
    /// - Parameter interrupt: makes the call return soon. It is called when the session or its stream ends.
    func lend<Value: Sendable>(
        _ call: @escaping @Sendable () -> Value, to runner: some Sendable & LentCallRunner,
        interrupt: @escaping @Sendable () -> Void
    ) async throws(Fault) -> Value {
        if let fault { throw fault }
        arrivals.lend(interrupt: interrupt)
        if wire.hasEnded { interrupt() }
        let result = await runner.run(call)
        let (bytes, end) = arrivals.takeBack()
        for buffer in bytes { take(buffer) }
        if let end { wire.ended(end) }
        collectObserved()
        flush()
        if let fault { throw fault }
        return result
    }
}

extension Session: LoopWriter {
    nonisolated func flushPending() { assumeIsolated { $0.flush() } }
}
