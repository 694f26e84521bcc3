/// Where an error happened, and what the person was doing.
public struct ErrorContext: Sendable, Hashable {
    /// The source file, as `Module/File.swift`.
    public var file: String
    /// The function.
    public var function: String
    /// The line.
    public var line: Int
    /// What the person was doing, such as `save document`.
    public var action: String?
    /// What ties this error to a request in other logs.
    public var requestID: String?
    /// Anything else that helps; kept short, and never a secret.
    public var values: ErrorMetadata

    /// A context; the place is the caller's.
    public init(
        action: String? = nil, requestID: String? = nil, values: ErrorMetadata = ErrorMetadata(),
        file: String = #fileID, function: String = #function, line: Int = #line
    ) {
        self.file = file
        self.function = function
        self.line = line
        self.action = action
        self.requestID = requestID
        self.values = values
    }
}
