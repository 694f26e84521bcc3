package import BridgeSSH

/// The plan for one host: how to reach it, which host keys to trust, and how to authenticate. It is made from the request, ssh's
/// configuration and the environment. At this point only ssh's configuration has been read.
package struct AccessPlan: Sendable {
    package let endpoint: SSHEndpoint
    /// The configuration, without secrets and interactions.
    package let configuration: SSHConnectionConfiguration
    /// Whether a person may be asked.
    package let mayAsk: Bool
    /// The jump hosts whose configuration disables prompts (BatchMode).
    package let silentJumpHosts: Set<Int>
    /// Whether ssh's configuration sets ServerAliveInterval 0, and no option requests keepalives.
    package let forbidsKeepalive: Bool
    /// Notes on ssh's configuration, for `-v`.
    package let notes: [String]
    /// Warnings about ssh's configuration, which are printed even without `-v`.
    package let warnings: [String]
    /// Authentication methods that ssh's configuration enables and bridge-ssh lacks, by the method's name.
    package let missingMethods: [(method: String, text: String)]
    /// Supplies the secrets.
    package let secrets: any AccessSecrets
    /// The request that this plan was made from, for a client that reads ssh's configuration itself.
    package let request: AccessRequest

    /// - Parameter secrets: makes the source of secrets; its argument says whether a person may be asked.
    /// - Throws: `UsageProblem`.
    package init(
        _ request: AccessRequest, _ settings: HostSettings, in environment: LaunchEnvironment,
        secrets: (_ mayAsk: Bool) throws -> any AccessSecrets = { _ in NoSecrets() }
    ) throws {
        var completed = request
        completed.sessionSettings = settings.sessionSettings
        self.request = completed
        endpoint = try settings.endpoint()
        mayAsk = environment.canAsk && !request.isBatch && !settings.isBatch
        let hosts = try settings.jumpHosts()
        silentJumpHosts = Set(hosts.indices.filter { hosts[$0].isBatch })
        configuration = try Self.configuration(request, environment, settings, through: hosts, mayAsk: mayAsk)
        self.secrets = try secrets(mayAsk)
        forbidsKeepalive = settings.resolved.isSet("serveraliveinterval") && configuration.keepalive == nil
        // ssh has no settings that it ignores.
        notes = request.isForOpenSSH ? [] : settings.notes
        warnings = request.isForOpenSSH ? [] : ([settings] + hosts).flatMap(\.warnings) + settings.sessionWarnings
        missingMethods = settings.missingMethods
    }

    private static func configuration(
        _ request: AccessRequest, _ environment: LaunchEnvironment, _ settings: HostSettings,
        through hosts: [HostSettings], mayAsk: Bool
    ) throws -> SSHConnectionConfiguration {
        let jumpHosts = try hosts.map { host in
            SSHJumpHost(
                try host.endpoint(),
                configuration: try shared(request, environment, host, through: [], mayAsk: mayAsk && !host.isBatch),
                connectTimeout: host.connectTimeout)
        }
        var configuration = try shared(request, environment, settings, through: jumpHosts, mayAsk: mayAsk)
        request.reachOptions.put(into: &configuration)
        configuration.reportsAnnouncedKeys = true
        // As with ssh(1), these identities are for the destination. Those of a jump host come from its own configuration.
        applyIdentities(of: request, home: environment.home, to: &configuration.credentials)
        return configuration
    }

    /// The request's identities come before the configured ones, and replace the default ones.
    private static func applyIdentities(of request: AccessRequest, home: String, to credentials: inout SSHCredentials) {
        if !request.identities.isEmpty {
            let named = request.identities.map { SSHIdentity(path: HomePath.expand($0, home: home)) }
            credentials.identities = named + credentials.identities.filter { !$0.isDefault && !named.contains($0) }
        }
        if request.identitiesOnly { credentials.identitiesOnly = true }
    }

    /// The settings for one host: from ssh's configuration, and the parts of the request that apply to every hop.
    private static func shared(
        _ request: AccessRequest, _ environment: LaunchEnvironment, _ settings: HostSettings,
        through jumpHosts: [SSHJumpHost], mayAsk: Bool
    ) throws -> SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration.standard(home: environment.home, agentSocket: environment.agentSocket)
        configuration.hostKeyPolicy = mayAsk ? .ask : .strict
        try settings.apply(to: &configuration, canAsk: mayAsk, through: jumpHosts)
        switch request.agent {
        case .none?: configuration.credentials.agentSocket = nil
        case .socket(let path)?: configuration.credentials.agentSocket = path
        case nil: break
        }
        if !request.knownHosts.isEmpty {
            let old = configuration.knownHosts
            configuration.knownHosts = SSHKnownHostsFiles(
                user: request.knownHosts.map { HomePath.expand($0, home: environment.home) })
            configuration.knownHosts.revoked = old.revoked
            // By default UpdateHostKeys is on only with the standard files (ssh_config(5)).
            configuration.knownHosts.learnsAnnouncedKeys =
                old.learnsAnnouncedKeys && settings.resolved.isSet("updatehostkeys")
        }
        if let policy = request.hostKeyPolicy {
            configuration.hostKeyPolicy = policy
            // Only ssh's configuration can allow a key that is not remembered; accept-new as an option remembers the key or
            // refuses it.
            configuration.knownHosts.acceptsWithoutRemembering = false
            if policy == .acceptNew, configuration.knownHosts.user.isEmpty {
                throw UsageProblem(
                    field: "--host-key-policy",
                    problem:
                        "accept-new remembers a new key, and UserKnownHostsFile is none; name a file with --known-hosts, or leave "
                        + "the option out and write StrictHostKeyChecking no to trust any key that is shown")
            }
        }
        if let family = request.addressFamily { configuration.addressFamily = family }
        if let timeout = request.connectTimeout {
            configuration.timeouts.connect = timeout
            configuration.timeouts.resolve = timeout
        }
        if let interval = request.keepaliveInterval {
            configuration.keepalive = SSHKeepaliveOptions(interval: interval, countMax: configuration.keepalive?.countMax ?? 3)
        }
        return configuration
    }
}

extension AccessPlan {
    /// The configuration for one attempt, with secrets and interactions.
    ///
    /// - Throws: `UsageProblem`; errors from prompting.
    package func completeConfiguration(_ log: any RunLog) async throws -> SSHConnectionConfiguration {
        try await completeConfiguration(log, answers: answers)
    }

    /// - Parameter answers: asks the person; nil for no prompts.
    ///
    /// - Throws: `UsageProblem`; errors from prompting.
    package func completeConfiguration(_ log: any RunLog, answers: RememberedAnswers?) async throws -> SSHConnectionConfiguration
    {
        var configuration = configuration
        configuration.observer = log
        configuration.interaction = answers?.interaction(at: .init(hop: 0, endpoint: endpoint))
        configuration.credentials.password = try await secrets.password()
        configuration.credentials.passphrase = try await secrets.passphrase()
        // A passphrase decrypts local files and is sent to no host. A password is only for the destination.
        for index in configuration.jumpHosts.indices {
            let place = RememberedAnswers.Place(hop: index + 1, endpoint: configuration.jumpHosts[index].endpoint)
            configuration.jumpHosts[index].configuration.interaction =
                silentJumpHosts.contains(index) ? nil : answers?.interaction(at: place)
            configuration.jumpHosts[index].configuration.credentials.passphrase = configuration.credentials.passphrase
        }
        for note in notes { log.line(note) }
        for warning in warnings { log.warns(warning) }
        return configuration
    }

    /// The configuration with the effective host key policies: if no person may be asked, `ask` becomes `strict`.
    package var decidedConfiguration: SSHConnectionConfiguration {
        var decided = configuration
        if !mayAsk, decided.hostKeyPolicy == .ask { decided.hostKeyPolicy = .strict }
        for index in decided.jumpHosts.indices where !mayAsk || silentJumpHosts.contains(index) {
            guard decided.jumpHosts[index].configuration.hostKeyPolicy == .ask else { continue }
            decided.jumpHosts[index].configuration.hostKeyPolicy = .strict
        }
        return decided
    }

    /// Asks the person; nil if no person may be asked.
    package var answers: RememberedAnswers? {
        guard mayAsk else { return nil }
        return secrets.person.map { RememberedAnswers(asking: $0) }
    }
}

/// A run's configuration with its secrets, which are read or prompted for on first use.
package actor ResolvedAccess {
    private let plan: AccessPlan
    private let log: any RunLog
    /// Nil if prompts are not allowed.
    private let answers: RememberedAnswers?
    private var completed: SSHConnectionConfiguration?

    package init(plan: AccessPlan, log: any RunLog) {
        self.plan = plan
        self.log = log
        answers = plan.answers
    }

    /// - Throws: `UsageProblem`; errors from prompting.
    package func configuration() async throws -> SSHConnectionConfiguration {
        if let completed { return completed }
        let configuration = try await plan.completeConfiguration(log, answers: answers)
        completed = configuration
        return configuration
    }

    /// Allows each earlier answer to be used once more.
    package func beginAttempt() {
        answers?.beginAttempt()
    }
}

/// The caller's request besides the destination: how to reach hosts, which host keys to trust, and how to authenticate. It is the
/// same for all of the caller's hosts. Nil and empty values leave the choice to ssh's configuration, then to the defaults.
package struct AccessRequest: Sendable, Equatable {
    /// Takes precedence over the user in the destination.
    package var user: String?
    /// Takes precedence over the port in the destination.
    package var port: Int?
    /// The source of ssh's configuration; nil for the standard files.
    package var configuration: SSHConfigSource?
    /// Settings that take precedence over those of the files, each as `Key=Value`.
    package var settings: [String] = []
    /// The purpose of the connections, for `Match sessiontype` and `Match command` in ssh's configuration.
    package var session = SSHConfigSession.command("")
    /// The time limit for resolving the name, connecting and authenticating.
    package var connectTimeout: Duration?
    package var keepaliveInterval: Duration?
    package var addressFamily: SSHAddressFamily?
    /// Whether OpenSSH's ssh connects. It supports settings that bridge-ssh does not, and reports errors in them itself.
    package var isForOpenSSH = false
    /// The settings of the configuration, in lower case, with which ssh would run another session, in the background, or without
    /// input.
    package internal(set) var sessionSettings: [String] = []
    /// Whether to ask no person, even if the environment allows it.
    package var isBatch = false
    /// known_hosts files that replace the configured ones.
    package var knownHosts: [String] = []
    package var hostKeyPolicy: SSHHostKeyPolicy?
    package var agent: Agent?
    /// The options that a command in a remedy must repeat.
    package var reachOptions = ReachOptions()
    /// Key files for the destination, which replace the default ones.
    package var identities: [String] = []
    /// Whether to ignore the agent's other keys.
    package var identitiesOnly = false

    /// The agent to use, regardless of the configuration.
    package enum Agent: Sendable, Equatable {
        case none
        /// The agent at this socket path.
        case socket(String)
    }

    package init() {}
}

/// Supplies secrets and a person's answers. The caller provides it: a command line reads files and prompts on its terminal; a
/// fleet prompts once for all its hosts.
package protocol AccessSecrets: Sendable {
    /// The destination's password.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func password() async throws -> SSHSecret?

    /// The passphrase of all key files.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func passphrase() async throws -> SSHSecret?

    /// Asks a person; nil if no person can be asked.
    var person: (any SSHInteraction)? { get }
}

/// No secrets, and no person.
package struct NoSecrets: AccessSecrets {
    package init() {}
    package func password() async throws -> SSHSecret? { nil }
    package func passphrase() async throws -> SSHSecret? { nil }
    package var person: (any SSHInteraction)? { nil }
}

/// The command line options that decide how the host is reached and which known_hosts files apply. A remedy repeats them: without
/// them, its command would concern another machine or file.
package struct ReachOptions: Sendable, Equatable {
    /// Options for every hop.
    private let shared: [String]
    /// Options for the destination only. The jump hosts' own configuration sets these.
    private let own: [String]

    package init(shared: [String] = [], own: [String] = []) {
        self.shared = shared
        self.own = own
    }

    func put(into configuration: inout SSHConnectionConfiguration) {
        configuration.reachOptions = shared + own
        var before: [String] = []
        for index in configuration.jumpHosts.indices {
            let host = configuration.jumpHosts[index].endpoint
            let jump = before.isEmpty ? [] : ["-J", before.joined(separator: ",")]
            configuration.jumpHosts[index].configuration.reachOptions =
                shared + jump + ["-p", "\(host.port)", "-l", host.user]
            before.append(SSHEndpoint.text(host: host.name, port: host.port, user: host.user))
        }
    }
}
