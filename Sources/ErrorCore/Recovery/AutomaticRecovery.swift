/// Deals with errors before a person is asked: renews a sign-in, reconnects, frees space.
/// ```swift
/// let errors = ErrorHandler(recoveries: [
///     AutomaticRecovery(for: .authentication) { _ in try await session.refresh() },
///     .choosing(.reconnect, for: .network),
/// ])
/// ```
/// An ``ErrorHandler`` asks its recoveries in order, each once for an error. An error that happens while one is at work is not
/// recovered automatically.
public struct AutomaticRecovery: Sendable {
    private let matches: @Sendable (ErrorProfile) -> Bool
    private let action: @Sendable (ErrorOccurrence, RecoveryActions) async throws -> Bool

    /// A recovery for the errors that match.
    ///
    /// - Parameters:
    ///   - matches: Which errors it is for.
    ///   - recover: Gets the error and the actions that its presenter bound. Returns whether the error is dealt with; if not,
    ///     or
    ///     if it throws, the next recovery is asked, then the person.
    public init(
        where matches: @escaping @Sendable (ErrorProfile) -> Bool,
        recover: @escaping @Sendable (ErrorOccurrence, RecoveryActions) async throws -> Bool
    ) {
        self.matches = matches
        action = recover
    }

    /// A recovery for the errors of a category, which have been dealt with when it returns.
    public init(for category: ErrorCategory, recover: @escaping @Sendable (ErrorOccurrence) async throws -> Void) {
        self.init(where: { $0.category == category }) { occurrence, _ in
            try await recover(occurrence)
            return true
        }
    }

    /// Does once what a recovery option would do, for the errors of a category to which such an action is bound.
    public static func choosing(_ option: ErrorRecoveryOption.ID, for category: ErrorCategory) -> AutomaticRecovery {
        AutomaticRecovery(where: { $0.category == category }) { _, actions in
            guard let action = actions[option] else { return false }
            try await action()
            return true
        }
    }

    /// Whether a recovery is at work in this task: an error in it is not recovered in its turn, which might never end.
    @TaskLocal private static var isAtWork = false

    /// The outcome of the first recovery that dealt with the error; the failure of the last that tried.
    static func recover(
        _ occurrence: ErrorOccurrence, with recoveries: [AutomaticRecovery], actions: RecoveryActions
    ) async -> (isRecovered: Bool, failure: (any Error)?) {
        guard !isAtWork else { return (false, nil) }
        var failure: (any Error)?
        for recovery in recoveries where recovery.matches(occurrence.profile) {
            do {
                let isRecovered = try await $isAtWork.withValue(true) { try await recovery.action(occurrence, actions) }
                if isRecovered { return (true, nil) }
            } catch {
                failure = error
            }
        }
        return (false, failure)
    }
}
