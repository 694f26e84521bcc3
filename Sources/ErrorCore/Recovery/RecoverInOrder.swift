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
