internal import NIOCore

extension SSHConnection {
    /// The same connection for one more run, with a record and a deadline of its own.
    ///
    /// - Parameter connectTimeout: the time for the channel to open.
    package func shared(timeline: Timeline, connectTimeout: Duration) -> SSHConnection {
        var configuration = configuration
        configuration.timeouts.connect = connectTimeout
        timeline.secrets.add(recorder.timeline.secrets)
        return SSHConnection(
            session: session, recorder: EvidenceRecorder(hop: recorder.hop, timeline: timeline, path: recorder.path),
            configuration: configuration, deadline: nil)
    }

    /// Whether the connection is open, as far as is known locally.
    package var isAlive: Bool {
        get async { await session.fault == nil }
    }

    /// Returns once it has ended, from either side.
    package func ended() async {
        try? await session.carrier.closeFuture.get()
    }

    /// Starts keepalives to a silent server, or stops them.
    package func keepAlive(_ options: KeepaliveOptions?) async {
        await session.keepAlive(options)
    }
}
