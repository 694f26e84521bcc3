public import CoreMetrics
public import Logging
public import NIOCore

/// How to reach a host, which host keys to trust and how to authenticate. One value, injected whole.
///
/// Nothing here reads the environment, a home directory or a terminal by itself; a fresh value trusts no host and holds no
/// credential. ``SSHConnectionConfiguration/standard(home:agentSocket:)`` is what `ssh` would use.
public struct SSHConnectionConfiguration: Sendable {
    /// What to offer in user authentication.
    public var credentials: SSHCredentials
    /// Which known_hosts files are read, and which is written.
    public var knownHosts: SSHKnownHostsFiles
    /// The name under which the host key is looked up and remembered, instead of the host's own name and port
    /// (HostKeyAlias of ssh_config(5)).
    public var hostKeyAlias: String?
    /// A program that knows more host keys than the files do.
    public var knownHostsCommand: SSHKnownHostsCommand?
    /// The keys that the host may present, if it is known beforehand: no other is accepted then, whatever ``hostKeyPolicy``
    /// says, and no file or program is asked, but for ``SSHKnownHostsFiles/revoked``. Empty for what known_hosts says.
    ///
    /// ```swift
    /// configuration.trustedHostKeys = [SSHHostKey(try SSHPublicKey(line: "ssh-ed25519 AAAA…"))]
    /// ```
    public var trustedHostKeys: [SSHHostKey]
    /// The policy for an unknown host key.
    public var hostKeyPolicy: SSHHostKeyPolicy
    /// Which addresses of a host are tried.
    public var addressFamily: SSHAddressFamily
    /// The address of this machine that TCP connections start from: numeric, IPv4 or IPv6, and only addresses of its family are
    /// then tried (BindAddress of ssh_config(5)). Nil lets the system choose; a text that is no address is refused. No effect
    /// behind a jump host or a ProxyCommand.
    public var localAddress: String?
    /// The hosts that the connection goes through, the nearest first: a chain of sessions, each inside the one before, in this
    /// process (ProxyJump of ssh_config(5)). Each checks its own host key and offers its own credentials. More than 100 are
    /// refused.
    public var jumpHosts: [SSHJumpHost]
    /// The command that carries the connection in place of a TCP connection; no effect where there are jump hosts.
    public var proxyCommand: SSHProxyCommand?
    /// The deadlines.
    public var timeouts: SSHTimeouts
    /// Keepalive messages to a silent server; nil for none.
    public var keepalive: SSHKeepaliveOptions?
    /// The algorithms that are offered.
    public var algorithms: SSHAlgorithmPreferences
    /// The command line's options that decide how the host is reached and which known_hosts files count: see
    /// `SSHEvidence.options`.
    package var reachOptions: [String] = []
    /// Answers prompts; nil if no person is available.
    public var interaction: (any SSHInteraction)?
    /// Receives events that would otherwise be silent.
    public var observer: (any SSHRunObserver)?
    /// The logger for stages and ends, at `debug`, notices, at `notice`, and failures, at `warning`. Every line has the
    /// metadata
    /// `ssh_host`, `ssh_user` and `elapsed_seconds`, and `ssh_hop`, `ssh_channel`, `ssh_stage` and `ssh_code` where they apply.
    public var logger: Logger?
    /// Where metrics of connections and commands go; nil for the system that the app has bootstrapped. Their names begin with
    /// `bridge_ssh_`; their labels have few values, and no host or user among them.
    public var metrics: (any MetricsFactory)?

    /// Whose event loops the connections live on, one each in turn: a group of SwiftNIO's for POSIX sockets, such as the one of the
    /// app's server. It must not be shut down before its connections are closed. Nil for the group that SwiftNIO has for the
    /// whole process. A jump host of the connection lives on its loop, too, and one of an ``SSHHopPool`` on the loop of the
    /// connection that it was made for.
    public var eventLoopGroup: (any EventLoopGroup)?

    /// The event loop that the connection lives on; nil for the next of its group's.
    package var executor: LoopExecutor?
    /// Agents that several connections share; nil for a connection to the agent of its own.
    package var agents: SharedAgents?
    /// Key files that were decrypted before.
    package var openedKeys = OpenedKeys()
    /// Key files that its passphrase has decrypted.
    package var decryptedKeyFiles = DecryptedKeyFiles()

    /// Where ssh's configuration made its settings.
    package var settingPlaces = SettingPlaces()

    /// Trusts no host, holds no credential, never prompts, but for what is given.
    public init(
        credentials: SSHCredentials = SSHCredentials(), knownHosts: SSHKnownHostsFiles = SSHKnownHostsFiles(user: []),
        hostKeyPolicy: SSHHostKeyPolicy = .strict, trustedHostKeys: [SSHHostKey] = [], hostKeyAlias: String? = nil,
        knownHostsCommand: SSHKnownHostsCommand? = nil, addressFamily: SSHAddressFamily = .any, localAddress: String? = nil,
        jumpHosts: [SSHJumpHost] = [], proxyCommand: SSHProxyCommand? = nil, timeouts: SSHTimeouts = SSHTimeouts(),
        keepalive: SSHKeepaliveOptions? = nil, algorithms: SSHAlgorithmPreferences = SSHAlgorithmPreferences(),
        interaction: (any SSHInteraction)? = nil, observer: (any SSHRunObserver)? = nil, logger: Logger? = nil,
        metrics: (any MetricsFactory)? = nil, eventLoopGroup: (any EventLoopGroup)? = nil
    ) {
        self.credentials = credentials
        self.knownHosts = knownHosts
        self.hostKeyPolicy = hostKeyPolicy
        self.trustedHostKeys = trustedHostKeys
        self.hostKeyAlias = hostKeyAlias
        self.knownHostsCommand = knownHostsCommand
        self.addressFamily = addressFamily
        self.localAddress = localAddress
        self.jumpHosts = jumpHosts
        self.proxyCommand = proxyCommand
        self.timeouts = timeouts
        self.keepalive = keepalive
        self.algorithms = algorithms
        self.interaction = interaction
        self.observer = observer
        self.logger = logger
        self.metrics = metrics
        self.eventLoopGroup = eventLoopGroup
    }

    /// What `ssh` would use: the default identities and known_hosts files of a home directory.
    ///
    /// - Parameters:
    ///   - home: the home directory.
    ///   - agentSocket: the agent's socket, usually the value of SSH_AUTH_SOCK.
    public static func standard(home: String, agentSocket: String? = nil) -> SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration()
        configuration.credentials.identities = defaultIdentityPaths(home: home).map { SSHIdentity(path: $0, isDefault: true) }
        configuration.credentials.agentSocket = agentSocket
        configuration.knownHosts = .standard(home: home)
        return configuration
    }
}

extension SSHConnectionConfiguration {
    /// What a connection keeps once it is authenticated: without passwords, passphrases and keys, which are no longer needed.
    var withoutSecrets: SSHConnectionConfiguration {
        var rest = self
        rest.openedKeys = OpenedKeys()
        rest.decryptedKeyFiles = DecryptedKeyFiles()
        rest.credentials.password = nil
        rest.credentials.passphrase = nil
        rest.credentials.identities = rest.credentials.identities.map(\.withoutSigner)
        for index in rest.jumpHosts.indices {
            rest.jumpHosts[index].configuration = rest.jumpHosts[index].configuration.withoutSecrets
        }
        return rest
    }

    /// Whether it holds a password, a passphrase or a key, for any hop.
    var hasSecrets: Bool {
        credentials.password != nil || credentials.passphrase != nil
            || !openedKeys.isEmpty || credentials.identities.contains { $0.signer != nil }
            || jumpHosts.contains { $0.configuration.hasSecrets }
    }
}

extension SSHConnectionConfiguration {
    /// - Throws: ``SSHError``, `ssh.local.usage`, for what cannot be meant: nothing is connected to then.
    package func check() throws(SSHError) {
        guard let problem else { return }
        throw SSHFailureClassifier.classify(SSHEvidence(local: .usage(field: problem.field, problem: problem.text)))
    }

    private var problem: (field: String, text: String)? {
        if let keepalive {
            guard keepalive.interval > .zero else { return ("keepalive", "its interval must be more than zero") }
            guard keepalive.countMax > 0 else {
                return ("keepalive", "its countMax is \(keepalive.countMax); it must be at least 1")
            }
        }
        guard credentials.passwordPrompts >= 0 else {
            return ("passwordPrompts", "\(credentials.passwordPrompts) prompts are less than none; give 0 or more")
        }
        if let localAddress, localAddress.utf8.contains(0) || !Connector.isAddress(localAddress) {
            return ("localAddress", "“\(localAddress)” is no address; write a numeric one, IPv4 or IPv6")
        }
        if let eventLoopGroup, !Connector.canConnect(on: eventLoopGroup) {
            return ("eventLoopGroup", "a \(type(of: eventLoopGroup)) has no POSIX sockets; give a MultiThreadedEventLoopGroup")
        }
        let lists = [
            ("keyExchange", algorithms.keyExchange), ("hostKey", algorithms.hostKey), ("ciphers", algorithms.ciphers),
            ("macs", algorithms.macs),
        ]
        if let (name, _) = lists.first(where: { $0.1.isEmpty }) {
            return ("algorithms.\(name)", "the list is empty; leave what it was, or name at least one")
        }
        if let index = trustedHostKeys.firstIndex(where: { (try? SSHPublicKey(blob: $0.blob))?.algorithm != $0.algorithm }) {
            return ("trustedHostKeys", "number \(index + 1) is no public key of the type \(trustedHostKeys[index].algorithm)")
        }
        if hostKeyPolicy == .acceptNew, knownHosts.user.isEmpty, trustedHostKeys.isEmpty, !knownHosts.acceptsWithoutRemembering {
            return (
                "hostKeyPolicy",
                ".acceptNew writes new keys to the first of knownHosts.user, which is empty; name a file there, or set "
                    + "knownHosts.acceptsWithoutRemembering to trust whatever key each connection is shown"
            )
        }
        let hops = hopCount
        guard hops <= SSHConfigFile.mostJumpHosts else {
            return ("jumpHosts", "there are \(hops), and \(SSHConfigFile.mostJumpHosts) are the most")
        }
        if let field = fieldWithNUL { return (field, "it holds a NUL character, which would cut it short; remove it") }
        return jumpHosts.lazy.compactMap(\.configuration.problem).first
    }

    /// The first one's own are passed too.
    private var hopCount: Int { jumpHosts.count + (jumpHosts.first?.configuration.hopCount ?? 0) }

    private var fieldWithNUL: String? {
        func holdsNUL(_ texts: [String]) -> Bool { texts.contains { $0.utf8.contains(0) } }
        if let proxyCommand, holdsNUL([proxyCommand.command, proxyCommand.shell] + proxyCommand.environment) {
            return "proxyCommand"
        }
        if let knownHostsCommand, holdsNUL(knownHostsCommand.words + knownHostsCommand.environment) { return "knownHostsCommand" }
        if holdsNUL(knownHosts.user + knownHosts.system + knownHosts.revoked) { return "knownHosts" }
        if holdsNUL([knownHosts.creatableDirectory ?? ""]) { return "knownHosts.creatableDirectory" }
        if holdsNUL([hostKeyAlias ?? ""]) { return "hostKeyAlias" }
        if holdsNUL(credentials.identities.lazy.filter { $0.signer == nil }.map(\.path)) { return "credentials.identities" }
        if holdsNUL(credentials.certificates) { return "credentials.certificates" }
        if holdsNUL([credentials.agentSocket ?? ""]) { return "credentials.agentSocket" }
        return nil
    }
}
