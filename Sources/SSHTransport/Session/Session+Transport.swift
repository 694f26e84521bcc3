package import NIOCore

/// Bytes from and to the transport.
extension Session: ByteTransportClient {
    package nonisolated func transportIsReady(
        bytes: [ByteBuffer], end: SSHStreamEnd?, by cause: Fault?, givesBuffersBack: Bool
    ) {
        assumeIsolated { session in
            if givesBuffersBack { session.wire.enableBufferReuse() }
            for buffer in bytes { session.arrived(buffer) }
            if let end { session.noteEnd(end, by: cause) } else { session.requestRead() }
        }
    }

    package nonisolated func transportBrought(_ bytes: ByteBuffer) { assumeIsolated { $0.arrived(bytes) } }
    package nonisolated func transportBroughtAll() { assumeIsolated { $0.arrivalCompleted() } }

    package nonisolated func transportEnded(_ end: SSHStreamEnd, by cause: Fault?) {
        assumeIsolated { session in
            // After a fault this side has ended the stream.
            guard !session.isDead else { return }
            session.noteEnd(end, by: cause)
            session.pump()
        }
    }

    package nonisolated func transportAcceptsMore() { assumeIsolated { $0.pump() } }

    // MARK: Bytes in

    func arrived(_ buffer: ByteBuffer) {
        if !inbox.keep(buffer) { take(buffer) }
    }

    private func take(_ buffer: ByteBuffer) {
        wire.received(buffer)
        observations.sign()
        keepalive?.heard()
        if stage == .banner, case .found = wire.opening.outcome { enter(.keyExchange) }
        if wire.opening.outcome == .notSSH { fail(Fault(.identificationUnreadable, stage: .banner)) }
        if let violation = wire.opening.violation { fail(Fault(.protocolViolated(violation), stage: .keyExchange)) }
    }

    func arrivalCompleted() {
        inbox.readCompleted()
        if inbox.wantsEnd { requestRead() }
        inbox.wake()
        let sendCount = wire.sendCount
        pump()
        guard acknowledgesAtOnce, wire.sendCount == sendCount, !isDead else { return }
        // Resumed tasks run before this task and may send an answer, which acknowledges too.
        eventLoop.execute {
            self.assumeIsolated { if $0.wire.sendCount == sendCount, !$0.isDead { $0.transport.acknowledge() } }
        }
    }

    /// Waits until there are bytes that libssh2 has not seen, or the session fails.
    func arrival() async throws(Fault) {
        if wire.inboundCount == 0, !isDead {
            pump()
            await suspended {
                if wire.inboundCount > 0 || isDead { return $0.resume() }
                inbox.add($0, self)
            } onCancel: {
                $0.inbox.wake()
            }
        }
        if let fault { throw fault }
        if Task.isCancelled { throw .cancelled }
    }

    /// Notes the end of the stream without ending the session.
    private func noteEnd(_ end: SSHStreamEnd, by cause: Fault?) {
        if !inbox.ended(end, by: cause) { wire.ended(end) }
    }

    /// Back-pressure on the socket: reading pauses while libssh2 has not taken earlier bytes, or holds much for a slow reader.
    func requestRead() {
        guard !isDead, wire.inboundCount < 1 << 20, !isHeldBack, inbox.mayRead() else { return }
        transport.read()
    }

    /// Ends the session once its stream has ended and everything received has been read.
    func concludeIfEnded() {
        guard wire.hasEnded, !isDead else { return }
        // A session is idle between `attach` and its handshake, and bytes before the end are not parsed yet.
        let isIdle = calls.isEmpty && channels.isEmpty && !(isOpening && wire.inboundCount > 0)
        guard isIdle || (wire.inboundCount == 0 && channels.all.allSatisfy(\.isAtRest)) else { return }
        fail(inbox.endedBy ?? Fault(.streamEnded))
    }

    // MARK: Bytes out

    /// Whether the transport accepts more; when it does again, `pump` is called.
    var isWritable: Bool { transport.isWritable && wire.outboundCount < 1 << 18 }

    /// Sends the pending bytes.
    func flush() {
        guard wire.hasOutbound, !isLent else { return }
        transport.write(wire.takeOutbound())
        guard !transport.isWritable, transport.unsentCount > SessionBudget.unsent else { return }
        fail(Fault(.protocolViolated(.unreadAnswers(limit: SessionBudget.unsent))))
    }

    // MARK: Lending

    /// Runs a call on another thread, because it may wait for a person inside libssh2's callback.
    ///
    /// The actor does not touch the session in the meantime, and `call` must not outlive the returned value.
    ///
    /// - Parameter interrupt: makes the lent call return soon. It runs when the session or its stream ends.
    func lend<Value: Sendable>(
        _ call: @escaping @Sendable () -> Value, to runner: some Sendable & LentCallRunner,
        interrupt: @escaping @Sendable () -> Void
    ) async throws(Fault) -> Value {
        if let fault { throw fault }
        inbox.lend(interrupt: interrupt)
        if wire.hasEnded { interrupt() }
        let result = await runner.run(call)
        let (bytes, end) = inbox.takeBack()
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

/// The limit on libssh2's memory for a session: see ``SessionBudget``.
extension Session {
    /// Allows libssh2 as much memory as the channels' windows and this client's requests may need.
    ///
    /// - Parameter windows: all windows together, in bytes.
    func updateBudget(windows: Int) {
        guard isAuthenticated else { return }
        library.allow(SessionBudget.afterAuthentication(windows: windows, keepalives: library.keepaliveCount))
    }

    /// The user is authenticated: from now on channels have windows.
    func beginBudget() {
        library.hasAuthenticated()
        updateBudget(windows: 0)
    }

    /// Ends the session if libssh2 holds much data that no reader will take.
    func concludeIfFlooded() {
        guard isAuthenticated, !isDead, library.held > SessionBudget.idle else { return }
        let expected =
            SessionBudget.idle + channels.count * SessionBudget.channel
            + library.keepaliveCount * SessionBudget.keepaliveAnswer
        guard library.held > expected, channels.all.allSatisfy(\.isDrained) else { return }
        fail(Fault(.protocolViolated(.unrequestedData(limit: SessionBudget.idle))))
    }

    /// Whether the server must wait for the reader of a channel: more data could exceed the budget.
    ///
    /// Large packets stay within the windows. Small ones take a multiple of their size in libssh2's memory.
    var isHeldBack: Bool {
        isAuthenticated && library.held > library.budget - SessionBudget.reserve
            && channels.all.contains { $0.awaitsReader }
    }
}
