/// A request that failed, and how often it has.
public struct FailedRequest<Request: Sendable>: Sendable {
    /// The request, as it was last sent.
    public let request: Request
    /// What it failed with now.
    public let error: any Error
    /// What it failed with before, the oldest first.
    public let previousErrors: [any Error]

    /// A failed request, to ask a strategy about.
    public init(request: Request, error: any Error, previousErrors: [any Error] = []) {
        self.request = request
        self.error = error
        self.previousErrors = previousErrors
    }

    /// How many attempts there have been, this one included.
    public var attempts: Int { previousErrors.count + 1 }
}
