public import Logging

/// How to reach a host, which host keys to trust and how to authenticate. One value, injected whole.
///
/// Nothing here reads the environment, a home directory or a terminal by itself; a fresh value trusts no host and holds no
/// credential. ``Configuration/standard(home:)`` is what `ssh` would use.
public struct Configuration: Sendable {
    /// What to offer in user authentication.
    public var credentials = Credentials()
    /// Which known_hosts files are read, and which is written.
    public var knownHosts = KnownHostsFiles(user: [], system: [])
    /// The name under which the host key is looked up and remembered, instead of the host's own name and port
    /// (HostKeyAlias of ssh_config(5)).
    public var hostKeyAlias: String?
    /// A program that knows more host keys than the files do.
    public var knownHostsCommand: KnownHostsCommand?
    /// The policy for an unknown host key.
    public var hostKeyPolicy = HostKeyPolicy.strict
    /// Which addresses of a host are tried.
    public var addressFamily = AddressFamily.any
    /// The hosts that the connection goes through, the nearest first: a chain of sessions, each inside the one before, in this
    /// process (ProxyJump of ssh_config(5)). Each checks its own host key and offers its own credentials.
    public var jumpHosts: [JumpHost] = []
    /// The command that carries the connection in place of a TCP connection; no effect where there are jump hosts.
    public var proxyCommand: ProxyCommand?
    /// The deadlines.
    public var timeouts = Timeouts()
    /// Keepalive messages to a silent server; nil for none.
    public var keepalive: KeepaliveOptions?
    /// The algorithms that are offered.
    public var algorithms = AlgorithmPreferences()
    /// The command line's options that decide how the host is reached and which known_hosts files count: see `Evidence.options`.
    package var reachOptions: [String] = []
    /// Answers prompts; nil if no person is available.
    public var interaction: (any Interaction)?
    /// Receives events that would otherwise be silent.
    public var observer: (any RunObserver)?
    /// The logger for stages, at `debug`, and notices, at `notice`.
    public var logger: Logger?

    /// Where ssh's configuration made its settings.
    package var settingPlaces = SettingPlaces()

    /// Trusts no host, holds no credential, never prompts.
    public init() {}

    /// What `ssh` would use: the default identities and known_hosts files of a home directory.
    ///
    /// - Parameters:
    ///   - home: the home directory.
    ///   - agentSocket: the agent's socket, usually the value of SSH_AUTH_SOCK.
    public static func standard(home: String, agentSocket: String? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.credentials.identities = defaultIdentityPaths(home: home).map { Identity(path: $0, isDefault: true) }
        configuration.credentials.agentSocket = agentSocket
        configuration.knownHosts = .standard(home: home)
        return configuration
    }
}

extension Configuration {
    /// What a connection keeps once it is authenticated: without passwords and passphrases, which are no longer needed.
    var withoutSecrets: Configuration {
        var rest = self
        rest.credentials.password = nil
        rest.credentials.passphrase = nil
        for index in rest.jumpHosts.indices {
            rest.jumpHosts[index].configuration = rest.jumpHosts[index].configuration.withoutSecrets
        }
        return rest
    }

    /// Whether it holds a password or a passphrase, for any hop.
    var hasSecrets: Bool {
        credentials.password != nil || credentials.passphrase != nil || jumpHosts.contains { $0.configuration.hasSecrets }
    }
}
