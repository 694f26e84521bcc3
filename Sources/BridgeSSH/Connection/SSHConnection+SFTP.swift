/// Lends SFTP clients. Conforming types are ``SSHConnection``, the connections of a pool
/// (``SSHConnectionPool/commands(on:configuration:)``), and for tests `InMemoryFiles` in `BridgeSSHTesting`.
///
/// Code that takes `some SFTPProviding` can be tested without a server.
public protocol SFTPProviding: Sendable {
    /// Lends a client to `body`, and ends it, even after an error.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/withSFTP(isolation:_:)``; errors of `body`.
    func withSFTP<Value>(
        isolation: isolated (any Actor)?, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value
}

extension SFTPProviding {
    /// Lends a client to `body`, and ends it, even after an error.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/withSFTP(isolation:_:)``; errors of `body`.
    public nonisolated(nonsending) func withSFTP<Value>(_ body: (SFTPClient) async throws -> Value) async throws -> Value {
        try await withSFTP(isolation: #isolation, body)
    }
}

extension SSHConnection: SFTPProviding {}

extension SSHConnection {
    /// Starts the SFTP server, lends a client for it to `body`, and ends it, even after an error.
    ///
    /// - Throws: ``SSHError``: `ssh.channel.subsystem-missing` if the server has no SFTP; `ssh.sftp.version-unsupported`;
    ///   `ssh.sftp.protocol-error` if the server's data is not SFTP. Errors of `body`.
    public func withSFTP<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        if let problem = life.misuse(by: "withSFTP") { throw await misused(problem) }
        let span = ChannelSpan("ssh.sftp", on: endpoint)
        do {
            let (sftp, other) = try await beginHereOrElsewhere { try await $0.startSFTP(on: $0.session) }
            do {
                let value = try await body(sftp.client)
                await end(sftp.transport, other)
                span.ended()
                return value
            } catch {
                await end(sftp.transport, other)
                throw error
            }
        } catch {
            span.failed(error)
            throw error
        }
    }

    private func end(_ transport: ChannelSFTP, _ other: BorrowedConnection?) async {
        let session = transport.connection.session
        await session.endSFTP(transport.channel)
        await session.closeChannel(transport.channel)
        recorder.timeline.end()
        await other?.giveBack()
    }

    /// The connection's deadline applies until the server has sent its version.
    private func startSFTP(on session: isolated Session) async throws -> (client: SFTPClient, transport: ChannelSFTP) {
        recorder.timeline.begin(.channel, "starting the sftp subsystem")
        do throws(Fault) {
            let (channel, endDeadline) = try await openChannel(on: session)
            defer { endDeadline() }
            do throws(Fault) {
                try await session.startSubsystem(channel, "sftp")
                let version = try await session.beginSFTP(channel)
                try version.check()
                let limits = version.hasLimits ? try await session.sftp(channel, [.limits]).first : nil
                recorder.timeline.begin(.sftp, "copying", channel: channel)
                let transport = ChannelSFTP(connection: self, channel: channel)
                return (SFTPClient(transport: transport, version: version, limits: limits), transport)
            } catch {
                session.endSFTP(channel)
                session.closeChannel(channel)
                throw error
            }
        } catch {
            var failure = await recorder.error(error, session: session)
            // While logins are closed, sshd without PAM starts no SFTP server either. It says so on the standard error of a
            // subsystem, which is discarded, and on that of a command. The status may come after the end of the output.
            let ends = [Self.nologin, nil].map { Fault.sftpServerEnded(exitStatus: $0).event }
            if ends.contains(error.event), let closed = await closedLogins() { failure = closed }
            recorder.timeline.log(failure)
            throw failure
        }
    }
}

/// SFTP over a channel of a connection.
private struct ChannelSFTP: SFTPTransport {
    let connection: SSHConnection
    let channel: ChannelID

    func exchange(_ requests: [SFTPRequest], isCleanup: Bool) async throws -> [SFTPReply] {
        do throws(Fault) {
            return try await connection.session.sftp(channel, requests, isCleanup: isCleanup)
        } catch {
            throw await connection.recorder.error(error, session: connection.session)
        }
    }

    func error(of fault: Fault) async -> SSHError { await connection.recorder.error(fault) }

    /// The script goes to `sh`, because login shells have different quoting rules.
    func output(ofShellScript script: String, outputLimit: Int, timeLimit: Duration) async throws -> String {
        var options = SSHCommandOptions()
        options.outputLimit = outputLimit
        options.timeout = timeLimit
        let input = SSHStandardInput.bytes(PathText.bytes(of: script))
        guard case .wait = connection.channelPolicy else {
            return try await connection.run("sh", options: options, standardInput: input).standardOutputText
        }
        while true {
            do {
                let beside = connection.shared(
                    timeline: connection.recorder.timeline, connectTimeout: connection.configuration.timeouts.connect)
                return try await beside.run("sh", options: options, standardInput: input).standardOutputText
            } catch let error as SSHError where error.code == .channelSessionLimit {
                // If only this transfer occupies the channel, waiting for another channel would never end.
                guard await connection.openChannels() > 1 else { throw error }
                try await Task.sleep(for: Self.retryInterval)
            }
        }
    }

    /// The wait before asking the server for a channel again.
    private static let retryInterval = Duration.milliseconds(50)
}

/// An SFTP channel whose bytes are relayed: from another process's connection, or from a command that is the SFTP server.
package protocol RelayedChannel: Sendable {
    /// Waits until it is known why the relayed bytes ended.
    ///
    /// - Returns: the connection's failure; a nil error if only the SFTP server has ended.
    func failure() async -> (error: SSHError?, exitStatus: Int?)

    /// Waits for the end of a channel whose input has ended, or ends it soon if the task is cancelled.
    func leave() async

    /// As ``SFTPTransport/output(ofShellScript:outputLimit:timeLimit:)``.
    func output(ofShellScript script: String, outputLimit: Int, timeLimit: Duration) async throws -> String
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
    package var startTimeLimit: Double { recorder.hop.configuration.timeouts.connect.boundedSeconds }

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
            let version = try await begin(pipe, startTimeLimit)
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

    package func output(ofShellScript script: String, outputLimit: Int, timeLimit: Duration) async throws -> String {
        try await channel.output(ofShellScript: script, outputLimit: outputLimit, timeLimit: timeLimit)
    }
}
