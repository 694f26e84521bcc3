/// Whether a streaming run reads standard error.
public enum SSHStandardErrorHandling: Sendable, Hashable {
    /// The library reads it, and keeps its last 8 KiB for the error.
    case tailOnly
    /// The caller reads it.
    case stream
}
