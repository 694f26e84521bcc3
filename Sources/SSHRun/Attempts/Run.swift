internal import BridgeSSH
internal import ErrorCore
internal import Logging

/// A run: one command on one host, retried where that can help and is safe. A value that shares nothing with other runs: any
/// number of them may be under way in a process.
package struct Run: Sendable {
    private let plan: RunPlan
    private let context: RunContext
    private let streams: RunStreams
    private let carrier: any CommandCarrier
    private let asksFirst: Bool

    /// - Parameters:
    ///   - streams: where the command's output goes.
    ///   - carrier: what carries each attempt to the host.
    ///   - asksFirst: whether secrets are asked for before the first attempt; false where an attempt may need none.
    package init(
        _ plan: RunPlan, _ context: RunContext, streams: RunStreams, carrier: any CommandCarrier, asksFirst: Bool = true
    ) {
        self.plan = plan
        self.context = context
        self.streams = streams
        self.carrier = carrier
        self.asksFirst = asksFirst
    }

    /// Runs it. All failures are in the outcome.
    package func perform() async -> RunOutcome {
        let elapsed = context.clock.stopwatch()
        var outcome: RunOutcome
        // Secrets are asked for once, however many attempts there are.
        let access = CompletedAccess(plan: plan.access, log: context.log)
        do {
            if asksFirst { _ = try await access.configuration() }
            outcome = await attempts(access)
        } catch {
            outcome = RunOutcome(end: context.control.end(of: error))
        }
        outcome.durationSeconds = elapsed().inSeconds
        return outcome
    }

    private func attempts(_ access: CompletedAccess) async -> RunOutcome {
        let use = InputUse()
        let secrets = KnownSecrets()
        let policy = plan.retry.policy { !use.isTaken && !streams.isAbandoned }
        var last = RunOutcome(end: .cancelled(signal: nil))
        do {
            return try await withRetry(policy, clock: context.clock, observer: { report($0, use) }) { number in
                await access.beginAttempt()
                last = await carrier.perform(
                    RunAttempt(
                        plan: plan, context: context, access: access,
                        streams: streams.again(limit: plan.commandOptions.outputLimit), inputUse: use, secrets: secrets))
                last.attempts = number
                if case .failed(let error) = last.end { throw error }
                return last
            }
        } catch let error as SSHError {
            // A failed attempt is the outcome, a cancelled one too: it says whether the command may have run.
            if case .failed(let failure) = last.end, failure.code == error.code || !error.isCancellation { return last }
            last.end = error.isCancellation ? .cancelled(signal: context.control.signal) : .failed(error)
            return last
        } catch {
            // Only a delay, or work before the first attempt, is cancelled like this.
            last.end = .cancelled(signal: context.control.signal)
            return last
        }
    }

    // MARK: Reporting

    private func report(_ event: RetryEvent, _ use: InputUse) {
        switch event {
        case .willRetry(let attempt, let delay):
            // A raw terminal would keep ^C to itself while we wait.
            context.terminal?.restore()
            let failure = ErrorProfile(attempt.error)
            let code = failure.code
            context.log.waits(
                "\(plan.retry.text(ofAttempt: attempt.number)): \(code); trying again in \(Self.text(delay.inSeconds)) s")
            context.logger.notice(
                "trying again: \(failure.message)",
                metadata: [
                    "error_code": .string(code), "attempt": .stringConvertible(attempt.number),
                    "wait_seconds": .stringConvertible(delay.inSeconds),
                ])
        case .gaveUp(let attempts, let end):
            guard plan.retry.retries > 0 || plan.retry.wait != nil, let error = attempts.last?.error as? SSHError,
                let why = reason(end, error, use)
            else {
                return
            }
            context.log.line("not tried again: \(why)")
        case .succeeded: break
        }
    }

    private func reason(_ end: RetryEvent.End, _ error: SSHError, _ use: InputUse) -> String? {
        switch end {
        case .cancelled: nil
        case .deadline: plan.retry.wait.map { "it was waited for \($0.time.inSeconds.inSeconds)" }
        case .attemptsExhausted: "that was attempt \(plan.retry.attempts) of \(plan.retry.attempts)"
        case .notRetryable where !error.retry.allowsRetry: "it would not help (\(error.retry.name))"
        case .notRetryable where error.mayHaveTakenEffect && !plan.retry.isIdempotent:
            "the command may have run; --idempotent would allow it"
        case .notRetryable where RetryPlan.sentPassword(error):
            "the password was sent and not answered, and sending it again may lock the account"
        case .notRetryable where use.isTaken: "the command's input has been read and is not kept"
        case .notRetryable: "the reader of our output has stalled"
        }
    }

    /// With one decimal, rounded up: never a wait that seems shorter than it is.
    static func text(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded(.up))
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Clock where Duration == Swift.Duration {
    /// Measures the time from now on.
    fileprivate func stopwatch() -> () -> Swift.Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
