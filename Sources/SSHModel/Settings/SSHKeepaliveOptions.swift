/// Keepalive messages to a silent server (ServerAliveInterval, ServerAliveCountMax of ssh_config(5)).
public struct SSHKeepaliveOptions: Sendable, Hashable, Codable {
    /// The silence before a keepalive message is sent; more than zero. A connection with another interval is refused.
    public var interval: Duration
    /// How many messages in a row may go unanswered; at least 1, or the connection is refused. Default 3.
    public var countMax: Int

    /// Sends one every `interval` of silence.
    public init(interval: Duration, countMax: Int = 3) {
        self.interval = interval
        self.countMax = countMax
    }
}
