extension SSHConnection {
    /// The same connection for one more run, with a record and a deadline of its own. Where the server allows no further channel
    /// the run fails, and its owner goes another way.
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
