/// The defaults of `retry` and `isRetryable`, each of which asks for the other: a type declares either.
enum RetryDefaults {
    /// The type whose `retry` is being derived. Asked again for the same type, a default gives a plain answer instead of
    /// asking back, which would never end.
    @TaskLocal private static var deriving: ObjectIdentifier?

    static func advice<Failure: ClassifiedError>(for error: Failure) -> RetryAdvice {
        let type = ObjectIdentifier(Failure.self)
        guard deriving != type else { return .never }
        return $deriving.withValue(type) {
            if error.isRetryable { return .backoff() }
            let options = (error as? any UserFacingError)?.recoveryOptions ?? []
            return options.contains(.retry) ? .afterFix : .never
        }
    }

    static func isRetryable<Failure: ClassifiedError>(_ error: Failure) -> Bool {
        guard deriving != ObjectIdentifier(Failure.self) else { return false }
        return error.retry.allowsRetry && !error.mayHaveTakenEffect
    }
}
