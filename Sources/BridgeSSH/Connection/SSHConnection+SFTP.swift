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
    func output(ofShellScript script: String, outputLimit: Int, patience: Duration) async throws -> String {
        var options = SSHCommandOptions()
        options.outputLimit = outputLimit
        options.timeout = patience
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
                // If only this transfer occupies the channel, waiting for room would never end.
                guard await connection.openChannels() > 1 else { throw error }
                try await Task.sleep(for: Self.lag)
            }
        }
    }

    /// The wait before asking the server for room again.
    private static let lag = Duration.milliseconds(50)
}
