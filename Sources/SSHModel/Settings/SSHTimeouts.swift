/// The deadlines of a connection. The deadlines of a command are in ``SSHCommandOptions``.
public struct SSHTimeouts: Sendable, Hashable, Codable {
    /// The time limit for resolving the name. Default 15 seconds; zero or less fails at once.
    public var resolve: Duration
    /// From the first connect to the open channel, including all jump hosts and authentication, but not a person's typing.
    /// Default 15 seconds; zero or less fails at once.
    public var connect: Duration

    /// Makes deadlines; omitted ones have their defaults.
    public init(resolve: Duration = .seconds(15), connect: Duration = .seconds(15)) {
        self.resolve = resolve
        self.connect = connect
    }
}
