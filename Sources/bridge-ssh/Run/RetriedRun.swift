import BridgeSSH
import ErrorCore
import Logging

/// A run, retried where that can help and is safe.
struct RetriedRun: Sendable {
    let run: Run

    private var plan: RetryPlan { run.plan.retry }

    func perform() async -> RunOutcome {
        let start = ContinuousClock.now
        var outcome: RunOutcome
        // Secrets are asked for once, however many attempts there are.
        let access = CompletedAccess(plan: run.plan.access, log: run.log)
        do {
            // An existing connection needs none.
            if run.plan.persistence == nil { _ = try await access.configuration() }
            outcome = await attempts(access)
        } catch {
            outcome = RunOutcome(end: run.end(by: error))
        }
        outcome.durationSeconds = start.duration(to: .now).inSeconds
        return outcome
    }

    private func attempts(_ access: CompletedAccess) async -> RunOutcome {
        let use = InputUse()
        let limit = run.plan.commandOptions.outputLimit
        let streams = run.plan.output.json ? RunStreams.collecting(limit: limit) : .passing()
        let policy = plan.policy { !use.isTaken && !streams.isAbandoned }
        var last = RunOutcome(end: .cancelled(signal: nil))
        do {
            return try await withRetry(policy, observer: { tell($0, use) }) { number in
                await access.beginAttempt()
                last = await run.perform(access, streams.again(limit: limit), use)
                last.attempts = number
                if case .failed(let error) = last.end { throw error }
                return last
            }
        } catch let error where !error.isCancellation {
            return last
        } catch {
            // Only a delay, or work before the first attempt, is cancelled like this.
            last.end = .cancelled(signal: run.control.signal)
            return last
        }
    }

    // MARK: Telling

    private func tell(_ event: RetryEvent, _ use: InputUse) {
        switch event {
        case .willRetry(let attempt, let delay):
            // A raw terminal would keep ^C to itself while we wait.
            TerminalGuard.restore()
            let failure = ErrorProfile(attempt.error)
            let code = failure.code
            run.log.line(
                "attempt \(attempt.number) of \(plan.attempts): \(code); trying again in \(Self.text(delay.inSeconds)) s")
            run.logger.notice(
                "trying again: \(failure.message)",
                metadata: [
                    "error_code": .string(code), "attempt": .stringConvertible(attempt.number),
                    "wait_seconds": .stringConvertible(delay.inSeconds),
                ])
        case .gaveUp(let attempts, let end):
            guard plan.retries > 0, let error = attempts.last?.error as? SSHError, let why = reason(end, error, use) else {
                return
            }
            run.log.line("not tried again: \(why)")
        case .succeeded: break
        }
    }

    private func reason(_ end: RetryEvent.End, _ error: SSHError, _ use: InputUse) -> String? {
        switch end {
        case .cancelled, .deadline: nil
        case .attemptsExhausted: "that was attempt \(plan.attempts) of \(plan.attempts)"
        case .notRetryable where !error.retry.allowsRetry: "it would not help (\(error.retry.name))"
        case .notRetryable where error.mayHaveTakenEffect && !plan.isIdempotent:
            "the command may have run; --idempotent would allow it"
        case .notRetryable where use.isTaken: "the command's input has been read and is not kept"
        case .notRetryable: "whoever reads our output has stalled"
        }
    }

    /// With one decimal, rounded up: never a wait that seems shorter than it is.
    static func text(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded(.up))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
