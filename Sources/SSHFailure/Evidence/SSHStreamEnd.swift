/// The state of the byte stream from the server.
public enum SSHStreamEnd: Sendable, Hashable, Codable {
    /// It is still open as far as we know.
    case open
    /// The peer closed it in order (FIN).
    case closed
    /// The peer reset it (ECONNRESET, EPIPE).
    case reset
    /// Reading or writing failed with another errno.
    case failed(systemError: Int32)
}
