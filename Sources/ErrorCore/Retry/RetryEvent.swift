/// A step that ``withRetry(_:clock:isolation:observer:operation:)`` reports.
public enum RetryEvent: Sendable {
    /// Why there is no further attempt.
    public enum End: String, Sendable, Hashable {
        /// The policy does not retry this error.
        case notRetryable
        /// It was the last attempt.
        case attemptsExhausted
        /// The next attempt would start after the deadline.
        case deadline
        /// The task was cancelled.
        case cancelled
    }

    /// An attempt failed; the next one starts after this delay.
    case willRetry(after: RetryAttempt, delay: Duration)
    /// An attempt succeeded after these failed ones.
    case succeeded(failed: [RetryAttempt])
    /// The last of these attempts failed, and its error is thrown.
    case gaveUp(failed: [RetryAttempt], End)
}

/// A failed attempt.
public struct RetryAttempt: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// The error that it threw.
    public let error: any Error
    /// When it failed, measured from the start of the first attempt.
    public let elapsed: Duration
}
