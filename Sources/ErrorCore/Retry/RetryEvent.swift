/// What ``withRetry(_:clock:isolation:observer:operation:)`` reports of its work.
public enum RetryEvent: Sendable {
    /// Why it does not try again.
    public enum End: String, Sendable, Hashable {
        /// The policy does not try this error again.
        case notRetryable
        /// That was the last attempt.
        case attemptsExhausted
        /// The next attempt would begin after the deadline.
        case deadline
        /// The task was cancelled.
        case cancelled
    }

    /// An attempt failed, and the next begins after this delay.
    case willRetry(after: RetryAttempt, delay: Duration)
    /// An attempt succeeded, after these that failed.
    case succeeded(failed: [RetryAttempt])
    /// The last of these attempts failed, and its error is thrown.
    case gaveUp(failed: [RetryAttempt], End)
}
