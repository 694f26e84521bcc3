// Deprecated names of version 0; they stay until 1.0.

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// ``ErrorDisposition``.
@available(*, deprecated, renamed: "ErrorDisposition")
public typealias ErrorResponse = ErrorDisposition

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

extension ErrorRecord {
    /// ``place``, or an empty string if the place was left out.
    @available(*, deprecated, renamed: "place")
    public var source: String { place ?? "" }
}

extension PipelineFailure.DecodingFailure {
    /// ``init(type:data:underlying:)-(Any.Type,_,_)``.
    @available(*, deprecated, message: "Give the type itself.")
    public init(type: String, data: Data, underlying: any Error) {
        self.init(type: Any.self, data: data, underlying: underlying)
        self.type = type
    }
}

extension PipelineFailure {
    /// The failure itself.
    @available(*, deprecated, renamed: "init(failure:)")
    public init(_ failure: PipelineFailure) { self = failure }

    /// ``init(response:method:)``.
    @available(*, deprecated, renamed: "init(response:method:)")
    public init?(_ response: RawResponse) {
        self.init(response: response)
    }
}
