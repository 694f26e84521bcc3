/// What is done about an error: what a responder answers.
public enum ErrorDisposition: String, Sendable, Hashable, CaseIterable {
    /// Continue as if it had not happened.
    case proceed
    /// Do the same again.
    case retry
    /// Give up what was being done.
    case cancel
    /// Give up everything that belongs to it.
    case abort
}
