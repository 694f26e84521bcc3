/// Runs an operation, and runs it again as a policy says while it fails.
///
/// The last error is thrown as it is, so that `catch` patterns keep working; the attempts before it go to the observer.
/// An error's own wait, such as `Retry-After`, is respected. An operation that may have taken effect is not repeated unless
/// the policy says that it is idempotent. When the task is cancelled, a wait ends at once.
/// ```swift
/// let page = try await withRetry(.aggressive) { attempt in try await fetch(url) }
/// ```
/// - Parameters:
///   - policy: How often and how soon.
///   - clock: What time is measured and waited by.
///   - isolation: The actor that the operation runs on: the caller's.
///   - observer: Told of each step.
///   - operation: What is tried, with the number of the attempt, from 1.
/// - Returns: What the operation returned.
/// - Throws: The operation's last error; `CancellationError` if the task was cancelled before the first attempt or in a wait.
public func withRetry<Result>(
    _ policy: RetryPolicy = .default, clock: any Clock<Duration> = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation, observer: (RetryEvent) -> Void = { _ in },
    operation: (_ attempt: Int) async throws -> Result
) async throws -> Result {
    try await retry(policy, clock: clock, isolation: isolation, observer: observer, operation: operation)
}

private func retry<C: Clock<Duration>, Result>(
    _ policy: RetryPolicy, clock: C, isolation: isolated (any Actor)?, observer: (RetryEvent) -> Void,
    operation: (Int) async throws -> Result
) async throws -> Result {
    let start = clock.now
    var failed: [RetryAttempt] = []
    var generator = SystemRandomNumberGenerator()
    try Task.checkCancellation()
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
            do {
                // Also for no delay: a cancelled task must not run the operation again.
                try Task.checkCancellation()
                if delay > .zero { try await clock.sleep(for: delay) }
            } catch {
                observer(.gaveUp(failed: failed, .cancelled))
                throw error
            }
        }
    }
}

extension RetryPolicy {
    /// Why no attempt follows this one; nil if one does.
    fileprivate func end(_ attempt: RetryAttempt, delay: Duration) -> RetryEvent.End? {
        if Task.isCancelled || attempt.error is CancellationError { return .cancelled }
        if !allowsRetry(after: attempt.error) { return .notRetryable }
        if attempt.number >= maxAttempts { return .attemptsExhausted }
        if let deadline, attempt.elapsed + delay > deadline { return .deadline }
        return nil
    }
}
