/// A choice offered to a person after an error: a button.
///
/// Options are equal by identity: two `.retry` are equal, whatever their titles and actions. An error only names suitable
/// options. The presenter binds actions to them (``RecoveryActions``); an option without an action is not shown.
public struct ErrorRecoveryOption: Sendable, Identifiable {
    /// The work of a chosen option. If it throws, the new error is shown.
    public typealias Action = @Sendable () async throws -> Void

    /// The identity of an option, independent of its title.
    public struct ID: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
        /// The identity, such as `retry`.
        public let rawValue: String
        /// An identity with this name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// An identity with this name.
        public init(stringLiteral value: String) { rawValue = value }
    }

    /// The weight of an option.
    public enum Style: String, Sendable, Hashable, Codable {
        /// The option that a person most likely wants.
        case primary
        /// An alternative.
        case secondary
        /// An option that loses something.
        case destructive
    }

    /// The role of a button in a system alert.
    public enum Role: String, Sendable, Hashable, Codable {
        /// The option closes the message and changes nothing.
        case cancel
        /// The option loses data; the system marks it.
        case destructive
    }

    /// The identity.
    public let id: ID
    /// A word or two for the button.
    public var title: String
    /// The name of an SF Symbol, if it has one.
    public var icon: String?
    /// The weight.
    public var style: Style
    /// The action; nil while the option is unbound.
    public var action: Action?

    /// An option of your own, or one that is already bound.
    public init(id: ID, title: String, icon: String? = nil, style: Style = .secondary, action: Action? = nil) {
        self.id = id
        self.title = title
        self.icon = icon
        self.style = style
        self.action = action
    }

    /// The role of its button; nil for an ordinary button.
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
    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The presenter's actions for an error's options.
/// ```swift
/// ErrorPresentation(error, actions: [.retry: { try await reload() }, .dismiss: { close() }])
/// ```
public struct RecoveryActions: Sendable, ExpressibleByDictionaryLiteral {
    private var actions: [ErrorRecoveryOption.ID: ErrorRecoveryOption.Action]

    /// No actions.
    public init() {
        actions = [:]
    }

    /// Actions by option; of several for one option, the last is kept.
    public init(dictionaryLiteral elements: (ErrorRecoveryOption.ID, ErrorRecoveryOption.Action)...) {
        actions = Dictionary(elements) { _, last in last }
    }

    /// The action for an option, if the presenter has one.
    public subscript(id: ErrorRecoveryOption.ID) -> ErrorRecoveryOption.Action? {
        get { actions[id] }
        set { actions[id] = newValue }
    }

    /// The actions of this value, and those of `fallback` for options without an action in this one.
    public func merging(_ fallback: RecoveryActions) -> RecoveryActions {
        var result = self
        result.actions.merge(fallback.actions) { own, _ in own }
        return result
    }

    /// The options that have an action, either here or of their own; an action from here takes precedence. The order is kept, and
    /// each option appears once.
    public func bind(_ options: [ErrorRecoveryOption]) -> [ErrorRecoveryOption] {
        var seen: Set<ErrorRecoveryOption.ID> = []
        return options.compactMap { option in
            guard let action = actions[option.id] ?? option.action, seen.insert(option.id).inserted else { return nil }
            return option.bound(to: action)
        }
    }
}
