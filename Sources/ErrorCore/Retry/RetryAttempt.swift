/// A failed attempt.
public struct RetryAttempt: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// The error that it threw.
    public let error: any Error
    /// When it failed, measured from the start of the first attempt.
    public let elapsed: Duration
}
