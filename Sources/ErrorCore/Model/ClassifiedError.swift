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
    /// Whether trying again can help, and when. Default: `never`.
    var retry: RetryAdvice { get }
    /// Whether what failed may have happened all the same: an order that was sent and never answered, a command whose
    /// connection was lost. Such a failure is tried again only where the operation is declared idempotent
    /// (``RetryPolicy/isIdempotent``). Default: no.
    var mayHaveTakenEffect: Bool { get }
    /// The error that made this one, if any.
    var underlyingError: (any Error)? { get }
    /// A few short facts for logs and metrics, without secrets.
    var metadata: ErrorMetadata { get }

    // LocalizedError's, said again: otherwise the defaults would hide a type's own from callers of the protocol.

    /// Default: the code.
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
    /// `never`.
    public var retry: RetryAdvice { .never }
    /// It cannot have.
    public var mayHaveTakenEffect: Bool { false }
    /// None.
    public var underlyingError: (any Error)? { nil }
    /// None.
    public var metadata: ErrorMetadata { ErrorMetadata() }
    /// Whether a program may try again by itself, in one bit: ``ClassifiedError/retry`` says so, and nothing can have happened
    /// that must not happen twice.
    public var isRetryable: Bool { retry.allowsRetry && !mayHaveTakenEffect }
}

/// An error of a feature or a library that knows which app-wide error it is.
public protocol AppErrorConvertible: Error {
    /// The app-wide case that it becomes.
    var appError: AppError { get }
}
