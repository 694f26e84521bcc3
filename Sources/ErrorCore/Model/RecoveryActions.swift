/// What the presenter of an error does for each option that it can serve.
/// ```swift
/// ErrorPresentation(error, actions: [.retry: { try await reload() }, .dismiss: { close() }])
/// ```
public struct RecoveryActions: Sendable, ExpressibleByDictionaryLiteral {
    private var actions: [ErrorRecoveryOption.ID: ErrorRecoveryOption.Action]

    /// Actions for no option.
    public init() {
        actions = [:]
    }

    /// Actions by option; of two for one option the last counts.
    public init(dictionaryLiteral elements: (ErrorRecoveryOption.ID, ErrorRecoveryOption.Action)...) {
        actions = Dictionary(elements) { _, last in last }
    }

    /// The action for an option, if the presenter has one.
    public subscript(id: ErrorRecoveryOption.ID) -> ErrorRecoveryOption.Action? {
        get { actions[id] }
        set { actions[id] = newValue }
    }

    /// These actions, and another's where this has none.
    public func merging(_ fallback: RecoveryActions) -> RecoveryActions {
        var result = self
        result.actions.merge(fallback.actions) { own, _ in own }
        return result
    }

    /// The options that have an action, of their own or from here (which counts more), in their order and each once.
    public func bind(_ options: [ErrorRecoveryOption]) -> [ErrorRecoveryOption] {
        var seen: Set<ErrorRecoveryOption.ID> = []
        return options.compactMap { option in
            guard let action = actions[option.id] ?? option.action, seen.insert(option.id).inserted else { return nil }
            return option.bound(to: action)
        }
    }
}
