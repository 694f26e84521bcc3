/// A host through which another one is reached (ProxyJump of ssh_config(5)).
public struct JumpHost: Sendable {
    /// Where it is and who to be there. The first jump host's name is resolved here, any later one's by the host before it.
    public var endpoint: Endpoint
    /// Whom to trust there, what to offer and whom to ask; nothing of the destination's is used in its place.
    ///
    /// Its deadlines, observer and logger have no effect: the destination's cover the whole chain, and ``connectTimeout`` its
    /// own part of it. Its own ``Configuration/jumpHosts`` and ``Configuration/proxyCommand`` are followed for the first jump
    /// host only, as with ssh(1).
    public var configuration: Configuration
    /// Seconds from the first connect to its identification (ConnectTimeout of its own Host block in ssh_config(5)), more than
    /// 0; nil for the destination's deadline alone.
    public var connectTimeout: Double?

    /// A jump host.
    public init(_ endpoint: Endpoint, configuration: Configuration, connectTimeout: Double? = nil) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.connectTimeout = connectTimeout
    }
}

/// A command whose standard input and output carry the connection (ProxyCommand of ssh_config(5)).
///
/// It is started as `shell -c "exec command"`. What it writes to standard error is evidence, and told as notices. It is ended
/// with the connection: SIGHUP, then SIGTERM, then SIGKILL.
public struct ProxyCommand: Sendable, Hashable {
    /// Given to the shell as it is, without tokens: they are replaced where ssh's configuration is read.
    public var command: String
    /// The path of the shell.
    public var shell: String
    /// The command's whole environment, each `NAME=value`.
    public var environment: [String]

    /// A proxy command; without `environment` it has none, not even PATH.
    public init(_ command: String, shell: String = "/bin/sh", environment: [String] = []) {
        self.command = command
        self.shell = shell
        self.environment = environment
    }
}
