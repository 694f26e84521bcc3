package import BridgeSSH
internal import ErrorCore
package import Logging

/// One command on one host, retried if a retry can help and is safe. Runs share no state, so a process can have any number of
/// them at once.
package struct Run: Sendable {
    private let plan: RunPlan
    private let context: RunContext
    private let streams: RunStreams
    private let carrier: any CommandCarrier
    private let asksFirst: Bool

    /// - Parameters:
    ///   - streams: receive the command's output.
    ///   - carrier: carries each attempt to the host.
    ///   - asksFirst: whether to ask for secrets before the first attempt; false if an attempt may need none.
    package init(
        _ plan: RunPlan, _ context: RunContext, streams: RunStreams, carrier: any CommandCarrier, asksFirst: Bool = true
    ) {
        self.plan = plan
        self.context = context
        self.streams = streams
        self.carrier = carrier
        self.asksFirst = asksFirst
    }

    /// Performs the run. All failures are in the outcome.
    package func perform() async -> RunOutcome {
        let elapsed = context.clock.stopwatch()
        var outcome: RunOutcome
        // Ask for secrets only once, even with several attempts.
        let access = ResolvedAccess(plan: plan.access, log: context.log)
        do {
            if asksFirst { _ = try await access.configuration() }
            outcome = await attempts(access)
        } catch {
            outcome = RunOutcome(end: context.control.end(of: error))
        }
        outcome.durationSeconds = elapsed().inSeconds
        return outcome
    }

    private func attempts(_ access: ResolvedAccess) async -> RunOutcome {
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
            // The outcome of a failed or cancelled attempt is kept: it says whether the command may have run.
            if case .failed(let failure) = last.end, failure.code == error.code || !error.isCancellation { return last }
            last.end = error.isCancellation ? .cancelled(signal: context.control.signal) : .failed(error)
            return last
        } catch {
            // The task was cancelled during a delay, or before the first attempt.
            last.end = .cancelled(signal: context.control.signal)
            return last
        }
    }

    // MARK: Reporting

    private func report(_ event: RetryEvent, _ use: InputUse) {
        switch event {
        case .willRetry(let attempt, let delay):
            // A terminal in raw mode would not turn ^C into a signal during the wait.
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
        case .deadline: plan.retry.wait.map { "the wait limit of \($0.time.inSeconds.inSeconds) has passed" }
        case .attemptsExhausted: "that was attempt \(plan.retry.attempts) of \(plan.retry.attempts)"
        case .notRetryable where !error.retry.allowsRetry: "it would not help (\(error.retry.name))"
        case .notRetryable where error.mayHaveTakenEffect && !plan.retry.isIdempotent:
            "the command may have run; --idempotent would allow it"
        case .notRetryable where RetryPlan.sentPassword(error):
            "the password was sent and not answered, and sending it again may lock the account"
        case .notRetryable where use.isTaken: "the command's input has been read and is not kept"
        case .notRetryable: "the reader of standard output has stalled"
        }
    }

    /// Rounded up to one decimal, so that the shown wait is never too short.
    static func text(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded(.up))
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Clock where Duration == Swift.Duration {
    /// Starts measuring time; the returned function gives the elapsed time.
    fileprivate func stopwatch() -> () -> Swift.Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

/// The services that a run uses. The caller provides them, so that each run in a process can have its own.
package struct RunContext: Sendable {
    /// Connects to a host. The timeline has the times, even if connecting fails.
    package typealias Connect = @Sendable (SSHEndpoint, SSHConnectionConfiguration, Timeline) async throws -> SSHConnection

    package let control: RunControl
    package let log: any RunLog
    package let logger: Logger
    /// Measures the waits between attempts, durations and time limits.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The terminal of the person who started the run; nil if there is none.
    package var terminal: (any RunTerminal)?
    /// Reports that the exit status has come but the output stays open; nil if there is no reader for the report.
    package var waitingNote: (@Sendable (SSHTermination) -> Void)?
    package var connect: Connect = { try await SSHClient.connect(to: $0, configuration: $1, timeline: $2) }

    package init(control: RunControl, log: any RunLog, logger: Logger) {
        self.control = control
        self.log = log
        self.logger = logger
    }
}

/// The terminal of the person who started a run. The caller provides it.
package protocol RunTerminal: Sendable {
    /// Columns and rows; nil if unknown.
    var size: (columns: Int, rows: Int)? { get }

    /// The terminal modes, encoded as in RFC 4254 section 8; empty if there are none.
    ///
    /// - Parameter terminal: the value of TERM for the request.
    func modes(for terminal: String) -> [UInt8]

    /// Switches to raw mode: every key goes to the command, including ^C and ^Z.
    func makeRaw()

    /// Leaves raw mode.
    func restore()
}
