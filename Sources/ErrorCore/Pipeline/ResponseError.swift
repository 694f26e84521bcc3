/// ``PipelineFailureRepresentable``, whose initialiser has a label. A type of its own has one of the two initialisers.
@available(*, deprecated, renamed: "PipelineFailureRepresentable")
public protocol ResponseError: PipelineFailureRepresentable {
    /// The error for a failure.
    init(_ failure: PipelineFailure)
}

@available(*, deprecated, renamed: "PipelineFailureRepresentable")
extension ResponseError {
    /// ``PipelineFailureRepresentable/init(failure:)``.
    public init(_ failure: PipelineFailure) { self.init(failure: failure) }
    /// ``ResponseError/init(_:)``.
    public init(failure: PipelineFailure) { self.init(failure) }
}
