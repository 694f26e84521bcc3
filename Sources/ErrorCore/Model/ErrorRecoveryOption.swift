/// Something a person can be offered after an error: a button.
///
/// Equal by identity: two `.retry` are equal whatever they are titled and bound to. An error only names the options
/// that suit it; its presenter binds actions to them (``RecoveryActions``), and one that stays unbound
/// is not shown.
public struct ErrorRecoveryOption: Sendable, Identifiable {
    /// What happens when it is chosen. An error that it throws is shown in its turn.
    public typealias Action = @Sendable () async throws -> Void

    /// What an option is, whatever its title.
    public struct ID: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
        /// The identity, such as `retry`.
        public let rawValue: String
        /// An identity.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// An identity.
        public init(stringLiteral value: String) { rawValue = value }
    }

    /// How an option weighs.
    public enum Style: String, Sendable, Hashable, Codable {
        /// The one that a person most likely wants.
        case primary
        /// Another way.
        case secondary
        /// It loses something.
        case destructive
    }

    /// What a button of a system's alert is for.
    public enum Role: String, Sendable, Hashable, Codable {
        /// It closes the message and changes nothing.
        case cancel
        /// It loses something.
        case destructive
    }

    /// What the option is.
    public let id: ID
    /// A word or two, as on a button.
    public var title: String
    /// The name of an SF Symbol, if it has one.
    public var icon: String?
    /// How it weighs.
    public var style: Style
    /// What it does; nil while it is unbound.
    public var action: Action?

    /// An option of an app's own, or one bound already.
    public init(id: ID, title: String, icon: String? = nil, style: Style = .secondary, action: Action? = nil) {
        self.id = id
        self.title = title
        self.icon = icon
        self.style = style
        self.action = action
    }

    /// The role of its button; nil for an ordinary one.
    public var role: Role? {
        if id == .cancel || id == .dismiss { return .cancel }
        return style == .destructive ? .destructive : nil
    }

    /// The same option, bound to an action.
    public func bound(to action: @escaping Action) -> ErrorRecoveryOption {
        var option = self
        option.action = action
        return option
    }
}

extension ErrorRecoveryOption: Hashable {
    /// Whether they are the same option.
    public static func == (left: ErrorRecoveryOption, right: ErrorRecoveryOption) -> Bool { left.id == right.id }
    /// Feeds the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

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
