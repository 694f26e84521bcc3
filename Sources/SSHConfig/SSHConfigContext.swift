internal import Crypto

/// The local facts needed for reading ssh's configuration. Nothing is read from the environment unless requested.
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
    /// The purpose of the connection.
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

/// The purpose of a connection, for `Match sessiontype` and `Match command` (ssh_config(5)).
public enum SSHConfigSession: Sendable, Hashable {
    /// Nothing is run: host keys are looked at, or bytes are passed on.
    case none
    /// A login shell.
    case shell
    /// A command; `""` if it is not known yet.
    case command(String)
    /// A subsystem, such as `sftp`.
    case subsystem(String)
}

/// The values of the tokens for one destination.
package struct TokenValues {
    /// The host that is connected to: `%h`.
    package var host: String
    /// The host as it was named: `%n`.
    package var originalHost: String
    /// The name under which the host key is looked up: `%k`.
    package var keyAlias: String
    package var port: Int
    package var user: String
    /// The last jump host: `%j`, which OpenSSH has since 9.7.
    var jump = ""
    package let context: SSHConfigContext

    package init(
        host: String, originalHost: String, keyAlias: String, port: Int, user: String, jump: String = "",
        context: SSHConfigContext
    ) {
        self.host = host
        self.originalHost = originalHost
        self.keyAlias = keyAlias
        self.port = port
        self.user = user
        self.jump = jump
        self.context = context
    }

    /// All tokens but those that only a running connection knows.
    package var all: [UInt8: String] {
        let local = context.localHostName
        return [
            UInt8(ascii: "C"): connectionHash, UInt8(ascii: "L"): String(local.prefix { $0 != "." }),
            UInt8(ascii: "d"): context.home, UInt8(ascii: "h"): host, UInt8(ascii: "i"): "\(context.userID)",
            UInt8(ascii: "j"): jump, UInt8(ascii: "k"): keyAlias, UInt8(ascii: "l"): local, UInt8(ascii: "n"): originalHost,
            UInt8(ascii: "p"): "\(port)", UInt8(ascii: "r"): user, UInt8(ascii: "u"): context.localUser,
        ]
    }

    /// `%C`: SHA-1 of `%l%h%p%r%j` in hexadecimal, as OpenSSH has it since 9.7; before, `%j` was not part of it.
    private var connectionHash: String {
        let digest = Insecure.SHA1.hash(data: Array((context.localHostName + host + "\(port)" + user + jump).utf8))
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `~`, then tokens and variables: as for files.
    func expandPath(_ text: String) throws(LineProblem) -> String {
        try TokenExpansion(tokens: all, variable: context.variable).expand(Self.expandTilde(text, context))
    }

    /// Tokens alone: as for commands.
    func expandCommand(_ text: String) throws(LineProblem) -> String {
        try checkHosts()
        return try TokenExpansion(tokens: all).expand(text)
    }

    /// Refuses hosts that a command must not get: HostName may hold anything, also by an option.
    package func checkHosts() throws(LineProblem) {
        for name in [host, originalHost] {
            do { try HostNameRules.check(name, input: name) } catch { throw LineProblem(error.description) }
        }
    }

    /// `~` and `~name` at the front.
    package static func expandTilde(_ text: String, _ context: SSHConfigContext) throws(LineProblem) -> String {
        guard text.hasPrefix("~") else { return text }
        let name = text.dropFirst().prefix { $0 != "/" }
        guard let home = name.isEmpty ? context.home : context.homeOfUser(String(name)) else {
            throw LineProblem("there is no user \(name) whose home ~\(name) could be", namesNothing: true)
        }
        let path = text.dropFirst(1 + name.count).drop { $0 == "/" }
        return (home.hasSuffix("/") ? home : home + "/") + String(path)
    }
}
