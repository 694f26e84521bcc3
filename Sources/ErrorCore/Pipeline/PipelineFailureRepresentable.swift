/// An app's own error type, built from what went wrong with a request.
/// ```swift
/// enum MusicError: PipelineFailureRepresentable {
///     case signInAgain, notInYourCountry(String), other(PipelineFailure)
///     init(failure: PipelineFailure) {
///         switch failure.rootCause {
///         case .clientError(.unauthorized): self = .signInAgain
///         case .clientError(451): self = .notInYourCountry(failure.response?.serverMessage ?? "")
///         default: self = .other(failure)
///         }
///     }
/// }
/// ```
public protocol PipelineFailureRepresentable: Error {
    /// The error for a failure.
    init(failure: PipelineFailure)
    /// The error that a server reports in its body, whatever the status: some say "error" under a 200. Default: none.
    static func reported(in response: RawResponse) -> Self?
}

extension PipelineFailureRepresentable {
    /// None.
    public static func reported(in response: RawResponse) -> Self? { nil }
}
