/// Handles errors before a person is asked: renews a sign-in, reconnects, or frees space.
/// ```swift
/// let errors = ErrorHandler(recoveries: [
///     AutomaticRecovery(for: .authentication) { _ in try await session.refresh() },
///     .choosing(.reconnect, for: .network),
/// ])
/// ```
/// An ``ErrorHandler`` tries its recoveries in order, each at most once per error. An error inside a running recovery is not
/// recovered automatically.
public struct AutomaticRecovery: Sendable {
    private let matches: @Sendable (ErrorProfile) -> Bool
    private let action: @Sendable (ErrorOccurrence, RecoveryActions) async throws -> Bool

    /// A recovery for matching errors.
    ///
    /// - Parameters:
    ///   - matches: Selects the errors.
    ///   - recover: Receives the error and the actions that its presenter bound. Returns whether the error is resolved. If not,
    ///     or if it throws, the next recovery is tried, and then the person is asked.
    public init(
        where matches: @escaping @Sendable (ErrorProfile) -> Bool,
        recover: @escaping @Sendable (ErrorOccurrence, RecoveryActions) async throws -> Bool
    ) {
        self.matches = matches
        action = recover
    }

    /// A recovery for the errors of a category. They count as resolved when it returns.
    public init(for category: ErrorCategory, recover: @escaping @Sendable (ErrorOccurrence) async throws -> Void) {
        self.init(where: { $0.category == category }) { occurrence, _ in
            try await recover(occurrence)
            return true
        }
    }

    /// Performs a recovery option's action once, for the errors of a category whose presenter bound it.
    public static func choosing(_ option: ErrorRecoveryOption.ID, for category: ErrorCategory) -> AutomaticRecovery {
        AutomaticRecovery(where: { $0.category == category }) { _, actions in
            guard let action = actions[option] else { return false }
            try await action()
            return true
        }
    }

    /// Whether a recovery is running in this task. An error inside it is not recovered again, since this might never end.
    @TaskLocal private static var isAtWork = false

    /// The outcome of the first recovery that resolved the error; otherwise the failure of the last one that was tried.
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
