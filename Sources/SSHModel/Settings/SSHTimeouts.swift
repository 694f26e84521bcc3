/// The deadlines of a connection. Those of a command are in ``SSHCommandOptions``.
public struct SSHTimeouts: Sendable, Hashable {
    /// For resolving the name. Default 15 seconds; zero or less fails at once.
    public var resolve = Duration.seconds(15)
    /// From the first connect to the open channel, all jump hosts and authentication included, a person's typing excluded.
    /// Default 15 seconds; zero or less fails at once.
    public var connect = Duration.seconds(15)

    /// The defaults.
    public init() {}
}
