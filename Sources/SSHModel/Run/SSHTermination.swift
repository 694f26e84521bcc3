/// How a remote command ended. A non-zero status is a value, not an error, until the caller asks with `checked()`.
public enum SSHTermination: Sendable, Hashable, Codable {
    /// It exited with this status, 0–255 from any POSIX system (RFC 4254 section 6.10).
    case exited(Int)
    /// A signal ended it.
    case signalled(SSHExitSignal)
    /// Its channel closed with neither status nor signal: never a success.
    case unknown

    /// Whether it exited with status 0.
    public var isSuccess: Bool { self == .exited(0) }
}
