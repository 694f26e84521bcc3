/// The deadlines of a connection. The deadlines of a command are in ``SSHCommandOptions``.
public struct SSHTimeouts: Sendable, Hashable, Codable {
    /// The time limit for resolving the name. Default 15 seconds; zero or less fails at once.
    public var resolve: Duration
    /// From the first connect to the open channel, including all jump hosts and authentication, but not a person's typing.
    /// Default 15 seconds; zero or less fails at once.
    public var connect: Duration

    /// Makes deadlines; those that are not given have their defaults.
    public init(resolve: Duration = .seconds(15), connect: Duration = .seconds(15)) {
        self.resolve = resolve
        self.connect = connect
    }
}

/// Keepalive messages to a silent server (ServerAliveInterval, ServerAliveCountMax of ssh_config(5)).
public struct SSHKeepaliveOptions: Sendable, Hashable, Codable {
    /// The silence before a keepalive message is sent; more than zero. Another value is refused when the connection is opened.
    public var interval: Duration
    /// The number of successive messages that may stay unanswered. Less than 1 is refused when the connection is opened.
    /// Default 3.
    public var countMax: Int

    /// Sends a keepalive message after each `interval` of silence.
    public init(interval: Duration, countMax: Int = 3) {
        self.interval = interval
        self.countMax = countMax
    }
}
