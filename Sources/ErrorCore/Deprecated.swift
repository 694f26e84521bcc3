// The names of version 0, until 1.0.

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
