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
