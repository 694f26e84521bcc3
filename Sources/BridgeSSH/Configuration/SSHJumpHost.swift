/// A host through which another one is reached (ProxyJump of ssh_config(5)).
public struct SSHJumpHost: Sendable {
    /// The host, port and user. The first jump host's name is resolved locally, any later one's by the host before it.
    public var endpoint: SSHEndpoint
    /// The trust, credentials and interaction for this hop; nothing of the destination's is used in their place.
    ///
    /// Its deadlines, observer and logger have no effect: the destination's cover the whole chain, and ``connectTimeout`` its
    /// own part of it. Its own ``SSHConnectionConfiguration/jumpHosts`` and ``SSHConnectionConfiguration/proxyCommand`` are
    /// followed for the first jump host only, as with ssh(1).
    public var configuration: SSHConnectionConfiguration
    /// The time from the first connect to its identification (ConnectTimeout of its own Host block in ssh_config(5)); zero or
    /// less fails at once, nil leaves the destination's deadline alone.
    public var connectTimeout: Duration?

    /// A jump host.
    public init(_ endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, connectTimeout: Duration? = nil) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.connectTimeout = connectTimeout
    }
}
