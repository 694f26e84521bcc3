// The names of version 0, until 1.0.

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// ``ErrorDisposition``.
@available(*, deprecated, renamed: "ErrorDisposition")
public typealias ErrorResponse = ErrorDisposition

/// ``PipelineFailureRepresentable``.
@available(*, deprecated, renamed: "PipelineFailureRepresentable")
public typealias ResponseError = PipelineFailureRepresentable

/// ``ErrorProfile``.
@available(*, deprecated, renamed: "ErrorProfile")
public typealias ErrorSummary = ErrorProfile

/// ``ErrorOccurrence``.
@available(*, deprecated, renamed: "ErrorOccurrence")
public typealias ErrorReport = ErrorOccurrence

/// ``TerminalBanner``.
@available(*, deprecated, renamed: "TerminalBanner")
public typealias ErrorBanner = TerminalBanner

extension ErrorOccurrence {
    /// ``profile``.
    @available(*, deprecated, renamed: "profile")
    public var summary: ErrorProfile { profile }
}

extension AppError {
    /// ``init(response:now:)``.
    @available(*, deprecated, renamed: "init(response:now:)")
    public init?(_ response: RawResponse, now: Date = Date()) {
        self.init(response: response, now: now)
    }
}

extension PipelineFailure {
    /// ``init(response:method:)``.
    @available(*, deprecated, renamed: "init(response:method:)")
    public init?(_ response: RawResponse) {
        self.init(response: response)
    }
}
