/// Turns a failed request into one that may succeed, without the caller noticing: signs in again, asks about a host key,
/// waits.
///
/// A strategy keeps no state: what happened before is in the ``FailedRequest``.
public protocol RecoveryStrategy<Request>: Sendable {
    /// What is sent.
    associatedtype Request: Sendable
    /// What to do about a failed request.
    ///
    /// - Throws: An error that is to reach the caller instead of the request's, such as the person's own cancellation.
    func recover(_ failed: FailedRequest<Request>) async throws -> RecoveryDecision<Request>
}

/// Sends a request, and lets a strategy recover while it fails. The caller sees only the outcome.
/// ```swift
/// let refresh = RecoverOnce(where: { AppError($0) == .apiUnauthorized }) { failed in
///     failed.request.signed(with: try await tokens.refresh())
/// }
/// let page = try await withRecovery(of: request, by: refresh.otherwise(RecoverByWaiting(.default))) { try await send($0) }
/// ```
/// - Parameters:
///   - request: What is sent first.
///   - strategy: The strategy that decides after each failure.
///   - maxAttempts: A bound for strategies that never give up; at least 1.
///   - clock: The clock for waits.
///   - isolation: The actor that the operation runs on: the caller's.
///   - operation: Sends a request.
/// - Returns: What the operation returned.
/// - Throws: The operation's last error as it is, or the strategy's own. An operation with typed throws keeps its type: an
///   error
///   of the strategy or of a cancelled wait that is of another type is not thrown, but the operation's last error.
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
    /// It cannot help: the error goes to the caller.
    case fail
    /// Send this request, changed or not.
    case retry(Request)
    /// Send the same request again after a wait.
    case retryAfter(Duration)
}

/// A request that failed, and how often it has.
public struct FailedRequest<Request: Sendable>: Sendable {
    /// The request, as it was last sent.
    public let request: Request
    /// The current failure.
    public let error: any Error
    /// Earlier failures, the oldest first.
    public let previousErrors: [any Error]

    /// A failed request, to ask a strategy about.
    public init(request: Request, error: any Error, previousErrors: [any Error] = []) {
        self.request = request
        self.error = error
        self.previousErrors = previousErrors
    }

    /// How many attempts there have been, this one included.
    public var attempts: Int { previousErrors.count + 1 }
}

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

    /// A strategy that waits according to the policy.
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
    ///   - matches: Which errors to recover from. An error that matched before is not recovered again.
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
