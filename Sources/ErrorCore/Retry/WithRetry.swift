/// Runs an operation, and runs it again as a policy says while it fails.
///
/// The last error is thrown as it is, so that `catch` patterns keep working, and an operation with typed throws keeps its type.
/// The attempts before it go to the observer. An error's own wait, such as `Retry-After`, is respected. An operation that may
/// have taken effect is not repeated unless the policy says that it is idempotent. When the task is cancelled, a wait ends at
/// once.
/// ```swift
/// let page = try await withRetry(.aggressive) { attempt in try await fetch(url) }
/// ```
/// - Parameters:
///   - policy: How often and how soon.
///   - clock: What time is measured and waited by.
///   - isolation: The actor that the operation runs on: the caller's.
///   - observer: Gets each step.
///   - operation: What is tried, with the number of the attempt, from 1.
/// - Returns: What the operation returned.
/// - Throws: The operation's last error. If the task was cancelled before the first attempt or in a wait, `CancellationError`
///   where the operation may throw any error; one with typed throws is run at least once, and its last error is thrown. After a
///   wait, an error that is ``CancellationDescribing`` says so in its own type.
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

/// - Returns: Whether the task may go on: a cancelled one must not run the operation again, also after no delay.
private func wait<C: Clock<Duration>>(_ delay: Duration, _ clock: C) async -> Bool {
    if delay > .zero, !Task.isCancelled { try? await clock.sleep(for: delay) }
    return !Task.isCancelled
}

extension RetryPolicy {
    /// Why no attempt follows this one; nil if one does.
    fileprivate func end(_ attempt: RetryAttempt, delay: Duration) -> RetryEvent.End? {
        if Task.isCancelled || attempt.error.isCancellation { return .cancelled }
        if !allowsRetry(after: attempt.error) { return .notRetryable }
        if attempt.number >= maxAttempts { return .attemptsExhausted }
        if let deadline, attempt.elapsed + delay > deadline { return .deadline }
        return nil
    }
}

extension Error {
    /// Whether a person or a program gave up on purpose: `CancellationError`, ``AppError/cancelled`` and every error that
    /// stands for one of them.
    public var isCancellation: Bool { self is CancellationError || ErrorProfile(self).isCancellation }
}
