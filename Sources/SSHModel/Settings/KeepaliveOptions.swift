/// Keepalive messages to a silent server (ServerAliveInterval, ServerAliveCountMax of ssh_config(5)).
public struct KeepaliveOptions: Sendable, Hashable {
    /// The interval: seconds of silence before a keepalive message is sent; more than 0.
    public var interval: Double
    /// How many messages in a row may go unanswered; at least 1. Default 3.
    public var countMax: Int

    /// Sends one every `interval` seconds of silence.
    public init(interval: Double, countMax: Int = 3) {
        self.interval = interval
        self.countMax = countMax
    }
}
