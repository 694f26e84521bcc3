extension SSHConnection {
    /// Asks the server to connect to a host, and lends the stream to `body` (direct-tcpip, RFC 4254 section 7.2).
    ///
    /// ```swift
    /// try await connection.open(to: "127.0.0.1", port: 6379) { stream in
    ///     try await stream.outbound.write("PING\r\n")
    ///     return try await stream.inbound.lines.first { _ in true }
    /// }
    /// ```
    /// The stream is closed when `body` returns. After ``SSHInput/finish()`` the incoming direction stays open.
    ///
    /// - Parameters:
    ///   - host: a name or address, which the server resolves.
    ///   - port: 1 to 65535.
    ///   - isolation: the actor on which `body` runs; the caller's.
    ///   - body: what to do with the stream.
    /// - Throws: ``SSHError``: `ssh.channel.jump-target-unreachable` if the server cannot reach the host;
    ///   `ssh.channel.prohibited` if the server does not allow it; `ssh.local.usage` for an invalid host or port; any failure
    ///   that ended the connection; `ssh.local.cancelled` if the task is cancelled. Errors of `body`.
    public func open<Value>(
        to host: String, port: Int, isolation: isolated (any Actor)? = #isolation, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value {
        if let problem = life.misuse(by: "open") { throw await misused(problem) }
        let span = ChannelSpan("ssh.stream", on: endpoint)
        let target = SSHEndpoint(unchecked: host, port: port, user: endpoint.user)
        span.leads(to: target)
        let stream: SSHExecution
        do {
            stream = try await openStream(to: target, on: session)
        } catch {
            span.failed(error)
            throw error
        }
        do {
            let value = try await body(
                SSHStream(inbound: SSHOutput(source: stream, stream: .standardOutput), outbound: SSHInput(stream)))
            await stream.end(on: session)
            recorder.timeline.end()
            span.ended()
            return value
        } catch {
            // Every cancelled task gets the same error, wherever it was.
            let cancelled = error is CancellationError ? await stream.cancelled() : nil
            await stream.end(on: session)
            recorder.timeline.end()
            let failure = cancelled ?? error
            span.failed(failure)
            throw failure
        }
    }

    private func openStream(to target: SSHEndpoint, on session: isolated Session) async throws -> SSHExecution {
        let (host, port) = (target.host, target.port)
        do throws(Fault) {
            do throws(SSHDestinationProblem) { _ = try SSHEndpoint(checking: host, port: port, user: "-") } catch {
                throw Fault(.usage(field: "destination", problem: error.description), stage: .local)
            }
            recorder.timeline.begin(.channel, "connecting to \(target.place)")
            let id = session.reserveChannel()
            let endDeadline = beginDeadline(of: id, on: session)
            defer { endDeadline() }
            let channel = try await session.openTunnel(to: host, port: port, id)
            recorder.timeline.begin(.session, "connected to \(target.place)")
            return SSHExecution(
                session: session, channel: channel, command: nil, recorder: recorder, options: SSHCommandOptions(),
                collectsErrors: false)
        } catch {
            throw await recorder.error(error, session: session, target: target)
        }
    }
}

/// A byte stream to another host through the server. It is valid only inside the closure that receives it.
public struct SSHStream: Sendable {
    /// The incoming data.
    public let inbound: SSHOutput
    /// The outgoing data.
    public let outbound: SSHInput

    package init(inbound: SSHOutput, outbound: SSHInput) {
        self.inbound = inbound
        self.outbound = outbound
    }
}

extension SSHConnection {
    /// Runs a command; `body` writes its input and reads its output.
    ///
    /// ```swift
    /// try await connection.execute("bc -q") { execution, input in
    ///     try await input.write("6 * 7\n")
    ///     return try await execution.standardOutput.lines.first { _ in true }
    /// }
    /// ```
    /// When `body` returns, the input is finished, and `whenBodyReturns` decides what happens to the command. Otherwise like
    /// ``execute(_:options:standardInput:standardError:whenBodyReturns:isolation:_:)``.
    ///
    /// - Throws: as that method.
    public func execute<Value>(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardError: SSHStandardErrorHandling = .tailOnly,
        whenBodyReturns: SSHExecution.WhenBodyReturns = .automatic, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHExecution, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await converse(
            .command(command), by: "execute", options: options, standardError: standardError, whenBodyReturns: whenBodyReturns,
            isolation: isolation, body)
    }

    /// Starts a subsystem of the server, such as `netconf` (RFC 4254 section 6.5); `body` writes its input and reads its output.
    ///
    /// - Throws: ``SSHError``: `ssh.channel.subsystem-missing` if the server has no such subsystem; otherwise as
    ///   ``execute(_:options:standardError:whenBodyReturns:isolation:_:)``.
    public func withSubsystem<Value>(
        _ name: String, options: SSHCommandOptions = SSHCommandOptions(), standardError: SSHStandardErrorHandling = .tailOnly,
        whenBodyReturns: SSHExecution.WhenBodyReturns = .automatic, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHExecution, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await converse(
            .subsystem(name), by: "withSubsystem", options: options, standardError: standardError,
            whenBodyReturns: whenBodyReturns,
            isolation: isolation, body)
    }

    func converse<Value>(
        _ program: ChannelProgram, by function: String, options: SSHCommandOptions, standardError: SSHStandardErrorHandling,
        whenBodyReturns: SSHExecution.WhenBodyReturns, isolation: isolated (any Actor)?,
        _ body: (SSHExecution, SSHInput) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        if let problem = life.misuse(by: function) { throw await misused(problem) }
        return try await perform(
            program, options: options, standardInput: nil, standardError: standardError, describesSuccess: true,
            whenBodyReturns: whenBodyReturns, isolation: isolation
        ) { execution in
            _ = isolation  // Capturing the isolation makes the closure run there.
            let input = SSHInput(execution)
            let value = try await body(execution, input)
            // The reader of the output reports the end of the session.
            try? await input.finish()
            return value
        }
    }
}

/// Who reads the standard error of a streaming run.
public enum SSHStandardErrorHandling: Sendable, Hashable {
    /// The library reads it, and keeps the last 8 KiB for errors.
    case tailOnly
    /// The caller reads it.
    case stream
}
