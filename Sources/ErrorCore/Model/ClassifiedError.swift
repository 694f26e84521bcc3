#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error that programs can sort: by a stable code, a category, and whether a retry can help.
///
/// Only the code is required; the rest has defaults.
public protocol ClassifiedError: LocalizedError {
    /// A stable string in lower case, `domain.what-happened`, such as `network.unavailable`. The set of codes must be bounded,
    /// because the code becomes a dimension of a metric: put nothing variable into it. It must not use `"\(self)"`, because the
    /// description of a ``UserFacingError`` contains the code.
    var errorCode: String { get }
    /// The category. Default: `internal`.
    var category: ErrorCategory { get }
    /// Whether a retry can help, and when.
    ///
    /// Default: `backoff` if the type declares ``isRetryable`` and it is true; `afterFix` if the type is a ``UserFacingError``
    /// that offers ``ErrorRecoveryOption/retry``; otherwise `never`.
    var retry: RetryAdvice { get }
    /// Whether a program may retry on its own.
    ///
    /// Declare this or ``retry``; ``retry`` can also say when. Default: true if ``retry`` allows it and the failed operation
    /// cannot have taken effect.
    var isRetryable: Bool { get }
    /// Whether the failed operation may have taken effect nevertheless: an order that was sent and never answered, or a command
    /// whose connection was lost. Such an operation is repeated only if it is declared idempotent (``RetryPolicy/isIdempotent``).
    /// Default: no.
    var mayHaveTakenEffect: Bool { get }
    /// The error that caused this one, if any. Default: none.
    var underlyingError: (any Error)? { get }
    /// A few short facts for logs and metrics, without secrets. Default: none.
    var metadata: ErrorMetadata { get }

    // LocalizedError's requirements, repeated: otherwise the defaults below would hide a type's own from callers of the protocol.

    /// The text for people, unless the type is a ``UserFacingError``. Default: the code.
    var errorDescription: String? { get }
    /// Default: nothing.
    var failureReason: String? { get }
    /// What the person can do about it, in one sentence. Default: nothing.
    var recoverySuggestion: String? { get }
    /// Default: nothing.
    var helpAnchor: String? { get }
}

extension ClassifiedError {
    /// `internal`.
    public var category: ErrorCategory { .internal }
    /// Derived from ``isRetryable`` or the recovery options, if the type declares them; otherwise `never`.
    public var retry: RetryAdvice { RetryDefaults.advice(for: self) }
    /// True if ``retry`` allows it and the operation cannot have taken effect.
    public var isRetryable: Bool { RetryDefaults.isRetryable(self) }
    /// No.
    public var mayHaveTakenEffect: Bool { false }
    /// None.
    public var underlyingError: (any Error)? { nil }
    /// None.
    public var metadata: ErrorMetadata { ErrorMetadata() }
}

extension AppError {
    /// Facts that the caller knows and the error may lack.
    public struct MappingHints: Sendable, Hashable {
        /// The use of a file.
        public enum FileUse: Sendable, Hashable {
            /// It was read.
            case read
            /// It was written.
            case write
        }
        /// The file that was used; a path in the error itself takes precedence.
        public var path: String?
        /// The use of the file, for errors that can mean either.
        public var fileUse: FileUse
        /// The time limit in seconds, for an error that only says that it passed.
        public var timeoutSeconds: Int?
        /// The type that was encoded or decoded, for an error that does not name it.
        public var type: String?

        /// Hints; all are optional.
        public init(path: String? = nil, fileUse: FileUse = .read, timeoutSeconds: Int? = nil, type: String? = nil) {
            self.path = path
            self.fileUse = fileUse
            self.timeoutSeconds = timeoutSeconds
            self.type = type
        }
    }
}
