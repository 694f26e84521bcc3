/// The time that a connection spent in each stage so far. Retries and jump hosts add up.
public struct SSHStageTimings: Sendable, Hashable, Codable {
    /// The time of each stage in seconds, as it is measured and encoded.
    package struct Seconds: Sendable, Hashable, Codable {
        package var resolve = 0.0
        package var connect = 0.0
        package var banner = 0.0
        package var keyExchange = 0.0
        package var authentication = 0.0
        package var channel = 0.0
        package var command = 0.0
    }

    /// The same in seconds.
    package var seconds = Seconds()

    /// Resolving the name.
    public var resolve: Duration {
        get { .bounded(seconds: seconds.resolve) }
        set { seconds.resolve = newValue.seconds }
    }
    /// Opening the TCP connection.
    public var connect: Duration {
        get { .bounded(seconds: seconds.connect) }
        set { seconds.connect = newValue.seconds }
    }
    /// Waiting for the server's identification line.
    public var banner: Duration {
        get { .bounded(seconds: seconds.banner) }
        set { seconds.banner = newValue.seconds }
    }
    /// Key exchange.
    public var keyExchange: Duration {
        get { .bounded(seconds: seconds.keyExchange) }
        set { seconds.keyExchange = newValue.seconds }
    }
    /// Authentication, including the check of the host key.
    public var authentication: Duration {
        get { .bounded(seconds: seconds.authentication) }
        set { seconds.authentication = newValue.seconds }
    }
    /// Opening the channel and starting the command.
    public var channel: Duration {
        get { .bounded(seconds: seconds.channel) }
        set { seconds.channel = newValue.seconds }
    }
    /// Running the command, to the end of its output.
    public var command: Duration {
        get { .bounded(seconds: seconds.command) }
        set { seconds.command = newValue.seconds }
    }

    /// No time spent.
    public init() {}

    /// Reads numbers of seconds.
    public init(from decoder: any Decoder) throws { seconds = try Seconds(from: decoder) }

    /// Writes numbers of seconds.
    public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}
