/// An attempt that failed.
public struct RetryAttempt: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// What it threw.
    public let error: any Error
    /// When it failed, after the first began.
    public let elapsed: Duration
}
