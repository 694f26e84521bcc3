#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

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
