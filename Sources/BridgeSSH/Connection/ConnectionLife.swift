internal import NIOCore
internal import Synchronization

/// Whether a connection may still be used, and what ended that.
final class ConnectionLife: Sendable {
    /// Why a connection is not to be used any more.
    enum End: Sendable {
        /// `close()` was called.
        case closed
        /// The closure that it was lent to has returned.
        case returned
        /// Nothing refers to it any more.
        case dropped
    }

    private let state = Mutex<End?>(nil)

    /// - Returns: whether this was the first end.
    func end(_ end: End) -> Bool {
        state.withLock { state in
            defer { state = state ?? end }
            return state == nil
        }
    }

    /// What is wrong with using it now; nil if nothing is.
    ///
    /// - Parameter use: the method that is called.
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

    /// Closes the connection and waits until it is closed, together with its jump hosts or its ProxyCommand. Commands that run
    /// on it are cancelled. Jump hosts of a ``SSHHopPool`` stay.
    ///
    /// A connection that a ``SSHConnectionPool`` has lent is only given up: the pool closes it.
    public func close() async { await end(.closed) }

    func end(_ end: ConnectionLife.End) async {
        guard life.end(end), owner == nil else { return }
        firstDeadline.withLock { $0 }?.cancel()
        await session.close()
        await recorder.path.close()
    }

    /// Closes what nothing refers to any more. The program should have done so: each of its connections holds a descriptor.
    func endDropped() {
        guard owner == nil, life.end(.dropped) else { return }
        firstDeadline.withLock { $0 }?.cancel()
        if !session.slots.isOver { recorder.timeline.warnOfDrop(recorder.endpoint) }
        // Nothing is left that could wait for it.
        Task { [session, path = recorder.path] in
            await session.close()
            await path.close()
        }
    }

    /// Logs the loss of the connection when it comes, whether or not anything runs on it.
    func logLoss() async {
        let (session, recorder) = (session, recorder)
        await session.transport.closeFuture.whenComplete { _ in
            // The record must not keep the event loop.
            Task {
                guard let fault = await session.faultIfLost else { return recorder.timeline.log("the connection is closed") }
                recorder.timeline.log(await recorder.error(fault, session: session))
            }
        }
    }

    /// Waits until the connection has ended, from either side.
    ///
    /// - Returns: why it was lost; nil if this side has closed it, or the task is cancelled first.
    public func closed() async -> SSHError? {
        await ended()
        guard let fault = await session.faultIfLost else { return nil }
        return await recorder.error(fault, session: session)
    }

    /// Returns once it has ended, from either side, or the task is cancelled.
    package func ended() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        await session.transport.closeFuture.whenComplete { _ in continuation.finish() }
        for await _ in stream {}
    }

    /// Whether the connection is open, as far as is known locally.
    package var isAlive: Bool {
        get async { await session.fault == nil }
    }
}

extension SSHConnection {
    /// The same connection for one more run, with a record and a deadline of its own. Where the server allows no further
    /// channel the run fails, and its owner goes another way.
    ///
    /// - Parameter connectTimeout: the time for the channel to open.
    package func shared(timeline: Timeline, connectTimeout: Duration) -> SSHConnection {
        var configuration = configuration
        configuration.timeouts.connect = connectTimeout
        return lent(timeline, configuration, .fail)
    }

    /// The same connection for another user.
    func lent(_ timeline: Timeline, _ configuration: SSHConnectionConfiguration, _ policy: ChannelPolicy) -> SSHConnection {
        timeline.enter(recorder.hop)
        timeline.secrets.add(recorder.timeline.secrets)
        return SSHConnection(
            session: session, recorder: EvidenceRecorder(hop: recorder.hop, timeline: timeline, path: recorder.path),
            configuration: configuration, deadline: nil, metrics: metrics, owner: self, channelPolicy: policy)
    }

    /// The host keys of all hops as they were accepted, the nearest hop's first.
    package var acceptedHostKeys: [KeptHostKey] {
        Hop.hops(to: endpoint, configuration).compactMap { recorder.timeline.facts(of: $0).acceptedKey }
    }

    /// Starts keepalives to a silent server, or stops them.
    package func keepAlive(_ options: SSHKeepaliveOptions?) async {
        await session.keepAlive(options)
    }

    /// How many channels are open, including those that wait for the server to close them.
    package func openChannels() async -> Int { await session.channelCount }
}
