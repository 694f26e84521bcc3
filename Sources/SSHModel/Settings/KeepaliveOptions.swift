/// When a silent server is asked for a sign of life (ServerAliveInterval, ServerAliveCountMax of ssh_config(5)).
public struct KeepaliveOptions: Sendable, Hashable {
    /// Seconds of silence before the server is asked; more than 0.
    public var interval: Double
    /// How many questions in a row may go unanswered; at least 1. Default 3.
    public var countMax: Int

    /// Ask every `interval` seconds.
    public init(interval: Double, countMax: Int = 3) {
        self.interval = interval
        self.countMax = countMax
    }
}
