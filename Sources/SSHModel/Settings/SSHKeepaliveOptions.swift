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
