/// Where a ``ScriptedServer`` listens, and how far away it is.
public struct ServerPlace: Sendable {
    /// The address that it listens on. 0.0.0.0 is for a network namespace that has nothing but the loopback interface.
    public var address = "127.0.0.1"
    /// The port; 0 finds a free one.
    public var port = 0
    /// How much later each byte arrives, each way.
    public var delay = Duration.zero
    /// The names that its known_hosts file lists it under, as patterns of sshd(8); by default its address and port.
    public var names: String?

    /// A free port on 127.0.0.1.
    public init() {}
}
