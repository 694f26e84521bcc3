import BridgeSSH
import SSHRun
import Synchronization

/// SFTP over the channel of an ssh that has asked for the subsystem.
struct OpenSSHSFTP: Sendable {
    /// Its plan says how the host is reached; its command is not run.
    let attempt: RunAttempt
    let route: OpenSSHRoute

    /// Lends a client to `body`.
    ///
    /// - Throws: as `SSHConnection.withSFTP`, and as `CompletedAccess.configuration()`.
    func perform<Value: Sendable>(
        _ timeline: Timeline, _ body: @Sendable (SFTPClient) async throws -> Value
    ) async throws -> Value {
        guard let pair = SocketPair.make() else {
            throw UsageProblem(field: "--via ssh", problem: "no descriptor is left for the bytes of the copy")
        }
        let call = OpenSSHCall(
            route: route, request: .subsystem("sftp", watchesServer: !attempt.plan.access.forbidsKeepalive), timeline: timeline,
            control: attempt.control, log: attempt.context.log,
            credentials: try await attempt.access.configuration().credentials, known: attempt.secrets)
        let theirs = Mutex<OwnedDescriptor?>(pair.theirs)
        let (running, begins) = AsyncStream.makeStream(of: Void.self)
        // Cancelling the copy leaves ssh time for the removal of an unfinished file.
        let work = Task<RunOutcome?, any Error> {
            var streams = OpenSSHCall.Streams(output: .collecting(limit: 0))
            streams.socket = pair.theirs.number
            streams.running = { begins.yield() }
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
        // Without ours, we learn from the socket that ssh is gone.
        theirs.withLock { $0 = nil }
        let lost = SSHFailureClassifier.classify(SSHEvidence(event: .helperEnded, stage: .sftp))
        guard hasBegun else {
            let outcome = try await work.value
            _ = OwnedDescriptor(pair.ours)
            throw outcome.flatMap { KeptChannel.failure(of: $0) } ?? lost
        }
        let channel = KeptChannel(work: work, lost: lost, timeline: timeline) { script, limit, patience in
            let plan = attempt.plan.with(command: "sh", outputLimit: limit, timeout: patience)
            let command = RunAttempt(
                plan: plan, context: attempt.context, access: attempt.access, streams: .collecting(limit: limit),
                secrets: attempt.secrets)
            let input: @Sendable () throws -> CommandInput = {
                CommandInput(next: try OpenedInput(.text(script)).pieces, isRepeatable: false, isTerminal: false)
            }
            return await OpenSSHCarrier(route: route, variables: [], input: input).perform(command)
        }
        let sftp = RelayedSFTP(channel, at: attempt.plan.endpoint, attempt.plan.configuration, timeline: timeline)
        return try await sftp.withClient(over: pair.ours, body)
    }
}
