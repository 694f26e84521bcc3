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

// Foundation has defaults for these, but conforming files would then have to import Foundation too.
// Where a type is both, the last extension decides.

extension UserFacingError {
    /// None beyond the message.
    public var failureReason: String? { nil }
    /// None; say here what to do about it.
    public var recoverySuggestion: String? { nil }
    /// None.
    public var helpAnchor: String? { nil }
}

extension ClassifiedError {
    /// The code, which is all that is known.
    public var errorDescription: String? { errorCode }
    /// None.
    public var failureReason: String? { nil }
    /// None; say here what to do about it.
    public var recoverySuggestion: String? { nil }
    /// None.
    public var helpAnchor: String? { nil }
}

extension UserFacingError where Self: ClassifiedError {
    /// The message.
    public var errorDescription: String? { userMessage }
    /// None beyond the message.
    public var failureReason: String? { nil }
    /// None; say here what to do about it.
    public var recoverySuggestion: String? { nil }
    /// None.
    public var helpAnchor: String? { nil }
    /// The code and the message.
    public var description: String { "\(errorCode): \(userMessage)" }
}

/// Reads what only the whole of Foundation can: `NSError`, and `URLError`, which is one.
///
/// The target FoundationErrors conforms ``FoundationErrors`` to it. A library is linked with that target, without a line that
/// imports it; an executable that meets no such errors may leave it out, and with it the greater part of Foundation.
package protocol FoundationErrorReader: SendableMetatype {
    /// nil for an error that is not Foundation's, and for one that says nothing by itself.
    static func appError(for error: any Error, hints: AppError.MappingHints) -> AppError?
    /// The error under it, by `NSUnderlyingErrorKey`.
    static func underlying(_ error: any Error) -> (any Error)?
    /// What Foundation says of an error of its own; nil for another's.
    static func description(of error: any Error) -> String?
    /// The domain and code of an error as `NSError` has them.
    static func identity(of error: any Error) -> (domain: String, code: Int)
    /// Whether a request that failed so may have reached the server all the same; nil for an error that is not Foundation's.
    static func mayHaveBeenSent(_ error: any Error) -> Bool?
    /// A number of seconds as a locale writes it.
    static func duration(seconds: Int, locale: Locale) -> String
    /// A number of bytes as a locale writes it.
    static func bytes(_ count: Int64, locale: Locale) -> String
    /// The symbols of the caller's stack, the innermost first.
    static func callStack() -> [String]
}

/// Where Foundation's reader is found, if it is linked.
package enum FoundationErrors {
    static let reader = FoundationErrors.self as Any as? any FoundationErrorReader.Type
}
