#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How often and how soon to try again.
public struct RetryPolicy: Sendable {
    /// How a delay is spread, so that many clients that failed together do not come back together.
    public enum Jitter: String, Sendable, Hashable {
        /// Not at all.
        case none
        /// Anywhere between nothing and the whole delay.
        case full
    }

    /// The greatest number of attempts, the first included; at least 1.
    public var maxAttempts: Int
    /// The delay after the first failure.
    public var initialDelay: Duration
    /// What each further delay is multiplied by.
    public var multiplier: Double
    /// The greatest delay, save where an error names a longer wait.
    public var maxDelay: Duration
    /// How a delay is spread.
    public var jitter: Jitter
    /// How long it may all take: no attempt begins later than this after the first began. It does not cut an attempt short.
    public var deadline: Duration?
    /// What to try again. Default: what the error's own ``RetryAdvice`` allows.
    public var shouldRetry: @Sendable (any Error) -> Bool
    /// Whether the operation does no harm when it is done twice (RFC 9110 section 9.2.2), so that it is tried again also where
    /// a failed attempt may have taken effect (``ClassifiedError/mayHaveTakenEffect``).
    public var isIdempotent: Bool
    /// The HTTP method of the operation, if it is a request: after a POST or PATCH, an error that leaves open whether the
    /// request took effect (a timeout, a lost connection, most 5xx) is not retried unless ``isIdempotent`` says so.
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

    /// Three attempts, from 1 s to 30 s, doubling.
    public static let `default` = RetryPolicy(maxAttempts: 3, initialDelay: .seconds(1), maxDelay: .seconds(30))
    /// Five attempts, from 0.5 s to 60 s, doubling.
    public static let aggressive = RetryPolicy(maxAttempts: 5, initialDelay: .milliseconds(500), maxDelay: .seconds(60))
    /// Two attempts, 2 s to 10 s, growing by half, without jitter.
    public static let conservative = RetryPolicy(
        maxAttempts: 2, initialDelay: .seconds(2), multiplier: 1.5, maxDelay: .seconds(10), jitter: .none)

    /// Whether an error is tried again, as far as the error and this policy go.
    public func allowsRetry(after error: any Error) -> Bool {
        shouldRetry(error) && (isIdempotent || !mayHaveTakenEffect(error))
    }

    private func mayHaveTakenEffect(_ error: any Error) -> Bool {
        if let classified = error as? any ClassifiedError, classified.mayHaveTakenEffect { return true }
        guard let method, !method.isIdempotent else { return false }
        return RequestEffect.isPossible(after: error)
    }

    /// This policy for requests by a method: `withRetry(.default.for(.post)) { … }` does not repeat a POST that timed out.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - isIdempotent: Whether the request does no harm when it is sent twice whatever its method says, as with an
    ///     idempotency key.
    public func `for`(_ method: HTTPMethod, isIdempotent: Bool = false) -> RetryPolicy {
        var policy = self
        policy.method = method
        policy.isIdempotent = isIdempotent
        return policy
    }

    /// The delay after an attempt before it is spread: `initialDelay × multiplier^(attempt - 1)`, at most `maxDelay`.
    ///
    /// - Parameter attempt: The number of the attempt that failed, from 1.
    public func delayCeiling(afterAttempt attempt: Int) -> Duration {
        guard initialDelay > .zero, maxDelay > .zero else { return .zero }
        let seconds = initialDelay.inSeconds * pow(max(0, multiplier), Double(max(1, attempt) - 1))
        return seconds < maxDelay.inSeconds ? .seconds(seconds) : maxDelay
    }

    /// The delay after an attempt: spread by the jitter, and never shorter than the wait that the error named.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt that failed, from 1.
    ///   - advice: What the error says of trying again; at once means no delay.
    ///   - generator: Where the randomness comes from.
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
    /// What any error says of trying again.
    public static func of(_ error: any Error) -> RetryAdvice {
        (error as? any ClassifiedError)?.retry ?? ErrorProfile(error).retry
    }
}

extension Duration {
    /// As a number of seconds.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
