import BridgeSSH
import SSHRun

/// SFTP over a connection that a helper keeps, or is started to keep.
struct KeptSFTP: Sendable {
    /// Its plan says how the host is reached; its command is not run.
    let attempt: RunAttempt
    let persistence: Persistence
    let style: OutputStyle

    /// Lends a client to `body`.
    ///
    /// - Returns: nil if no helper is available, and the caller has to connect by itself; `body` was not called then.
    /// - Throws: as `SSHConnection.withSFTP`, and as `CompletedAccess.configuration()`.
    func perform<Value: Sendable>(
        _ timeline: Timeline, _ body: @Sendable (SFTPClient) async throws -> Value
    ) async throws -> Value? {
        let errand = SFTPErrand(attempt.plan)
        let kept = PersistedRun(run: attempt, errand: errand, style: style, persistence: persistence)
        // Cancelling the copy leaves its helper time to remove an unfinished file.
        let work = Task {
            defer { errand.gaveUp() }
            return try await kept.perform()
        }
        var isRunning = false
        for await _ in errand.running {
            isRunning = true
            break
        }
        guard isRunning, let socket = errand.takeSocket() else {
            // The wait for it ends with a cancellation, too.
            if Task.isCancelled { work.cancel() }
            guard let outcome = try await work.value else { return nil }
            timeline.add(outcome.timings)
            throw KeptChannel.failure(of: outcome) ?? errand.lost
        }
        let channel = KeptChannel(work: work, lost: errand.lost, timeline: timeline) { script, limit, patience in
            let plan = attempt.plan.with(command: "sh", outputLimit: limit, timeout: patience)
            let command = RunAttempt(
                plan: plan, context: attempt.context, access: attempt.access, streams: .collecting(limit: limit),
                secrets: attempt.secrets)
            var style = OutputStyle()
            style.json = true
            return await PersistingCarrier(persistence: persistence, input: .text(script), style: style).perform(command)
        }
        let sftp = RelayedSFTP(channel, at: attempt.plan.endpoint, attempt.plan.configuration, timeline: timeline)
        return try await sftp.withClient(over: socket, body)
    }
}

/// The channel of a copy, in the hands of another process.
struct KeptChannel: RelayedChannel {
    /// The conversation with the helper, or the ssh that has it.
    let work: Task<RunOutcome?, any Error>
    let lost: SSHError
    let timeline: Timeline
    /// Runs a script there, for so much output and time.
    let shell: @Sendable (String, Int, Duration) async throws -> RunOutcome

    func failure() async -> (error: SSHError?, exitStatus: Int?) {
        guard let outcome = await outcome() else { return (lost, nil) }
        if case .ended(let termination, _) = outcome.end {
            if case .exited(let status) = termination { return (nil, status) }
            return (nil, nil)
        }
        return ((Self.failure(of: outcome) as? SSHError) ?? lost, nil)
    }

    func leave() async {
        if Task.isCancelled { work.cancel() }
        if let outcome = await outcome() { timeline.add(outcome.timings) }
    }

    /// How the helper says that it ended. One that hangs is given up.
    private func outcome() async -> RunOutcome? {
        let patience = Task {
            guard (try? await Task.sleep(for: HelperPatience.time)) != nil else { return }
            work.cancel()
        }
        defer { patience.cancel() }
        return (try? await work.value) ?? nil
    }

    func output(ofShellScript script: String, outputLimit: Int, patience: Duration) async throws -> String {
        let outcome = try await shell(script, outputLimit, patience)
        if let failure = Self.failure(of: outcome) { throw failure }
        return String(decoding: outcome.standardOutput, as: UTF8.self)
    }

    /// What an outcome throws; nil for a program that has ended.
    static func failure(of outcome: RunOutcome) -> (any Error)? {
        switch outcome.end {
        case .ended: return nil
        case .failed(let error):
            // The command was the SFTP server, or a script of ours.
            var evidence = error.evidence
            evidence.command = nil
            return SSHFailureClassifier.classify(evidence)
        case .cancelled: return CancellationError()
        case .unforeseen(let problem): return Unforeseen(description: problem)
        case .outputClosed: return Unforeseen(description: "the output of an SFTP server was closed")
        }
    }
}

/// An error of the helper that has no verdict.
private struct Unforeseen: Error, CustomStringConvertible {
    let description: String
}
