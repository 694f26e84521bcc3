/// An error whose type has a value for “cancelled”: ``withRetry(_:clock:isolation:observer:operation:)`` throws that value, and
/// not
/// `CancellationError`, when a wait between two attempts is cancelled. So a caller sees one type, whenever it cancels.
public protocol CancellationDescribing: Error {
    /// The error for the same operation, cancelled before it was tried again.
    var cancelledBeforeRetry: Self { get }
}
