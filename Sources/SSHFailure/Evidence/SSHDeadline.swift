/// One of our deadlines.
public struct SSHDeadline: Sendable, Hashable, Codable {
    /// What the deadline is on.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Resolving the name.
        case resolve
        /// From the first connect to the open channel, without the person's typing time.
        case connect
        /// From a jump host's first connect to its identification: its own ConnectTimeout.
        case reach
        /// One command.
        case command
        /// A command without output.
        case idle
        /// The prompt of a device's shell, before the command is typed there.
        case prompt
        /// A connection of a pool.
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
