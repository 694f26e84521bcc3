#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How often and how soon to retry.
public struct RetryPolicy: Sendable {
    /// How a delay is randomised, so that many clients that failed together do not all return together.
    public enum Jitter: String, Sendable, Hashable {
        /// No randomisation.
        case none
        /// Any delay from zero to the full one.
        case full
    }

    /// The greatest number of attempts, including the first; at least 1.
    public var maxAttempts: Int
    /// The delay after the first failure.
    public var initialDelay: Duration
    /// The factor by which each further delay grows.
    public var multiplier: Double
    /// The greatest delay, unless an error names a longer wait.
    public var maxDelay: Duration
    /// The randomisation of a delay.
    public var jitter: Jitter
    /// The time limit for starting attempts: none starts later than this after the first one started. A running attempt is not
    /// cut short.
    public var deadline: Duration?
    /// Which errors to retry. Default: those whose ``RetryAdvice`` allows it.
    public var shouldRetry: @Sendable (any Error) -> Bool
    /// Whether the operation does no harm when it runs twice (RFC 9110 section 9.2.2). Then it is retried even if a failed
    /// attempt may have taken effect (``ClassifiedError/mayHaveTakenEffect``).
    public var isIdempotent: Bool
    /// The HTTP method, if the operation is a request. After a POST or PATCH, an error that leaves open whether the request took
    /// effect (a timeout, a lost connection, most 5xx) is not retried, unless ``isIdempotent`` is true.
    public var method: HTTPMethod?

    /// A policy.
    public init(
        maxAttempts: Int, initialDelay: Duration, multiplier: Double = 2, maxDelay: Duration, jitter: Jitter = .full,
        deadline: Duration? = nil, isIdempotent: Bool = false, method: HTTPMethod? = nil,
        shouldRetry: @escaping @Sendable (any Error) -> Bool = { RetryAdvice.of($0).allowsRetry }
    ) {
        self.maxAttempts = maxAttempts
        self.initialDelay = initialDelay
        self.multiplier = multiplier
        self.maxDelay = maxDelay
        self.jitter = jitter
        self.deadline = deadline
        self.isIdempotent = isIdempotent
        self.method = method
        self.shouldRetry = shouldRetry
    }

    /// Three attempts; delays from 1 s to 30 s, doubling.
    public static let `default` = RetryPolicy(maxAttempts: 3, initialDelay: .seconds(1), maxDelay: .seconds(30))
    /// Five attempts; delays from 0.5 s to 60 s, doubling.
    public static let aggressive = RetryPolicy(maxAttempts: 5, initialDelay: .milliseconds(500), maxDelay: .seconds(60))
    /// Two attempts; delays from 2 s to 10 s, growing by half, without jitter.
    public static let conservative = RetryPolicy(
        maxAttempts: 2, initialDelay: .seconds(2), multiplier: 1.5, maxDelay: .seconds(10), jitter: .none)

    /// Whether an error is retried, by its own advice and this policy.
    public func allowsRetry(after error: any Error) -> Bool {
        shouldRetry(error) && (isIdempotent || !mayHaveTakenEffect(error))
    }

    private func mayHaveTakenEffect(_ error: any Error) -> Bool {
        if let classified = error as? any ClassifiedError, classified.mayHaveTakenEffect { return true }
        guard let method, !method.isIdempotent else { return false }
        return RequestEffect.isPossible(after: error)
    }

    /// This policy for requests with a given method: `withRetry(.default.for(.post)) { … }` does not repeat a POST that timed
    /// out.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - isIdempotent: Whether the request does no harm when it is sent twice, whatever its method: for example, because it has
    ///     an idempotency key.
    public func `for`(_ method: HTTPMethod, isIdempotent: Bool = false) -> RetryPolicy {
        var policy = self
        policy.method = method
        policy.isIdempotent = isIdempotent
        return policy
    }

    /// The delay after an attempt before randomisation: `initialDelay × multiplier^(attempt - 1)`, at most `maxDelay`.
    ///
    /// - Parameter attempt: The number of the failed attempt, from 1.
    public func delayCeiling(afterAttempt attempt: Int) -> Duration {
        guard initialDelay > .zero, maxDelay > .zero else { return .zero }
        let seconds = initialDelay.inSeconds * pow(max(0, multiplier), Double(max(1, attempt) - 1))
        return seconds < maxDelay.inSeconds ? .seconds(seconds) : maxDelay
    }

    /// The randomised delay after an attempt; never shorter than the wait that the error named.
    ///
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - advice: The error's advice; for `now` there is no delay.
    ///   - generator: The source of randomness.
    public func delay(
        afterAttempt attempt: Int, advice: RetryAdvice, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if advice == .now { return .zero }
        let ceiling = delayCeiling(afterAttempt: attempt)
        let spread: Duration =
            switch jitter {
            case .none: ceiling
            case .full: .seconds(Double.random(in: 0...ceiling.inSeconds, using: &generator))
            }
        return max(spread, advice.minimumWait ?? .zero)
    }
}

extension RetryAdvice {
    /// The retry advice of any error.
    public static func of(_ error: any Error) -> RetryAdvice {
        (error as? any ClassifiedError)?.retry ?? ErrorProfile(error).retry
    }
}

extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

/// A step that ``withRetry(_:clock:isolation:observer:operation:)`` reports.
public enum RetryEvent: Sendable {
    /// Why there is no further attempt.
    public enum End: String, Sendable, Hashable {
        /// The policy does not retry this error.
        case notRetryable
        /// The failed attempt was the last one.
        case attemptsExhausted
        /// The next attempt would start after the deadline.
        case deadline
        /// The task was cancelled.
        case cancelled
    }

    /// An attempt failed; the next one starts after this delay.
    case willRetry(after: RetryAttempt, delay: Duration)
    /// An attempt succeeded after these failed ones.
    case succeeded(failed: [RetryAttempt])
    /// The last of these attempts failed, and its error is thrown.
    case gaveUp(failed: [RetryAttempt], End)
}

/// A failed attempt.
public struct RetryAttempt: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// The error that it threw.
    public let error: any Error
    /// When it failed, measured from the start of the first attempt.
    public let elapsed: Duration
}

/// Runs an operation, and repeats it as a policy says while it fails.
///
/// The last error is thrown unchanged, so that `catch` patterns keep working; an operation with typed throws keeps its type. The
/// observer gets the earlier failures. A wait that an error names, such as `Retry-After`, is respected. An operation that may
/// have taken effect is not repeated unless the policy says that it is idempotent. Cancelling the task ends a wait at once.
/// ```swift
/// let page = try await withRetry(.aggressive) { attempt in try await fetch(url) }
/// ```
/// - Parameters:
///   - policy: How often and how soon to retry.
///   - clock: Measures time and waits.
///   - isolation: The caller's actor, on which the operation runs.
///   - observer: Receives each step.
///   - operation: The operation to try. It receives the attempt number, from 1.
/// - Returns: The operation's result.
/// - Throws: The operation's last error, or `CancellationError` if the task was cancelled before the first attempt or during a
///   wait. An operation with typed throws runs at least once, and its last error is thrown instead; after a wait, a
///   ``CancellationDescribing`` error becomes the value of its type for "cancelled".
public func withRetry<Result, Failure: Error>(
    _ policy: RetryPolicy = .default, clock: any Clock<Duration> = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation, observer: (RetryEvent) -> Void = { _ in },
    operation: (_ attempt: Int) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    try await retry(policy, clock: clock, isolation: isolation, observer: observer, operation: operation)
}

private func retry<C: Clock<Duration>, Result, Failure: Error>(
    _ policy: RetryPolicy, clock: C, isolation: isolated (any Actor)?, observer: (RetryEvent) -> Void,
    operation: (Int) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    let start = clock.now
    var failed: [RetryAttempt] = []
    var generator = SystemRandomNumberGenerator()
    if Task.isCancelled, let cancellation = CancellationError() as? Failure { throw cancellation }
    while true {
        let number = failed.count + 1
        do {
            let result = try await operation(number)
            observer(.succeeded(failed: failed))
            return result
        } catch {
            let attempt = RetryAttempt(number: number, error: error, elapsed: start.duration(to: clock.now))
            failed.append(attempt)
            let delay = policy.delay(afterAttempt: number, advice: .of(error), using: &generator)
            if let end = policy.end(attempt, delay: delay) {
                observer(.gaveUp(failed: failed, end))
                throw error
            }
            observer(.willRetry(after: attempt, delay: delay))
            guard await wait(delay, clock) else {
                observer(.gaveUp(failed: failed, .cancelled))
                throw cancellation(after: error) as? Failure ?? error
            }
        }
    }
}

private func cancellation(after error: any Error) -> any Error {
    (error as? any CancellationDescribing)?.cancelledBeforeRetry ?? CancellationError()
}

/// - Returns: Whether to go on. A cancelled task must not run the operation again, even without a delay.
private func wait<C: Clock<Duration>>(_ delay: Duration, _ clock: C) async -> Bool {
    if delay > .zero, !Task.isCancelled { try? await clock.sleep(for: delay) }
    return !Task.isCancelled
}

extension RetryPolicy {
    /// Why no attempt follows this one; nil if one follows.
    fileprivate func end(_ attempt: RetryAttempt, delay: Duration) -> RetryEvent.End? {
        if Task.isCancelled || attempt.error.isCancellation { return .cancelled }
        if !allowsRetry(after: attempt.error) { return .notRetryable }
        if attempt.number >= maxAttempts { return .attemptsExhausted }
        if let deadline, attempt.elapsed + delay > deadline { return .deadline }
        return nil
    }
}

extension Error {
    /// Whether a person or a program cancelled on purpose: `CancellationError`, ``AppError/cancelled``, and every error that
    /// stands for one of them.
    public var isCancellation: Bool { self is CancellationError || ErrorProfile(self).isCancellation }
}

/// An error type with a value for “cancelled”. When a wait between two attempts is cancelled,
/// ``withRetry(_:clock:isolation:observer:operation:)`` throws that value instead of `CancellationError`. So a caller sees one
/// type, whenever it cancels.
public protocol CancellationDescribing: Error {
    /// The error for the same operation, cancelled before the next attempt.
    var cancelledBeforeRetry: Self { get }
}
