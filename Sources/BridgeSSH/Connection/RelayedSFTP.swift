/// An SFTP channel whose bytes are relayed: from another process's connection, or from a command that is the SFTP server.
package protocol RelayedChannel: Sendable {
    /// Waits until it is known why the relayed bytes ended.
    ///
    /// - Returns: the connection's failure; a nil error if only the SFTP server has ended.
    func failure() async -> (error: SSHError?, exitStatus: Int?)

    /// Waits for the end of a channel whose input has ended, or ends it soon if the task is cancelled.
    func leave() async

    /// As ``SFTPTransport/output(ofShellScript:outputLimit:patience:)``.
    func output(ofShellScript script: String, outputLimit: Int, patience: Duration) async throws -> String
}

/// SFTP over a relayed channel.
package struct RelayedSFTP: Sendable {
    private let channel: any RelayedChannel
    private let recorder: EvidenceRecorder
    /// Receives the server's bytes if no socket carries them.
    package let pipe = SFTPPipe()

    /// - Parameters:
    ///   - endpoint: the host to which the other process is connected.
    ///   - configuration: the configuration for the same host in this process.
    package init(
        _ channel: any RelayedChannel, at endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, timeline: Timeline
    ) {
        self.channel = channel
        let hops = Hop.hops(to: endpoint, configuration)
        let hop = hops.last ?? Hop(endpoint: endpoint, configuration: configuration, place: nil)
        recorder = EvidenceRecorder(hop: hop, timeline: timeline)
        timeline.enter(hop)
    }

    /// - Parameter connection: the connection in this process to which the channel belongs.
    package init(_ channel: any RelayedChannel, on connection: SSHConnection) {
        self.channel = channel
        recorder = connection.recorder
    }

    /// The time limit for the server's start, in seconds.
    package var patience: Double { recorder.hop.configuration.timeouts.connect.boundedSeconds }

    /// Lends a client to `body`, and ends the channel, even after an error.
    ///
    /// - Parameter descriptor: the socket for the bytes; the callee closes it.
    /// - Throws: as ``SSHConnection/withSFTP(isolation:_:)``.
    package func withClient<Value>(
        over descriptor: Int32, isolation: isolated (any Actor)? = #isolation, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        try await withClient(isolation: isolation, body) { pipe, seconds throws(Fault) in
            try await pipe.begin(over: descriptor, within: seconds)
        }
    }

    /// The same, with the client's bytes going to `sink` and the server's bytes coming from ``pipe``.
    ///
    /// - Throws: as ``SSHConnection/withSFTP(isolation:_:)``.
    package func withClient<Value>(
        through sink: @escaping SFTPPipe.Sink, isolation: isolated (any Actor)? = #isolation,
        _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        try await withClient(isolation: isolation, body) { pipe, seconds throws(Fault) in
            try await pipe.begin(through: sink, within: seconds)
        }
    }

    private typealias BeginCall = @Sendable (SFTPPipe, _ seconds: Double) async throws(Fault) -> SFTPVersion

    private func withClient<Value>(
        isolation: isolated (any Actor)?, _ body: (SFTPClient) async throws -> Value, _ begin: BeginCall
    ) async throws -> Value {
        do {
            let value = try await body(await client(begin))
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    private func client(_ begin: BeginCall) async throws -> SFTPClient {
        do throws(Fault) {
            let version = try await begin(pipe, patience)
            try version.check()
            let limits = version.hasLimits ? try await pipe.exchange([.limits]).first : nil
            recorder.timeline.begin(.sftp, "copying")
            return SFTPClient(transport: self, version: version, limits: limits)
        } catch {
            let failure = await failure(for: error)
            recorder.timeline.log(failure)
            throw failure
        }
    }

    private func end() async {
        await pipe.finish()
        await channel.leave()
        await pipe.close()
        recorder.timeline.end()
    }

    /// Only the other process knows why the bytes ended.
    private func failure(for fault: Fault) async -> SSHError {
        guard await pipe.hasEnded, fault.event != .cancelled(signal: nil) else { return await recorder.error(fault) }
        let end = await channel.failure()
        if let error = end.error { return error }
        return await recorder.error(.sftpServerEnded(exitStatus: end.exitStatus))
    }
}

extension RelayedSFTP: SFTPTransport {
    package func exchange(_ requests: [SFTPRequest], isCleanup: Bool) async throws -> [SFTPReply] {
        do throws(Fault) {
            return try await pipe.exchange(requests, isCleanup: isCleanup)
        } catch {
            throw await failure(for: error)
        }
    }

    package func error(of fault: Fault) async -> SSHError { await recorder.error(fault) }

    package func output(ofShellScript script: String, outputLimit: Int, patience: Duration) async throws -> String {
        try await channel.output(ofShellScript: script, outputLimit: outputLimit, patience: patience)
    }
}
