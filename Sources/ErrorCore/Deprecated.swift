// The names of version 0, until 1.0.

@available(*, deprecated, renamed: "ErrorDisposition")
public typealias ErrorResponse = ErrorDisposition

@available(*, deprecated, renamed: "PipelineFailureRepresentable")
public typealias ResponseError = PipelineFailureRepresentable

@available(*, deprecated, renamed: "ErrorProfile")
public typealias ErrorSummary = ErrorProfile

@available(*, deprecated, renamed: "ErrorOccurrence")
public typealias ErrorReport = ErrorOccurrence

@available(*, deprecated, renamed: "TerminalBanner")
public typealias ErrorBanner = TerminalBanner

extension ErrorOccurrence {
    /// ``profile``.
    @available(*, deprecated, renamed: "profile")
    public var summary: ErrorProfile { profile }
}
