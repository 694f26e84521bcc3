package import ErrorCore

/// How many times a run is retried, and whether its command may run twice.
package struct RetryPlan: Sendable, Equatable {
    package var retries: Int
    package var isIdempotent: Bool

    package init(retries: Int = 0, isIdempotent: Bool = false) {
        self.retries = retries
        self.isIdempotent = isIdempotent
    }

    /// The maximum number of attempts, the first included.
    package var attempts: Int { retries + 1 }

    /// The error's own advice decides, and whether the command may have run (`SSHError.mayHaveTakenEffect`).
    ///
    /// - Parameter canRepeat: whether another attempt could be given the same input.
    package func policy(_ canRepeat: @escaping @Sendable () -> Bool) -> RetryPolicy {
        var policy = RetryPolicy.default
        policy.maxAttempts = attempts
        policy.isIdempotent = isIdempotent
        policy.shouldRetry = { RetryAdvice.of($0).allowsRetry && canRepeat() }
        return policy
    }
}
