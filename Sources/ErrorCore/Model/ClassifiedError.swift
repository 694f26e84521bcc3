#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error that programs can sort: a stable code, a category and whether trying again can help.
///
/// A code is enough; the rest has defaults.
public protocol ClassifiedError: LocalizedError {
    /// A stable string in lower case, `domain.what-happened`, such as `network.unavailable`. One of a bounded set:
    /// it becomes a metric's dimension, so nothing variable belongs in it.
    var errorCode: String { get }
    /// What it is about. Default: `internal`.
    var category: ErrorCategory { get }
    /// Whether trying again can help, and when.
    ///
    /// Default: `backoff` if the type declares ``isRetryable`` and it is true; `afterFix` if the type is a
    /// ``UserFacingError`` that offers ``ErrorRecoveryOption/retry``; else `never`.
    var retry: RetryAdvice { get }
    /// Whether a program may try again by itself.
    ///
    /// Declare this or ``retry``; ``retry`` can also say when. Default: ``retry`` allows it and the failed operation cannot
    /// have taken effect.
    var isRetryable: Bool { get }
    /// Whether what failed may have taken effect all the same: an order that was sent and never answered, a command whose
    /// connection was lost. Such a failure is retried only where the operation is declared idempotent
    /// (``RetryPolicy/isIdempotent``). Default: no.
    var mayHaveTakenEffect: Bool { get }
    /// The error that caused this one, if any. Default: none.
    var underlyingError: (any Error)? { get }
    /// A few short facts for logs and metrics, without secrets. Default: none.
    var metadata: ErrorMetadata { get }

    // LocalizedError's requirements, repeated: otherwise the defaults would hide a type's own from callers of the protocol.

    /// What a person reads, if the type is no ``UserFacingError``. Default: the code.
    var errorDescription: String? { get }
    /// Default: nothing.
    var failureReason: String? { get }
    /// What to do about it, in one sentence. Default: nothing.
    var recoverySuggestion: String? { get }
    /// Default: nothing.
    var helpAnchor: String? { get }
}

extension ClassifiedError {
    /// `internal`.
    public var category: ErrorCategory { .internal }
    /// From ``isRetryable`` or the recovery options, where the type declares them; else `never`.
    public var retry: RetryAdvice { RetryDefaults.advice(for: self) }
    /// ``retry`` allows it, and the operation cannot have taken effect.
    public var isRetryable: Bool { RetryDefaults.isRetryable(self) }
    /// It cannot have.
    public var mayHaveTakenEffect: Bool { false }
    /// None.
    public var underlyingError: (any Error)? { nil }
    /// None.
    public var metadata: ErrorMetadata { ErrorMetadata() }
}

extension AppError {
    /// What the caller knows and an error may not say.
    public struct MappingHints: Sendable, Hashable {
        /// Which way a file was used.
        public enum FileUse: Sendable, Hashable {
            /// It was read.
            case read
            /// It was written.
            case write
        }
        /// The file that was used; a path in the error itself counts more.
        public var path: String?
        /// Which way the file was used, for errors that fit both.
        public var fileUse: FileUse
        /// The time that was allowed, in seconds, for an error that says only that it passed.
        public var timeoutSeconds: Int?
        /// The type that was coded, for an error that does not name one.
        public var type: String?

        /// Hints; none is needed.
        public init(path: String? = nil, fileUse: FileUse = .read, timeoutSeconds: Int? = nil, type: String? = nil) {
            self.path = path
            self.fileUse = fileUse
            self.timeoutSeconds = timeoutSeconds
            self.type = type
        }
    }
}
