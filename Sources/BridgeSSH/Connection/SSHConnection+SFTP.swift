extension SSHConnection {
    /// Starts the SFTP server, lends a client for it to `body`, and ends it, whatever happens.
    ///
    /// - Throws: ``SSHError``: `ssh.channel.subsystem-missing` where the server has no SFTP, `ssh.sftp.version-unsupported`,
    ///   `ssh.sftp.protocol-error` where what comes is not SFTP; what `body` throws.
    public func withSFTP<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        if let problem = life.misuse(by: "withSFTP") { throw await misused(problem) }
        let (client, other) = try await begun { try await $0.startSFTP(on: $0.session) }
        do {
            let value = try await body(client)
            await end(client, other)
            return value
        } catch {
            await end(client, other)
            throw error
        }
    }

    private func end(_ client: SFTPClient, _ other: BorrowedConnection?) async {
        let session = client.carrier.session
        await session.endSFTP(client.channel)
        await session.closeChannel(client.channel)
        recorder.timeline.end()
        await other?.giveBack()
    }

    /// The connection's deadline holds until the server has sent its version.
    private func startSFTP(on session: isolated Session) async throws -> SFTPClient {
        recorder.timeline.begin(.channel, "starting the sftp subsystem")
        do throws(Fault) {
            let (channel, endDeadline) = try await openChannel(on: session)
            defer { endDeadline() }
            do throws(Fault) {
                try await session.startSubsystem(channel, "sftp")
                let (version, extensions) = try await session.beginSFTP(channel)
                // A server answers with the lower of its version and ours (filexfer-02 section 4); some answer with their own.
                guard (3...6).contains(version) else {
                    let problem = SSHFileProblem(.versionUnsupported, .remote, operation: "begin", detail: "version \(version)")
                    throw Fault(.fileFailed(problem), stage: .sftp)
                }
                var limits = SFTPLimits()
                if extensions["limits@openssh.com"] != nil,
                    case .extended(let reply)? = try await session.sftp(channel, [.limits]).first
                {
                    limits.take(reply)
                }
                recorder.timeline.begin(.sftp, "copying", channel: channel)
                return SFTPClient(carrier: self, channel: channel, limits: limits, extensions: Set(extensions.keys))
            } catch {
                session.endSFTP(channel)
                session.closeChannel(channel)
                throw error
            }
        } catch {
            let failure = await recorder.error(error, session: session)
            recorder.timeline.log(failure)
            throw failure
        }
    }
}

extension SSHConnection: SFTPCarrier {
    package func error(of fault: Fault, session: Session?) async -> SSHError {
        await recorder.error(fault, session: session)
    }

    /// `sh` reads the script: login shells differ in their rules for quotes.
    package func output(ofShellScript script: String, outputLimit: Int) async throws -> String {
        var options = SSHCommandOptions()
        options.outputLimit = outputLimit
        return try await run("sh", options: options, standardInput: .bytes(Array(script.utf8))).standardOutputText
    }
}
