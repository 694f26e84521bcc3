/// Sends the same request again after the waits of a ``RetryPolicy``. Its deadline does not count here.
public struct RecoverByWaiting<Request: Sendable>: RecoveryStrategy {
    private let policy: RetryPolicy

    /// A strategy that waits as the policy says.
    public init(_ policy: RetryPolicy = .default) {
        self.policy = policy
    }

    /// The wait, while the policy tries this error again.
    public func recover(_ failed: FailedRequest<Request>) async -> RecoveryDecision<Request> {
        guard policy.allowsRetry(after: failed.error) else { return .fail }
        // The attempts that other strategies have dealt with are not counted.
        let waited = failed.previousErrors.count(where: policy.allowsRetry)
        guard waited + 1 < policy.maxAttempts else { return .fail }
        var generator = SystemRandomNumberGenerator()
        return .retryAfter(policy.delay(afterAttempt: waited + 1, advice: .of(failed.error), using: &generator))
    }
}
