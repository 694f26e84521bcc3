/// Turns a failed request into one that may succeed, without involving the caller: signs in again, asks about a host key, or
/// waits.
///
/// A strategy has no state: earlier failures are in the ``FailedRequest``.
public protocol RecoveryStrategy<Request>: Sendable {
    /// The type of request.
    associatedtype Request: Sendable
    /// Decides what to do about a failed request.
    ///
    /// - Throws: An error for the caller in place of the request's, such as the person's cancellation.
    func recover(_ failed: FailedRequest<Request>) async throws -> RecoveryDecision<Request>
}

/// Sends a request, and asks a strategy after each failure. The caller sees only the outcome.
/// ```swift
/// let refresh = RecoverOnce(where: { AppError($0) == .apiUnauthorized }) { failed in
///     failed.request.signed(with: try await tokens.refresh())
/// }
/// let page = try await withRecovery(of: request, by: refresh.otherwise(RecoverByWaiting(.default))) { try await send($0) }
/// ```
/// - Parameters:
///   - request: The first request.
///   - strategy: Decides after each failure.
///   - maxAttempts: The greatest number of attempts, for strategies that never give up; at least 1.
///   - clock: Measures the waits.
///   - isolation: The caller's actor, on which the operation runs.
///   - operation: Sends a request.
/// - Returns: What the operation returned.
/// - Throws: The operation's last error, unchanged, or the strategy's own. An operation with typed throws keeps its type: if the
///   strategy or a cancelled wait throws another type, the operation's last error is thrown instead.
public func withRecovery<Request: Sendable, Result, Failure: Error>(
    of request: Request, by strategy: any RecoveryStrategy<Request>, maxAttempts: Int = 10,
    clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
    operation: (Request) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    var request = request
    var errors: [any Error] = []
    while true {
        do {
            return try await operation(request)
        } catch {
            let failure = error
            guard errors.count + 1 < maxAttempts, !Task.isCancelled, !(failure is CancellationError) else { throw failure }
            do {
                switch try await strategy.recover(FailedRequest(request: request, error: failure, previousErrors: errors)) {
                case .fail: throw failure
                case .retry(let changed): request = changed
                case .retryAfter(let wait): try await clock.sleep(for: wait)
                }
                try Task.checkCancellation()
            } catch {
                throw error as? Failure ?? failure
            }
            errors.append(failure)
        }
    }
}

/// A strategy's decision.
public enum RecoveryDecision<Request: Sendable>: Sendable {
    /// The strategy cannot help: the caller gets the error.
    case fail
    /// Send this request, changed or not.
    case retry(Request)
    /// Send the same request again after a wait.
    case retryAfter(Duration)
}

/// A failed request, with the earlier failures.
public struct FailedRequest<Request: Sendable>: Sendable {
    /// The request, as it was last sent.
    public let request: Request
    /// The current failure.
    public let error: any Error
    /// Earlier failures, the oldest first.
    public let previousErrors: [any Error]

    /// A failed request for a strategy.
    public init(request: Request, error: any Error, previousErrors: [any Error] = []) {
        self.request = request
        self.error = error
        self.previousErrors = previousErrors
    }

    /// The number of attempts, including this one.
    public var attempts: Int { previousErrors.count + 1 }
}

/// Asks several strategies in turn, until one decides to retry.
public struct RecoverInOrder<Request: Sendable>: RecoveryStrategy {
    private let strategies: [any RecoveryStrategy<Request>]

    /// Strategies, in the order in which they are asked.
    public init(_ strategies: [any RecoveryStrategy<Request>]) {
        self.strategies = strategies
    }

    /// The first decision other than ``RecoveryDecision/fail``.
    public func recover(_ failed: FailedRequest<Request>) async throws -> RecoveryDecision<Request> {
        for strategy in strategies {
            let decision = try await strategy.recover(failed)
            if case .fail = decision { continue }
            return decision
        }
        return .fail
    }
}

/// Repeats the same request after the delays of a ``RetryPolicy``. The policy's deadline is ignored.
public struct RecoverByWaiting<Request: Sendable>: RecoveryStrategy {
    private let policy: RetryPolicy

    /// A strategy that waits according to the policy.
    public init(_ policy: RetryPolicy = .default) {
        self.policy = policy
    }

    /// Waits, as long as the policy retries this error.
    public func recover(_ failed: FailedRequest<Request>) async -> RecoveryDecision<Request> {
        guard policy.allowsRetry(after: failed.error) else { return .fail }
        // Failures that this policy would not retry belonged to other strategies, and are not counted.
        let waited = failed.previousErrors.count(where: policy.allowsRetry)
        guard waited + 1 < policy.maxAttempts else { return .fail }
        var generator = SystemRandomNumberGenerator()
        return .retryAfter(policy.delay(afterAttempt: waited + 1, advice: .of(failed.error), using: &generator))
    }
}

/// Changes the request and sends it again, once per kind of error: for example, after an expired sign-in or a missing passphrase.
public struct RecoverOnce<Request: Sendable>: RecoveryStrategy {
    private let matches: @Sendable (any Error) -> Bool
    private let change: @Sendable (FailedRequest<Request>) async throws -> Request?

    /// A strategy for matching errors.
    ///
    /// - Parameters:
    ///   - matches: Selects the errors. After one match, a further one is not recovered.
    ///   - change: Makes the next request; nil gives up. The caller gets any error that it throws.
    public init(
        where matches: @escaping @Sendable (any Error) -> Bool,
        change: @escaping @Sendable (FailedRequest<Request>) async throws -> Request?
    ) {
        self.matches = matches
        self.change = change
    }

    /// The changed request, for the first matching error.
    public func recover(_ failed: FailedRequest<Request>) async throws -> RecoveryDecision<Request> {
        guard matches(failed.error), !failed.previousErrors.contains(where: matches),
            let request = try await change(failed)
        else { return .fail }
        return .retry(request)
    }
}

extension RecoveryStrategy {
    /// This strategy, with another to ask if it fails.
    public func otherwise(_ next: any RecoveryStrategy<Request>) -> RecoverInOrder<Request> {
        RecoverInOrder([self, next])
    }
}
