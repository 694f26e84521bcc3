/// A command whose standard input and output carry the connection (ProxyCommand of ssh_config(5)).
///
/// It is started as `shell -c "exec command"`. What it writes to standard error is kept as evidence and reported as notices. It
/// is ended with the connection: SIGHUP, then SIGTERM, then SIGKILL.
public struct SSHProxyCommand: Sendable, Hashable {
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
