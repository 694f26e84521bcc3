/// An error type with a value for “cancelled”. When a wait between two attempts is cancelled,
/// ``withRetry(_:clock:isolation:observer:operation:)`` throws that value instead of `CancellationError`. So a caller sees one
/// type, whenever it cancels.
public protocol CancellationDescribing: Error {
    /// The error for the same operation, cancelled before the next attempt.
    var cancelledBeforeRetry: Self { get }
}
