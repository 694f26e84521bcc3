extension RecoveryStrategy {
    /// This strategy, and another where it fails.
    public func otherwise(_ next: any RecoveryStrategy<Request>) -> RecoverInOrder<Request> {
        RecoverInOrder([self, next])
    }
}
