internal import NIOCore

extension SSHConnection {
    /// The same connection for one run more, with a record and a deadline of its own.
    ///
    /// - Parameter connectTimeout: seconds for the channel to open.
    package func shared(timeline: Timeline, connectTimeout: Double) -> SSHConnection {
        var configuration = configuration
        configuration.timeouts.connect = connectTimeout
        timeline.secrets.add(recorder.timeline.secrets)
        return SSHConnection(
            session: session, recorder: EvidenceRecorder(hop: recorder.hop, timeline: timeline, path: recorder.path),
            configuration: configuration, deadline: nil)
    }

    /// Whether nothing has ended it yet, as far as is known here.
    package var isAlive: Bool {
        get async { await session.fault == nil }
    }

    /// Returns once it has ended, by whichever side.
    package func ended() async {
        try? await session.carrier.closeFuture.get()
    }

    /// Asks a silent server for a sign of life from now on, or no longer.
    package func keepAlive(_ options: KeepaliveOptions?) async {
        await session.keepAlive(options)
    }
}
