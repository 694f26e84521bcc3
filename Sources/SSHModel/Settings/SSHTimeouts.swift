/// The deadlines of a connection. Those of a command are in ``SSHCommandOptions``.
public struct SSHTimeouts: Sendable, Hashable, Codable {
    /// For resolving the name. Default 15 seconds; zero or less fails at once.
    public var resolve: Duration
    /// From the first connect to the open channel, all jump hosts and authentication included, a person's typing excluded.
    /// Default 15 seconds; zero or less fails at once.
    public var connect: Duration

    /// The defaults, but for what is given.
    public init(resolve: Duration = .seconds(15), connect: Duration = .seconds(15)) {
        self.resolve = resolve
        self.connect = connect
    }
}
