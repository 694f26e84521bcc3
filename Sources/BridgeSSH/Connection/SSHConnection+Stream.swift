/// A stream of bytes through the server to another place. Valid only inside the closure that receives it.
public struct SSHStream: Sendable {
    /// What comes from there.
    public let inbound: SSHOutput
    /// What goes there.
    public let outbound: SSHInput
}

extension SSHConnection {
    /// Has the server connect to a host, and lends the connection to `body` (direct-tcpip, RFC 4254 section 7.2).
    ///
    /// ```swift
    /// try await connection.open(to: "127.0.0.1", port: 6379) { stream in
    ///     try await stream.outbound.write("PING\r\n")
    ///     return try await stream.inbound.lines.first { _ in true }
    /// }
    /// ```
    /// It is closed when `body` has returned. Closing what goes out with ``SSHInput/finish()`` leaves what comes in open.
    ///
    /// - Parameters:
    ///   - host: a name or address, which the server looks up.
    ///   - port: 1 to 65535.
    /// - Throws: ``SSHError``: `ssh.channel.jump-target-unreachable` where the server does not reach it,
    ///   `ssh.channel.prohibited` where it may not, `ssh.local.usage` for a host or port that cannot be one, what ends the
    ///   connection; what `body` throws.
    public func open<Value>(
        to host: String, port: Int, isolation: isolated (any Actor)? = #isolation, _ body: (SSHStream) async throws -> Value
    ) async throws -> Value {
        if let problem = life.misuse(by: "open") { throw await misused(problem) }
        let stream = try await openStream(to: host, port: port, on: session)
        do {
            let value = try await body(
                SSHStream(inbound: SSHOutput(execution: stream, stream: .standardOutput), outbound: SSHInput(stream)))
            await session.closeChannel(stream.channel)
            recorder.timeline.end()
            return value
        } catch {
            await session.closeChannel(stream.channel)
            recorder.timeline.end()
            throw error
        }
    }

    private func openStream(to host: String, port: Int, on session: isolated Session) async throws -> SSHExecution {
        let target = Endpoint(unchecked: host, port: port, user: endpoint.user)
        do throws(Fault) {
            do throws(DestinationProblem) { _ = try Endpoint(checking: host, port: port, user: "-") } catch {
                throw Fault(.usage(field: "destination", problem: error.description), stage: .local)
            }
            recorder.timeline.begin(.channel, "connecting to \(target.place)")
            let id = session.reserveChannel()
            let endDeadline = beginDeadline(of: id, on: session)
            defer { endDeadline() }
            let channel = try await session.openTunnel(to: host, port: port, id)
            recorder.timeline.begin(.session, "connected to \(target.place)")
            return SSHExecution(
                session: session, channel: channel, command: nil, recorder: recorder, options: CommandOptions(),
                collectsErrors: false)
        } catch {
            throw await recorder.error(error, session: session, target: target)
        }
    }
}
