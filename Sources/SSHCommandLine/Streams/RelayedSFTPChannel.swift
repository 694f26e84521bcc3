import BridgeSSH
import SSHRun

/// An SFTP channel that another process relays.
struct RelayedSFTPChannel: RelayedChannel {
    /// How long the process that relays may take to report the channel's end: longer than the time from a command's signal to
    /// the end of its channel.
    static let endTimeout = Duration.seconds(5)

    /// The conversation with the helper, or the run of OpenSSH's ssh.
    let work: Task<RunOutcome?, any Error>
    let lost: SSHError
    let timeline: Timeline
    /// Runs a shell script on the host, with a limit in bytes for the output and a time limit.
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

    /// The outcome that the process reports; nil if it hangs.
    private func outcome() async -> RunOutcome? {
        let timer = Task {
            guard (try? await Task.sleep(for: Self.endTimeout)) != nil else { return }
            work.cancel()
        }
        defer { timer.cancel() }
        return (try? await work.value) ?? nil
    }

    func output(ofShellScript script: String, outputLimit: Int, timeLimit: Duration) async throws -> String {
        let outcome = try await shell(script, outputLimit, timeLimit)
        if let failure = Self.failure(of: outcome) { throw failure }
        return String(decoding: outcome.standardOutput, as: UTF8.self)
    }

    /// The error of an outcome; nil for a program that has ended.
    static func failure(of outcome: RunOutcome) -> (any Error)? {
        switch outcome.end {
        case .ended: return nil
        case .failed(let error):
            // The command was the SFTP server, or a script of bridge-ssh.
            var evidence = error.evidence
            evidence.command = nil
            return SSHFailureClassifier.classify(evidence)
        case .cancelled: return CancellationError()
        case .unforeseen(let problem): return UnclassifiedError(description: problem)
        case .outputClosed: return UnclassifiedError(description: "the output of an SFTP server was closed")
        }
    }
}

/// An error of that process that has no verdict.
private struct UnclassifiedError: Error, CustomStringConvertible {
    let description: String
}
