extension SSHConnection {
    /// Starts the server's file program, lends a client for it to `body`, and ends it, whatever happens.
    ///
    /// - Throws: ``SSHError``: `ssh.channel.subsystem-missing` where the server has no SFTP, `ssh.sftp.version-unsupported`,
    ///   `ssh.sftp.protocol-error` where what comes is not SFTP; what `body` throws.
    public func withSFTP<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        let client = try await startSFTP(on: session)
        do {
            let value = try await body(client)
            await end(client)
            return value
        } catch {
            await end(client)
            throw error
        }
    }

    private func end(_ client: SFTPClient) async {
        await session.endSFTP(client.channel)
        await session.closeChannel(client.channel)
        recorder.timeline.end()
    }

    /// The connection's deadline holds until the server has sent its version.
    private func startSFTP(on session: isolated Session) async throws -> SFTPClient {
        recorder.timeline.begin(.channel, "starting the sftp subsystem")
        let id = session.reserveChannel()
        let endDeadline = beginDeadline(of: id, on: session)
        defer { endDeadline() }
        do throws(Fault) {
            let channel = try await session.openChannel(id)
            do throws(Fault) {
                try await session.startSubsystem(channel, "sftp")
                let (version, extensions) = try await session.beginSFTP(channel)
                // A server answers with the lower of its version and ours (filexfer-02 section 4); some answer with their own.
                guard (3...6).contains(version) else {
                    let problem = FileProblem(.versionUnsupported, .remote, operation: "begin", detail: "version \(version)")
                    throw Fault(.fileFailed(problem), stage: .sftp)
                }
                var limits = SFTPLimits()
                if extensions["limits@openssh.com"] != nil,
                    case .extended(let reply)? = try await session.sftp(channel, [.limits]).first
                {
                    limits.take(reply)
                }
                recorder.timeline.begin(.sftp, "copying")
                return SFTPClient(carrier: self, channel: channel, limits: limits, extensions: Set(extensions.keys))
            } catch {
                session.endSFTP(channel)
                session.closeChannel(channel)
                throw error
            }
        } catch {
            throw await recorder.error(error, session: session)
        }
    }
}

extension SSHConnection: SFTPCarrier {
    package func error(of fault: Fault, session: Session?) async -> SSHError {
        await recorder.error(fault, session: session)
    }

    /// `sh` reads the script: login shells differ in their rules for quotes.
    package func output(ofShellScript script: String, outputLimit: Int) async throws -> String {
        var options = CommandOptions()
        options.outputLimit = outputLimit
        return try await run("sh", options: options, standardInput: .bytes(Array(script.utf8))).standardOutputText
    }
}
