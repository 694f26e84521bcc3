import BridgeSSH
import SSHRun
import Synchronization

/// SFTP over a kept connection. Starts a helper if there is none.
struct HelperSFTP: Sendable {
    /// The attempt, whose plan says how the host is reached. Its command is not run.
    let attempt: RunAttempt
    let persistence: PersistPlan
    let style: OutputStyle

    /// Lends a client to `body`.
    ///
    /// - Returns: nil if no helper is available: then `body` was not called, and the caller has to connect itself.
    /// - Throws: as `SSHConnection.withSFTP`, and as `ResolvedAccess.configuration()`.
    func perform<Value: Sendable>(
        _ timeline: Timeline, _ body: @Sendable (SFTPClient) async throws -> Value
    ) async throws -> Value? {
        let job = HelperSFTPJob(attempt.plan)
        let kept = HelperRun(run: attempt, job: job, style: style, persistence: persistence)
        // Cancelling the copy does not cancel this task: the copy needs the helper to remove an unfinished file.
        let work = Task {
            defer { job.gaveUp() }
            return try await kept.perform()
        }
        var isRunning = false
        for await _ in job.running {
            isRunning = true
            break
        }
        guard isRunning, let socket = job.takeSocket() else {
            // A cancellation also ends the wait for the helper.
            if Task.isCancelled { work.cancel() }
            guard let outcome = try await work.value else { return nil }
            timeline.add(outcome.timings)
            throw RelayedSFTPChannel.failure(of: outcome) ?? job.lost
        }
        let channel = RelayedSFTPChannel(work: work, lost: job.lost, timeline: timeline) { script, limit, timeLimit in
            let plan = attempt.plan.with(command: "sh", outputLimit: limit, timeout: timeLimit)
            let command = RunAttempt(
                plan: plan, context: attempt.context, access: attempt.access, streams: .collecting(limit: limit),
                secrets: attempt.secrets)
            var style = OutputStyle()
            style.json = true
            return await HelperCarrier(persistence: persistence, input: .text(script), style: style).perform(command)
        }
        let sftp = RelayedSFTP(channel, at: attempt.plan.endpoint, attempt.plan.configuration, timeline: timeline)
        return try await sftp.withClient(over: socket, body)
    }
}

/// Asks a helper for its host's SFTP server, over a pair of sockets.
final class HelperSFTPJob: HelperJob {
    private struct State {
        /// This process's end; nil once it was taken.
        var ourEnd: Int32?
        var peerEnd: OwnedDescriptor?
    }

    private let plan: RunPlan
    private let state = Mutex(State())
    /// Yields when the SFTP server runs; finishes if it will not.
    let running: AsyncStream<Void>
    private let begins: AsyncStream<Void>.Continuation

    init(_ plan: RunPlan) {
        self.plan = plan
        (running, begins) = AsyncStream.makeStream(of: Void.self)
    }

    deinit { keep(nil) }

    func complete(_ request: inout RunRequest) -> [Int32] {
        request.command = "sftp"
        request.isSubsystem = true
        request.hasInput = true
        request.inputIsRepeatable = true
        // With keepalives a copy does not wait for a server that is gone.
        request.watchesServer = !plan.access.forbidsKeepalive
        let pair = SocketPair.make()
        keep(pair)
        return [pair?.peerEnd.number].compactMap { $0 }
    }

    /// Closes this process's copy of the helper's end, so that the socket ends when the helper does.
    func sent() { state.withLock { $0.peerEnd = nil } }

    func began(_ command: RemoteCommand) { begins.yield() }

    /// Does nothing: the run may ask another helper.
    func ended() async {}

    /// No helper will start the SFTP server.
    func gaveUp() { begins.finish() }

    /// Hides the stage of the command, which is the SFTP server. The copy's own stages come later.
    func isShown(_ stage: SSHStage) -> Bool { stage != .command }

    var lost: SSHError {
        SSHFailureClassifier.classify(SSHEvidence(local: .helperEnded, stage: .sftp, endpoint: plan.endpoint))
    }

    /// Takes this process's end of the sockets. The caller has to close it.
    func takeSocket() -> Int32? {
        state.withLock { state in
            defer { state.ourEnd = nil }
            return state.ourEnd
        }
    }

    private func keep(_ pair: (ourEnd: Int32, peerEnd: OwnedDescriptor)?) {
        let old = state.withLock { state in
            defer { state = State(ourEnd: pair?.ourEnd, peerEnd: pair?.peerEnd) }
            return state.ourEnd
        }
        if let old { close(old) }
    }
}
