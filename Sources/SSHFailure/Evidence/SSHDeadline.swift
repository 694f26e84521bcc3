/// A deadline of bridge-ssh.
public struct SSHDeadline: Sendable, Hashable, Codable {
    /// The work that the deadline limits.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Resolving the name.
        case resolve
        /// From the first connect to the open channel, excluding the time for which a person types.
        case connect
        /// From the first connect to a jump host until its identification: the hop's own ConnectTimeout.
        case reach
        /// One command.
        case command
        /// The time without output from a command.
        case idle
        /// The prompt of a device's shell, before the command is typed there.
        case prompt
        /// The wait for a connection from a pool.
        case lease
    }
    /// Which deadline.
    public var kind: Kind
    /// Its length in seconds.
    package var seconds: Double
    /// Its length.
    public var duration: Duration {
        get { .bounded(seconds: seconds) }
        set { seconds = newValue.seconds }
    }

    /// A deadline.
    public init(kind: Kind, duration: Duration) { self.init(kind: kind, seconds: duration.seconds) }

    package init(kind: Kind, seconds: Double) {
        self.kind = kind
        self.seconds = seconds
    }
}
