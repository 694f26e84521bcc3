/// The location of an error, and the person's activity at that time.
public struct ErrorContext: Sendable, Hashable {
    /// The source file, as `Module/File.swift`.
    public var file: String
    /// The function.
    public var function: String
    /// The line.
    public var line: Int
    /// The user's action, such as `save document`.
    public var action: String?
    /// The identifier that links this error to a request in other logs.
    public var requestID: String?
    /// Other helpful facts. Keep them short, and never put a secret in them.
    public var values: ErrorMetadata
    /// The symbols of the stack where the context was made, the innermost first, beginning with the capture itself. Empty unless
    /// requested.
    public var stack: [String]

    /// The greatest number of frames of a captured stack.
    public static let stackLimit = 32

    /// A context; the location defaults to the caller's.
    ///
    /// - Parameters:
    ///   - action: The user's action.
    ///   - requestID: Links this error to a request in other logs.
    ///   - values: Other helpful facts.
    ///   - capturesStack: Whether to capture the caller's stack. It costs some microseconds per frame.
    ///   - file: The source file.
    ///   - function: The function.
    ///   - line: The line.
    public init(
        action: String? = nil, requestID: String? = nil, values: ErrorMetadata = ErrorMetadata(), capturesStack: Bool = false,
        file: String = #fileID, function: String = #function, line: Int = #line
    ) {
        self.file = file
        self.function = function
        self.line = line
        self.action = action
        self.requestID = requestID
        self.values = values
        stack = capturesStack ? Self.callersStack() : []
    }

    private static func callersStack() -> [String] {
        (FoundationErrors.reader?.callStack() ?? []).prefix(stackLimit).map { $0.cut(to: 200) }
    }
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One occurrence of an error: what it is, where and when it happened.
public struct ErrorOccurrence: Sendable, Identifiable {
    /// The identity of this occurrence.
    public let id: UUID
    /// The error's facts and texts.
    public let profile: ErrorProfile
    /// Where it happened.
    public let context: ErrorContext
    /// When it was handled.
    public let date: Date
    /// The occurrence as text for logs and reporters, without secrets.
    public let record: ErrorRecord
    /// Whether an ``AutomaticRecovery`` resolved it, so that no one was asked.
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
