public import CoreMetrics
public import Logging
public import NIOCore

/// How to reach a host, which host keys to trust, and how to authenticate, as one value.
///
/// This type never reads the environment, a home directory or a terminal itself. A new value trusts no host and holds no
/// credential. ``SSHConnectionConfiguration/standard(home:agentSocket:)`` gives ssh's defaults.
public struct SSHConnectionConfiguration: Sendable {
    /// The credentials for user authentication.
    public var credentials: SSHCredentials
    /// The known_hosts files to read, and the one to write.
    public var knownHosts: SSHKnownHostsFiles
    /// The name under which the host key is looked up and stored, in place of the host's name and port (HostKeyAlias in
    /// ssh_config(5)).
    public var hostKeyAlias: String?
    /// A program that supplies further known host keys.
    public var knownHostsCommand: SSHKnownHostsCommand?
    /// The only keys that the host may present, if they are known in advance. Then ``hostKeyPolicy`` is ignored, and no file or
    /// program is consulted except ``SSHKnownHostsFiles/revoked``. Empty to use known_hosts.
    ///
    /// ```swift
    /// configuration.trustedHostKeys = [SSHHostKey(try SSHPublicKey(line: "ssh-ed25519 AAAA…"))]
    /// ```
    public var trustedHostKeys: [SSHHostKey]
    /// The policy for an unknown host key.
    public var hostKeyPolicy: SSHHostKeyPolicy
    /// The address family to use.
    public var addressFamily: SSHAddressFamily
    /// The local address for TCP connections: numeric, IPv4 or IPv6. Only addresses of its family are then tried (BindAddress in
    /// ssh_config(5)). Nil lets the system choose; an invalid address is refused. No effect behind a jump host or a ProxyCommand.
    public var localAddress: String?
    /// The hosts that the connection goes through, the nearest first (ProxyJump in ssh_config(5)). Each session runs inside the
    /// previous one, in this process. Each jump host has its own host key check and credentials. More than 100 are refused.
    public var jumpHosts: [SSHJumpHost]
    /// A command that carries the connection in place of TCP. No effect if there are jump hosts.
    public var proxyCommand: SSHProxyCommand?
    /// The deadlines.
    public var timeouts: SSHTimeouts
    /// Keepalives to a silent server; nil for none.
    public var keepalive: SSHKeepaliveOptions?
    /// The algorithms to offer.
    public var algorithms: SSHAlgorithmPreferences
    /// The command line options that decide how the host is reached and which known_hosts files apply: see `SSHEvidence.options`.
    package var reachOptions: [String] = []
    /// Whether to report the host keys that a server announces, even if none is added to known_hosts. It costs a search there.
    package var reportsAnnouncedKeys = false
    /// Answers prompts; nil if no person is available.
    public var interaction: (any SSHInteraction)?
    /// Receives events that are otherwise not reported.
    public var observer: (any SSHRunObserver)?
    /// The logger: stages and ends at `debug`, notices at `notice`, failures at `warning`. Every line has the metadata
    /// `ssh_host`, `ssh_user` and `elapsed_seconds`, and `ssh_hop`, `ssh_channel`, `ssh_stage` and `ssh_code` where they apply.
    public var logger: Logger?
    /// The metrics factory for connections and commands; nil for the one that the app bootstrapped. The names begin with
    /// `bridge_ssh_`. The labels have few values, and contain no host or user.
    public var metrics: (any MetricsFactory)?

    /// The event loops for connections, assigned in turn. It must be a SwiftNIO group for POSIX sockets, such as that of the
    /// app's server, and must not be shut down before its connections are closed. Nil for SwiftNIO's global group. A jump host
    /// runs on the loop of its connection; a jump host of an ``SSHHopPool`` runs on the loop of the connection that it was opened
    /// for.
    public var eventLoopGroup: (any EventLoopGroup)?

    /// The event loop of the connection; nil for the next one of its group.
    package var executor: LoopExecutor?
    /// Agents shared by several connections; nil to connect to the agent separately.
    package var agents: SharedAgents?
    /// Host keys that servers presented to other connections of a run; nil to ask each server.
    package var seenKeys: SeenHostKeys?
    /// Key files that were decrypted in advance.
    package var openedKeys = OpenedKeys()
    /// Key files that this configuration's passphrase has decrypted.
    package var decryptedKeyFiles = DecryptedKeyFiles()

    /// The places in ssh's configuration that these settings come from.
    package var settingPlaces = SettingPlaces()

    /// Trusts no host, has no credential and never prompts, except for the given values.
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

    /// ssh's defaults: the default identities and known_hosts files in a home directory.
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
    /// The configuration that a connection keeps after authentication: without passwords, passphrases and keys, which are no
    /// longer needed.
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

    /// Whether it has a password, a passphrase or a key for any hop.
    var hasSecrets: Bool {
        credentials.password != nil || credentials.passphrase != nil
            || !openedKeys.isEmpty || credentials.identities.contains { $0.signer != nil }
            || jumpHosts.contains { $0.configuration.hasSecrets }
    }
}

extension SSHConnectionConfiguration {
    /// - Throws: ``SSHError``, `ssh.local.usage`, for invalid values. In that case nothing is connected.
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
            return ("passwordPrompts", "\(credentials.passwordPrompts) prompts are too few; give 0 or more")
        }
        if let localAddress, localAddress.utf8.contains(0) || !Connector.isAddress(localAddress) {
            return ("localAddress", "“\(localAddress)” is not an address; write a numeric one, IPv4 or IPv6")
        }
        if let eventLoopGroup, !Connector.canConnect(on: eventLoopGroup) {
            return ("eventLoopGroup", "a \(type(of: eventLoopGroup)) has no POSIX sockets; give a MultiThreadedEventLoopGroup")
        }
        let lists = [
            ("keyExchange", algorithms.keyExchange), ("hostKey", algorithms.hostKey), ("ciphers", algorithms.ciphers),
            ("macs", algorithms.macs),
        ]
        if let (name, _) = lists.first(where: { $0.1.isEmpty }) {
            return ("algorithms.\(name)", "the list is empty; keep the default, or name at least one")
        }
        // Every connection comes here, most of them with the defaults.
        if algorithms != Self.defaultAlgorithms {
            for (name, list) in lists {
                guard let entry = list.first(where: { !Self.isAlgorithmName($0) }) else { continue }
                return (
                    "algorithms.\(name)", "“\(entry)” is not the name of an algorithm; write each name as an entry of its own"
                )
            }
        }
        if let index = trustedHostKeys.firstIndex(where: { (try? SSHPublicKey(blob: $0.blob))?.algorithm != $0.algorithm }) {
            return ("trustedHostKeys", "number \(index + 1) is not a public key of the type \(trustedHostKeys[index].algorithm)")
        }
        if hostKeyPolicy == .acceptNew, knownHosts.user.isEmpty, trustedHostKeys.isEmpty, !knownHosts.acceptsWithoutRemembering {
            return (
                "hostKeyPolicy",
                ".acceptNew writes new keys to the first of knownHosts.user, which is empty; name a file there, or set "
                    + "knownHosts.acceptsWithoutRemembering to trust any key that a connection is shown"
            )
        }
        let hops = hopCount
        guard hops <= SSHConfigFile.maximumJumpHosts else {
            return ("jumpHosts", "there are \(hops), and \(SSHConfigFile.maximumJumpHosts) are the most")
        }
        if let field = fieldWithNUL { return (field, "it contains a NUL character, which would cut it short; remove it") }
        return jumpHosts.lazy.compactMap(\.configuration.problem).first
    }

    private static let defaultAlgorithms = SSHAlgorithmPreferences()

    /// RFC 4251 section 6: printable US-ASCII without commas and spaces, 64 characters at most.
    private static func isAlgorithmName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") }
    }

    /// The number of hops, including the first jump host's own jump hosts.
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

extension SSHEndpoint {
    /// An endpoint from its parts, which are validated.
    ///
    /// - Parameters:
    ///   - host: a host name or a literal address. An IPv6 address may be in brackets.
    ///   - port: 1 to 65535. Default 22.
    ///   - user: the login name; not empty, and without control characters.
    /// - Throws: ``SSHError``: `ssh.resolve.host-name-invalid` for an invalid host, `ssh.local.usage` for an invalid port or
    ///   user.
    public init(host: String, port: Int = 22, user: String) throws {
        do { try self.init(checking: host, port: port, user: user) } catch { throw error.failure }
    }

    /// Reads `user@host`, `user@host:port`, `user@[v6]:port` or `ssh://user@host:port`.
    ///
    /// - Parameters:
    ///   - text: the destination. The port is 22 unless the text has one.
    ///   - user: the login name if the text has none.
    /// - Throws: ``SSHError``: `ssh.resolve.host-name-invalid` for an invalid host, `ssh.local.usage` for any other error,
    ///   including a missing user.
    public init(parsing text: String, user: String? = nil) throws {
        do {
            let destination = try SSHDestination(parsing: text)
            guard let user = destination.user ?? user else { throw SSHDestinationProblem.missingUser(input: text) }
            try self.init(checking: destination.host, port: destination.port ?? 22, user: user)
        } catch let problem as SSHDestinationProblem {
            throw problem.failure
        }
    }
}

extension SSHDestinationProblem {
    /// The error for this problem: `ssh.resolve.host-name-invalid` or `ssh.local.usage`.
    public var failure: SSHError {
        // A command line has a different remedy.
        let description =
            code == .unsafeUser
            ? description.replacing(remedy, with: "Correct the name, or give it as the user of SSHEndpoint.") : description
        let (event, stage): (SSHEvidence.Event, SSHStage) =
            concernsHostName
            ? (.hostNameInvalid(problem: description), .resolve) : (.usage(field: "destination", problem: description), .local)
        return SSHFailureClassifier.classify(SSHEvidence(local: event, stage: stage))
    }
}
