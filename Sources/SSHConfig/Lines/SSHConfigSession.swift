/// What a connection is for, as `Match sessiontype` and `Match command` ask (ssh_config(5)).
public enum SSHConfigSession: Sendable, Hashable {
    /// Nothing is run: host keys are looked at, or bytes are passed on.
    case none
    /// A login shell.
    case shell
    /// A command; `""` where it is not known yet.
    case command(String)
    /// A subsystem, such as `sftp`.
    case subsystem(String)
}
