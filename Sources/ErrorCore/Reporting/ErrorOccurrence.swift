#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error that happened: what it is, where and when.
public struct ErrorOccurrence: Sendable, Identifiable {
    /// This occurrence.
    public let id: UUID
    /// What the error is and says.
    public let profile: ErrorProfile
    /// Where it happened.
    public let context: ErrorContext
    /// When it was handled.
    public let date: Date
    /// The same for logs and reporters: text only, without secrets.
    public let record: ErrorRecord
    /// Whether an ``AutomaticRecovery`` dealt with it, so that no one was asked.
    public internal(set) var isRecovered = false

    /// The error itself.
    public var error: any Error { profile.error }

    /// An occurrence of an error.
    public init(_ error: any Error, context: ErrorContext, date: Date = Date(), redactor: Redactor = .standard) {
        let profile = ErrorProfile(error)
        id = UUID()
        self.profile = profile
        self.context = context
        self.date = date
        record = ErrorRecord(profile, context: context, date: date, redactor: redactor)
    }
}
