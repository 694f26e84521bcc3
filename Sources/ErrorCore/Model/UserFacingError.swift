#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error with texts for people.
///
/// Only a title and a message are required; the rest has defaults. The type is a `LocalizedError`, so `localizedDescription` is
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
    /// The choices to offer the person, the most useful first. Default: an OK that dismisses the error.
    var recoveryOptions: [ErrorRecoveryOption] { get }
    /// The name of an SF Symbol. Default: the severity's.
    var icon: String { get }
    /// The severity. Default: `error`.
    var severity: ErrorSeverity { get }

    // LocalizedError's requirements, repeated: otherwise the defaults below would hide a type's own from callers of the protocol.

    /// Default: the message.
    var errorDescription: String? { get }
    /// Why it happened, if the message does not say so. Default: nothing.
    var failureReason: String? { get }
    /// What the person can do about it, in one sentence. Default: nothing.
    var recoverySuggestion: String? { get }
    /// Default: nothing.
    var helpAnchor: String? { get }
}

extension UserFacingError {
    /// An OK that dismisses the error.
    public var recoveryOptions: [ErrorRecoveryOption] { [.dismiss] }
    /// The severity's symbol.
    public var icon: String { severity.icon }
    /// `error`.
    public var severity: ErrorSeverity { .error }
    /// The message.
    public var errorDescription: String? { userMessage }
    /// The title and the message.
    public var description: String { "\(title): \(userMessage)" }
}

extension ErrorSeverity {
    /// An SF Symbol for errors that do not name their own.
    public var icon: String {
        switch self {
        case .info: "info.circle"
        case .warning: "exclamationmark.triangle"
        case .error: "xmark.circle"
        case .critical: "xmark.octagon"
        }
    }
}

// Foundation has these defaults, but conforming files would then have to import Foundation too. For a type that conforms to both
// protocols, the last extension applies.

extension UserFacingError {
    /// Nothing beyond the message.
    public var failureReason: String? { nil }
    /// Nothing; override it with what the person can do.
    public var recoverySuggestion: String? { nil }
    /// Nothing.
    public var helpAnchor: String? { nil }
}

extension ClassifiedError {
    /// The code: nothing else is known.
    public var errorDescription: String? { errorCode }
    /// Nothing.
    public var failureReason: String? { nil }
    /// Nothing; override it with what the person can do.
    public var recoverySuggestion: String? { nil }
    /// Nothing.
    public var helpAnchor: String? { nil }
}

extension UserFacingError where Self: ClassifiedError {
    /// The message.
    public var errorDescription: String? { userMessage }
    /// Nothing beyond the message.
    public var failureReason: String? { nil }
    /// Nothing; override it with what the person can do.
    public var recoverySuggestion: String? { nil }
    /// Nothing.
    public var helpAnchor: String? { nil }
    /// The code and the message.
    public var description: String { "\(errorCode): \(userMessage)" }
}

/// Reads the errors for which the whole of Foundation is needed: `NSError`, and `URLError`, which is one.
///
/// The target FoundationErrors conforms ``FoundationErrors`` to this protocol. A library links that target without importing it.
/// An executable that meets no such errors can leave it out, and with it most of Foundation.
package protocol FoundationErrorReader: SendableMetatype {
    /// The case for an error; nil if the error is not Foundation's, or says nothing by itself.
    static func appError(for error: any Error, hints: AppError.MappingHints) -> AppError?
    /// The underlying error, by `NSUnderlyingErrorKey`.
    static func underlying(_ error: any Error) -> (any Error)?
    /// Foundation's description of its own error; nil for any other error.
    static func description(of error: any Error) -> String?
    /// The domain and code of an error, as in `NSError`.
    static func identity(of error: any Error) -> (domain: String, code: Int)
    /// Whether the server may have received the failed request; nil if the error is not Foundation's.
    static func mayHaveBeenSent(_ error: any Error) -> Bool?
    /// A number of seconds in the locale's format.
    static func duration(seconds: Int, locale: Locale) -> String
    /// A number of bytes in the locale's format.
    static func bytes(_ count: Int64, locale: Locale) -> String
    /// The symbols of the caller's stack, the innermost frame first.
    static func callStack() -> [String]
}

/// Finds Foundation's reader, if it is linked.
package enum FoundationErrors {
    static let reader = FoundationErrors.self as Any as? any FoundationErrorReader.Type
}
