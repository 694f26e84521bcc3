// Foundation has defaults for these, but a file that conforms to our protocols would then have to import Foundation too.
// Where a type is both, the last extension decides.

extension UserFacingError {
    /// None beyond the message.
    public var failureReason: String? { nil }
    /// None; say here what to do about it.
    public var recoverySuggestion: String? { nil }
    /// None.
    public var helpAnchor: String? { nil }
}

extension ClassifiedError {
    /// The code, which is all that is known.
    public var errorDescription: String? { errorCode }
    /// None.
    public var failureReason: String? { nil }
    /// None; say here what to do about it.
    public var recoverySuggestion: String? { nil }
    /// None.
    public var helpAnchor: String? { nil }
}

extension UserFacingError where Self: ClassifiedError {
    /// The message.
    public var errorDescription: String? { userMessage }
    /// None beyond the message.
    public var failureReason: String? { nil }
    /// None; say here what to do about it.
    public var recoverySuggestion: String? { nil }
    /// None.
    public var helpAnchor: String? { nil }
    /// The code and the message.
    public var description: String { "\(errorCode): \(userMessage)" }
}
