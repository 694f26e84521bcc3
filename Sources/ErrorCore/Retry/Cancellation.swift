extension Error {
    /// Whether a person or a program gave up on purpose: `CancellationError`, ``AppError/cancelled`` and every error that stands for
    /// one of them.
    public var isCancellation: Bool { self is CancellationError || ErrorProfile(self).isCancellation }
}

/// An error whose type has a value for “cancelled”: ``withRetry(_:clock:isolation:observer:operation:)`` throws that value, and not
/// `CancellationError`, when a wait between two attempts is cancelled. So a caller sees one type, whenever it cancels.
public protocol CancellationDescribing: Error {
    /// The error for the same operation, cancelled before it was tried again.
    var cancelledBeforeRetry: Self { get }
}
