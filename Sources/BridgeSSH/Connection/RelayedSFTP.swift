/// The SFTP channel that another process has on its connection, and relays.
package protocol RelayedChannel: Sendable {
    /// Why the relayed bytes have ended; waits until that is known.
    ///
    /// - Returns: the connection's failure; nil if only the SFTP server has ended.
    func failure() async -> (error: SSHError?, exitStatus: Int?)

    /// Waits for the end of a channel whose input has ended; in a hurry if the task is cancelled.
    func leave() async

    /// As ``SFTPCarrier/output(ofShellScript:outputLimit:patience:)``.
    func output(ofShellScript script: String, outputLimit: Int, patience: Duration) async throws -> String
}

/// SFTP over a channel that another process relays.
package struct RelayedSFTP: Sendable {
    private let channel: any RelayedChannel
    private let recorder: EvidenceRecorder
    private let pipe = SFTPPipe()

    /// - Parameters:
    ///   - endpoint: where the other process is connected to.
    ///   - configuration: how this one would have been.
    package init(
        _ channel: any RelayedChannel, at endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, timeline: Timeline
    ) {
        self.channel = channel
        let hops = Hop.hops(to: endpoint, configuration)
        let hop = hops.last ?? Hop(endpoint: endpoint, configuration: configuration, place: nil)
        recorder = EvidenceRecorder(hop: hop, timeline: timeline)
        timeline.enter(hop)
    }

    /// Lends a client to `body`, and ends the channel, whatever happens.
    ///
    /// - Parameter descriptor: the socket that the bytes go through; taken over.
    /// - Throws: as ``SSHConnection/withSFTP(isolation:_:)``.
    package func withClient<Value>(
        over descriptor: Int32, isolation: isolated (any Actor)? = #isolation, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body(await client(over: descriptor))
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    private func client(over descriptor: Int32) async throws -> SFTPClient {
        do throws(Fault) {
            let version = try await pipe.begin(
                over: descriptor, within: recorder.hop.configuration.timeouts.connect.boundedSeconds)
            try version.check()
            let limits = version.hasLimits ? try await pipe.exchange([.limits]).first : nil
            recorder.timeline.begin(.sftp, "copying")
            return SFTPClient(carrier: self, version: version, limits: limits)
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

    /// The bytes end because of something that only the other process knows.
    private func failure(for fault: Fault) async -> SSHError {
        guard await pipe.hasEnded, fault.event != .cancelled(signal: nil) else { return await recorder.error(fault) }
        let end = await channel.failure()
        if let error = end.error { return error }
        return await recorder.error(.sftpServerEnded(exitStatus: end.exitStatus))
    }
}

extension RelayedSFTP: SFTPCarrier {
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
