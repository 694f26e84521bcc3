/// A command whose standard input and output carry the connection (ProxyCommand of ssh_config(5)).
///
/// It is started as `shell -c "exec command"`. Its standard error is kept as evidence and reported as notices. It ends with the
/// connection: it gets SIGHUP, then SIGTERM, then SIGKILL.
public struct SSHProxyCommand: Sendable, Hashable {
    /// The command for the shell. Tokens are not expanded here; the reader of ssh's configuration expands them.
    public var command: String
    /// The path of the shell.
    public var shell: String
    /// The command's whole environment, each `NAME=value`.
    public var environment: [String]

    /// Makes a proxy command. The default environment is empty, without even PATH.
    public init(_ command: String, shell: String = "/bin/sh", environment: [String] = []) {
        self.command = command
        self.shell = shell
        self.environment = environment
    }
}
