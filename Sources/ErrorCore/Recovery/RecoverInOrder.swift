/// Asks one strategy, and another where it fails.
public struct RecoverInOrder<Request: Sendable>: RecoveryStrategy {
    private let strategies: [any RecoveryStrategy<Request>]

    /// Strategies in the order in which they are asked.
    public init(_ strategies: [any RecoveryStrategy<Request>]) {
        self.strategies = strategies
    }

    /// The first answer that is not ``RecoveryDecision/fail``.
    public func recover(_ failed: FailedRequest<Request>) async throws -> RecoveryDecision<Request> {
        for strategy in strategies {
            let decision = try await strategy.recover(failed)
            if case .fail = decision { continue }
            return decision
        }
        return .fail
    }
}

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

/// Changes the request and sends it again, once for each kind of error: a sign-in that expired, a passphrase that was missing.
public struct RecoverOnce<Request: Sendable>: RecoveryStrategy {
    private let matches: @Sendable (any Error) -> Bool
    private let change: @Sendable (FailedRequest<Request>) async throws -> Request?

    /// A strategy for the errors that match.
    ///
    /// - Parameters:
    ///   - matches: Which errors it is for. One that matched before is not recovered again.
    ///   - change: Makes the request that is sent; nil gives up. What it throws reaches the caller.
    public init(
        where matches: @escaping @Sendable (any Error) -> Bool,
        change: @escaping @Sendable (FailedRequest<Request>) async throws -> Request?
    ) {
        self.matches = matches
        self.change = change
    }

    /// The changed request, the first time that an error matches.
    public func recover(_ failed: FailedRequest<Request>) async throws -> RecoveryDecision<Request> {
        guard matches(failed.error), !failed.previousErrors.contains(where: matches),
            let request = try await change(failed)
        else { return .fail }
        return .retry(request)
    }
}

extension RecoveryStrategy {
    /// This strategy, and another where it fails.
    public func otherwise(_ next: any RecoveryStrategy<Request>) -> RecoverInOrder<Request> {
        RecoverInOrder([self, next])
    }
}
