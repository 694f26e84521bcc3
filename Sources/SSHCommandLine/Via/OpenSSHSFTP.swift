import BridgeSSH
import SSHRun
import Synchronization

/// SFTP over the channel of an OpenSSH ssh that has requested the subsystem.
struct OpenSSHSFTP: Sendable {
    /// The attempt, whose plan says how the host is reached. Its command is not run.
    let attempt: RunAttempt
    let route: OpenSSHRoute

    /// Lends a client to `body`.
    ///
    /// - Throws: as `SSHConnection.withSFTP`, and as `ResolvedAccess.configuration()`.
    func perform<Value: Sendable>(
        _ timeline: Timeline, _ body: @Sendable (SFTPClient) async throws -> Value
    ) async throws -> Value {
        guard let (ourEnd, peerEnd) = SocketPair.make().map({ ($0.ourEnd, SocketEnd($0.peerEnd)) }) else {
            throw UsageProblem(field: "--via ssh", problem: "no file descriptor is left for the copy; raise `ulimit -n`")
        }
        let call = OpenSSHCall(
            route: route, request: .subsystem("sftp", watchesServer: !attempt.plan.access.forbidsKeepalive), timeline: timeline,
            control: attempt.control, log: attempt.context.log,
            credentials: try await attempt.access.configuration().credentials, known: attempt.secrets)
        let (running, begins) = AsyncStream.makeStream(of: Void.self)
        // Cancelling the copy does not cancel this task: the copy needs ssh to remove an unfinished file.
        let work = Task<RunOutcome?, any Error> {
            var streams = OpenSSHCall.Streams(output: .collecting(limit: 0))
            streams.socket = peerEnd.number
            streams.running = { begins.yield() }
            // A signal must not end ssh before the client has removed an unfinished file.
            streams.began = { _ in }
            let end = await call.perform(streams)
            begins.finish()
            return RunOutcome(end: end)
        }
        var isRunning = false
        let hasBegun = await withTaskCancellationHandler {
            for await _ in running {
                isRunning = true
                break
            }
            return isRunning
        } onCancel: {
            work.cancel()
        }
        // Then the socket ends when ssh ends.
        peerEnd.close()
        let lost = SSHFailureClassifier.classify(SSHEvidence(event: .helperEnded, stage: .sftp))
        guard hasBegun else {
            let outcome = try await work.value
            _ = OwnedDescriptor(ourEnd)
            throw outcome.flatMap { RelayedSFTPChannel.failure(of: $0) } ?? lost
        }
        let channel = RelayedSFTPChannel(work: work, lost: lost, timeline: timeline) { script, limit, timeLimit in
            let plan = attempt.plan.with(command: "sh", outputLimit: limit, timeout: timeLimit)
            let command = RunAttempt(
                plan: plan, context: attempt.context, access: attempt.access, streams: .collecting(limit: limit),
                secrets: attempt.secrets)
            let input: @Sendable () throws -> CommandInput = {
                CommandInput(next: try OpenedInput(.text(script)).pieces, isRepeatable: false, isTerminal: false)
            }
            return await OpenSSHCarrier(route: route, variables: [], input: input).perform(command)
        }
        let sftp = RelayedSFTP(channel, at: attempt.plan.endpoint, attempt.plan.configuration, timeline: timeline)
        return try await sftp.withClient(over: ourEnd, body)
    }

    /// Starts the SFTP server through sudo, by a command.
    ///
    /// - Throws: as `ResolvedAccess.configuration()`.
    func root(_ timeline: Timeline, _ sudo: RunSudo) async throws -> SudoSFTP {
        let (plan, credentials) = (attempt.plan, try await attempt.access.configuration().credentials)
        return SudoSFTP(at: plan.endpoint, timeline, sudo, password: sudo.password) {
            RelayedSFTP($0, at: plan.endpoint, plan.configuration, timeline: timeline)
        } carry: { command, conversation, output, timeout in
            var options = SSHCommandOptions()
            options.timeout = timeout
            let call = OpenSSHCall(
                route: route, request: .command(command, []), timeline: timeline, control: attempt.control,
                log: attempt.context.log, options: options, credentials: credentials, known: timeline.secrets)
            var streams = OpenSSHCall.Streams(output: .passing(output, conversation))
            streams.input = CommandInput(
                next: { try await conversation.nextInput() }, isRepeatable: true, isTerminal: false)
            // As above.
            streams.began = { _ in }
            return await call.perform(streams)
        }
    }
}

/// ssh's end of a socket. ssh has a copy of it, so this process has to close its own.
private final class SocketEnd: Sendable {
    let number: Int32
    private let owned: Mutex<OwnedDescriptor?>

    init(_ descriptor: OwnedDescriptor) {
        number = descriptor.number
        owned = Mutex(descriptor)
    }

    func close() { owned.withLock { $0 = nil } }
}
