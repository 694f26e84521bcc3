/// Runs an operation, and repeats it as a policy says while it fails.
///
/// The last error is thrown unchanged, so that `catch` patterns keep working; an operation with typed throws keeps its type. The
/// observer gets the earlier failures. A wait that an error names, such as `Retry-After`, is respected. An operation that may
/// have taken effect is not repeated unless the policy says that it is idempotent. Cancelling the task ends a wait at once.
/// ```swift
/// let page = try await withRetry(.aggressive) { attempt in try await fetch(url) }
/// ```
/// - Parameters:
///   - policy: How often and how soon to retry.
///   - clock: Measures time and waits.
///   - isolation: The caller's actor, on which the operation runs.
///   - observer: Receives each step.
///   - operation: The operation to try. It receives the attempt number, from 1.
/// - Returns: The operation's result.
/// - Throws: The operation's last error, or `CancellationError` if the task was cancelled before the first attempt or during a
///   wait. An operation with typed throws runs at least once, and its last error is thrown instead; after a wait, a
///   ``CancellationDescribing`` error becomes the value of its type for "cancelled".
public func withRetry<Result, Failure: Error>(
    _ policy: RetryPolicy = .default, clock: any Clock<Duration> = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation, observer: (RetryEvent) -> Void = { _ in },
    operation: (_ attempt: Int) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    try await retry(policy, clock: clock, isolation: isolation, observer: observer, operation: operation)
}

private func retry<C: Clock<Duration>, Result, Failure: Error>(
    _ policy: RetryPolicy, clock: C, isolation: isolated (any Actor)?, observer: (RetryEvent) -> Void,
    operation: (Int) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    let start = clock.now
    var failed: [RetryAttempt] = []
    var generator = SystemRandomNumberGenerator()
    if Task.isCancelled, let cancellation = CancellationError() as? Failure { throw cancellation }
    while true {
        let number = failed.count + 1
        do {
            let result = try await operation(number)
            observer(.succeeded(failed: failed))
            return result
        } catch {
            let attempt = RetryAttempt(number: number, error: error, elapsed: start.duration(to: clock.now))
            failed.append(attempt)
            let delay = policy.delay(afterAttempt: number, advice: .of(error), using: &generator)
            if let end = policy.end(attempt, delay: delay) {
                observer(.gaveUp(failed: failed, end))
                throw error
            }
            observer(.willRetry(after: attempt, delay: delay))
            guard await wait(delay, clock) else {
                observer(.gaveUp(failed: failed, .cancelled))
                throw cancellation(after: error) as? Failure ?? error
            }
        }
    }
}

private func cancellation(after error: any Error) -> any Error {
    (error as? any CancellationDescribing)?.cancelledBeforeRetry ?? CancellationError()
}

/// - Returns: Whether to go on. A cancelled task must not run the operation again, even without a delay.
private func wait<C: Clock<Duration>>(_ delay: Duration, _ clock: C) async -> Bool {
    if delay > .zero, !Task.isCancelled { try? await clock.sleep(for: delay) }
    return !Task.isCancelled
}

extension RetryPolicy {
    /// Why no attempt follows this one; nil if one follows.
    fileprivate func end(_ attempt: RetryAttempt, delay: Duration) -> RetryEvent.End? {
        if Task.isCancelled || attempt.error.isCancellation { return .cancelled }
        if !allowsRetry(after: attempt.error) { return .notRetryable }
        if attempt.number >= maxAttempts { return .attemptsExhausted }
        if let deadline, attempt.elapsed + delay > deadline { return .deadline }
        return nil
    }
}

extension Error {
    /// Whether a person or a program cancelled on purpose: `CancellationError`, ``AppError/cancelled``, and every error that
    /// stands for one of them.
    public var isCancellation: Bool { self is CancellationError || ErrorProfile(self).isCancellation }
}
