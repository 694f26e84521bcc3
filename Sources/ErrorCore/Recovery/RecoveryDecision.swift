/// What a strategy answers.
public enum RecoveryDecision<Request: Sendable>: Sendable {
    /// It cannot help: the error goes to the caller.
    case fail
    /// Send this request, changed or not.
    case retry(Request)
    /// Send the same request again after a wait.
    case retryAfter(Duration)
}
