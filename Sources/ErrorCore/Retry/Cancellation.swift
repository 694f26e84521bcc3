extension Error {
    /// Whether a person or a program gave up on purpose: `CancellationError`, ``AppError/cancelled`` and every error that stands for
    /// one of them.
    public var isCancellation: Bool { self is CancellationError || ErrorProfile(self).isCancellation }
}
