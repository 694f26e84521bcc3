/// The local facts needed for reading ssh's configuration. Nothing is taken from the environment by itself.
public struct ConfigurationContext: Sendable {
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
    /// The shell of a ProxyCommand.
    public var shell = "/bin/sh"
    /// The environment of a ProxyCommand, each `NAME=value`.
    public var environment: [String] = []
    /// The files.
    public var files = ConfigurationFiles.system

    /// A context with no environment, no services and no shell.
    public init(home: String, localUser: String, userID: UInt32, localHostName: String) {
        self.home = home
        self.localUser = localUser
        self.userID = userID
        self.localHostName = localHostName
    }
}

/// Which files are read.
public enum ConfigurationSource: Sendable, Hashable {
    /// `~/.ssh/config`, whose owner and mode are checked, then `/etc/ssh/ssh_config`; either may be missing.
    case standard
    /// Only this file, regardless of its owner; it must exist.
    case file(String)
    /// None at all.
    case none
}

/// How configuration files are found and read.
public struct ConfigurationFiles: Sendable {
    /// The result of reading a file.
    public enum Content: Sendable {
        /// Its bytes.
        case bytes([UInt8])
        /// Another user could have written it.
        case unsafe
        /// It cannot be read, for this errno; ENOENT if it is not there.
        case unreadable(errno: Int32)
    }

    /// Reads a file; `checkingOwner` refuses one that others could have written.
    public var read: @Sendable (_ path: String, _ checkingOwner: Bool) -> Content
    /// The paths that a `glob(7)` pattern fits, sorted.
    public var matching: @Sendable (_ pattern: String) -> [String]

    /// Files as given.
    public init(
        read: @escaping @Sendable (_ path: String, _ checkingOwner: Bool) -> Content,
        matching: @escaping @Sendable (_ pattern: String) -> [String]
    ) {
        self.read = read
        self.matching = matching
    }
}
