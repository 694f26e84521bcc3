/// The local facts needed for reading ssh's configuration. Nothing is taken from the environment by itself.
public struct SSHConfigContext: Sendable {
    /// The local user's home directory: `~`, `%d` and where relative paths of `Include` start.
    public var home: String
    /// The local user's name: `%u`, `Match localuser`, and the default user to log in as.
    public var localUser: String
    /// The local user's number: `%i`.
    public var userID: UInt32
    /// The local host's name, with its domain if it has one: `%l`, and up to the first dot `%L`.
    public var localHostName: String
    /// An environment variable's value, for `${NAME}`.
    public var variable: @Sendable (String) -> String? = { _ in nil }
    /// The home directory of a user, for `~name`.
    public var homeOfUser: @Sendable (String) -> String? = { _ in nil }
    /// The TCP port of a service, for a `Port` that is a name.
    public var port: @Sendable (String) -> Int? = { _ in nil }
    /// Runs the command of `Match exec` in the user's shell and gives its exit status; nil if it did not exit.
    public var execute: @Sendable (String) -> Int? = { _ in nil }
    /// The numeric addresses of this machine's interfaces that are up, for `Match localnetwork`.
    public var localAddresses: @Sendable () -> [String] = { [] }
    /// Looks a name up, for `CanonicalizeHostname`; nil for no look-ups, and names are then used as they are. It may block the
    /// thread.
    public var lookUp: (@Sendable (_ name: String) -> SSHNameLookup)?
    /// What the connection is for.
    public var session = SSHConfigSession.command("")
    /// The shell of a ProxyCommand.
    public var shell = "/bin/sh"
    /// The environment of a ProxyCommand, each `NAME=value`.
    public var environment: [String] = []
    /// The files.
    public var files = SSHConfigFiles.system

    /// A context with no environment, no services and no shell.
    public init(home: String, localUser: String, userID: UInt32, localHostName: String) {
        self.home = home
        self.localUser = localUser
        self.userID = userID
        self.localHostName = localHostName
    }
}

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
