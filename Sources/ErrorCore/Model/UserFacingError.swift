#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error that can speak for itself to a person.
///
/// A title and a message are enough; the rest has defaults. It is a `LocalizedError`, so `localizedDescription` is
/// the message on every platform.
/// ```swift
/// enum ShopError: UserFacingError {
///     case soldOut(item: String)
///     var title: String { "Sold Out" }
///     var userMessage: String { "Someone bought the last \(item)." }
/// }
/// ```
public protocol UserFacingError: LocalizedError, CustomStringConvertible {
    /// One to four words that name the kind of failure.
    var title: String { get }
    /// What happened, in a sentence that a person can act on.
    var userMessage: String { get }
    /// What can be offered to the person, the most useful first. Default: an OK that dismisses it.
    var recoveryOptions: [ErrorRecoveryOption] { get }
    /// The name of an SF Symbol. Default: the severity's.
    var icon: String { get }
    /// How bad it is. Default: `error`.
    var severity: ErrorSeverity { get }

    // LocalizedError's, said again: otherwise the defaults below would hide a type's own from callers of the protocol.

    /// Default: the message.
    var errorDescription: String? { get }
    /// Why it happened, if there is more to say than the message. Default: nothing.
    var failureReason: String? { get }
    /// What to do about it, in one sentence. Default: nothing.
    var recoverySuggestion: String? { get }
    /// Default: nothing.
    var helpAnchor: String? { get }
}

extension UserFacingError {
    /// An OK that dismisses it.
    public var recoveryOptions: [ErrorRecoveryOption] { [.dismiss] }
    /// The severity's own symbol.
    public var icon: String { severity.icon }
    /// `error`.
    public var severity: ErrorSeverity { .error }
    /// The message.
    public var errorDescription: String? { userMessage }
    /// The title and the message.
    public var description: String { "\(title): \(userMessage)" }
}

extension ErrorSeverity {
    /// An SF Symbol for errors that name none of their own.
    public var icon: String {
        switch self {
        case .info: "info.circle"
        case .warning: "exclamationmark.triangle"
        case .error: "xmark.circle"
        case .critical: "xmark.octagon"
        }
    }
}
