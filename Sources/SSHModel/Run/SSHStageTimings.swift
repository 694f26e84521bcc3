/// Seconds spent in each stage of a run.
public struct SSHStageTimings: Sendable, Hashable, Codable {
    /// Resolving the name.
    public var resolve = 0.0
    /// Opening the TCP connection.
    public var connect = 0.0
    /// Waiting for the server's identification line.
    public var banner = 0.0
    /// Key exchange.
    public var keyExchange = 0.0
    /// Authentication, including the check of the host key.
    public var authentication = 0.0
    /// Opening the channel and starting the command.
    public var channel = 0.0
    /// Running the command, to the end of its output.
    public var command = 0.0

    /// No time spent.
    public init() {}
}
