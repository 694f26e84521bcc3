import ErrorCore

/// How many times a run is retried, and whether its command may run twice.
struct RetryPlan: Equatable {
    var retries = 0
    var isIdempotent = false

    /// The maximum number of attempts, the first included.
    var attempts: Int { retries + 1 }

    /// The error's own advice decides, and whether the command may have run (`SSHError.mayHaveTakenEffect`).
    ///
    /// - Parameter canRepeat: whether another attempt could be given the same input.
    func policy(_ canRepeat: @escaping @Sendable () -> Bool) -> RetryPolicy {
        var policy = RetryPolicy.default
        policy.maxAttempts = attempts
        policy.isIdempotent = isIdempotent
        policy.shouldRetry = { RetryAdvice.of($0).allowsRetry && canRepeat() }
        return policy
    }
}
