internal import NIOCore
internal import Synchronization

/// Whether a connection may still be used, and what ended its use.
final class ConnectionLife: Sendable {
    /// Why a connection must not be used any more.
    enum End: Sendable {
        /// `close()` was called.
        case closed
        /// The closure that borrowed it has returned.
        case returned
        /// Nothing refers to it any more.
        case dropped
    }

    private let state = Mutex<End?>(nil)

    /// - Returns: whether this was the first reason.
    func end(_ end: End) -> Bool {
        state.withLock { state in
            defer { state = state ?? end }
            return state == nil
        }
    }

    /// Why the connection cannot be used now; nil if it can.
    ///
    /// - Parameter use: the name of the called method.
    func misuse(by use: String) -> String? {
        switch state.withLock({ $0 }) {
        case nil: nil
        case .closed: "\(use) was called after close()"
        case .returned: "\(use) was called after the closure that the connection was lent to had returned"
        case .dropped: "\(use) was called after its last reference had gone"
        }
    }
}

extension SSHConnection {
    /// - Parameter problem: see ``ConnectionLife/misuse(by:)``.
    @inline(never)
    func misused(_ problem: String) async -> SSHError {
        await recorder.error(Fault(.closed(problem: problem), stage: .local))
    }

    /// Closes the connection, its jump hosts and its ProxyCommand, and waits until they are closed. Running commands are
    /// cancelled. Jump hosts of an ``SSHHopPool`` stay open.
    ///
    /// A connection from an ``SSHConnectionPool`` only becomes unusable: the pool closes it.
    public func close() async { await end(.closed) }

    /// The connection that was opened: this one, or the one that it was lent by.
    private var first: SSHConnection { owner?.first ?? self }

    func end(_ end: ConnectionLife.End) async {
        guard life.end(end) else { return }
        await first.recorder.learnHostKeys(on: session, isLast: owner == nil)
        guard owner == nil else { return }
        firstDeadline.withLock { $0 }?.cancel()
        await session.close()
        await recorder.path.close()
    }

    /// Closes a connection that nothing refers to. The program should have closed it: each open connection holds a file
    /// descriptor.
    func endDropped() {
        guard owner == nil, life.end(.dropped) else { return }
        firstDeadline.withLock { $0 }?.cancel()
        if !session.slots.isOver { recorder.timeline.warnOfDrop(recorder.endpoint) }
        // No caller is left that could wait for it.
        Task { [session, path = recorder.path] in
            await session.close()
            await path.close()
        }
    }

    /// Logs the loss of the connection when it happens, even if nothing is running.
    func logLoss() async {
        let (session, recorder) = (session, recorder)
        await session.transport.closeFuture.whenComplete { _ in
            // The record must not hold up the event loop.
            Task {
                guard let fault = await session.faultIfLost else { return recorder.timeline.log("the connection is closed") }
                recorder.timeline.log(await recorder.error(fault, session: session))
            }
        }
    }

    /// Waits until either side has ended the connection.
    ///
    /// - Returns: why it was lost; nil if this side closed it, or if the task is cancelled first.
    public func closed() async -> SSHError? {
        await ended()
        guard let fault = await session.faultIfLost else { return nil }
        return await recorder.error(fault, session: session)
    }

    /// Returns once either side has ended the connection, or the task is cancelled.
    package func ended() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        await session.transport.closeFuture.whenComplete { _ in continuation.finish() }
        for await _ in stream {}
    }

    /// Whether the connection is open, as far as this side knows.
    package var isAlive: Bool {
        get async { await session.fault == nil }
    }
}

extension SSHConnection {
    /// The same connection for one more run, with its own timeline and deadline. If the server allows no more channels, the run
    /// fails, and its owner takes another route.
    ///
    /// - Parameter connectTimeout: the time limit for opening the channel.
    package func shared(timeline: Timeline, connectTimeout: Duration) -> SSHConnection {
        var configuration = configuration
        configuration.timeouts.connect = connectTimeout
        return lent(timeline, configuration, .fail)
    }

    /// The same connection for another borrower.
    func lent(_ timeline: Timeline, _ configuration: SSHConnectionConfiguration, _ policy: ChannelPolicy) -> SSHConnection {
        timeline.enter(recorder.hop)
        timeline.secrets.add(recorder.timeline.secrets)
        return SSHConnection(
            session: session, recorder: EvidenceRecorder(hop: recorder.hop, timeline: timeline, path: recorder.path),
            configuration: configuration, deadline: nil, metrics: metrics, owner: self, channelPolicy: policy)
    }

    /// The accepted host keys of all hops, the nearest hop's first.
    package var acceptedHostKeys: [KeptHostKey] {
        Hop.hops(to: endpoint, configuration).compactMap { recorder.timeline.facts(of: $0).acceptedKey }
    }

    /// What became of the host keys that the server announced; nil if known_hosts had them all, and before ``close()``.
    package var hostKeyUpdate: HostKeyUpdate? { recorder.timeline.facts(of: recorder.hop).hostKeyUpdate }

    /// Starts keepalives to a silent server, or stops them.
    package func keepAlive(_ options: SSHKeepaliveOptions?) async {
        await session.keepAlive(options)
    }

    /// The number of channels that count at the server, including those that it has not closed yet.
    package func openChannels() async -> Int { await session.channelCount }
}
