/// A host through which another host is reached (ProxyJump in ssh_config(5)).
public struct SSHJumpHost: Sendable {
    /// The host, port and user. The name of the first jump host is resolved locally, that of a later one by the host before it.
    public var endpoint: SSHEndpoint
    /// The trust, credentials and interaction for this hop. The destination's values are not used for it.
    ///
    /// Its deadlines, observer and logger have no effect: the destination's apply to the whole chain, besides ``connectTimeout``.
    /// As with ssh(1), ``SSHConnectionConfiguration/jumpHosts`` and ``SSHConnectionConfiguration/proxyCommand`` are used only for
    /// the first jump host.
    public var configuration: SSHConnectionConfiguration
    /// The time limit from the first connect to the identification (ConnectTimeout of the hop's own Host block in ssh_config(5)).
    /// Zero or less fails at once; nil leaves only the destination's deadline.
    public var connectTimeout: Duration?

    /// A jump host.
    public init(_ endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, connectTimeout: Duration? = nil) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.connectTimeout = connectTimeout
    }
}
