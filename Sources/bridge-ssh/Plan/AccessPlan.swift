import BridgeSSH

/// A subcommand that connects to a host.
protocol ConnectingCommand {
    var connection: ConnectionOptions { get }
    var files: ConfigurationOptions { get }
    var trust: TrustOptions { get }
    var credentials: CredentialOptions { get }
}

/// How a host is reached, which host keys to trust and how to authenticate: what every command that connects needs, made of the
/// options and the surroundings. Except for ssh's configuration, nothing has been opened or read yet.
struct AccessPlan: Sendable {
    let endpoint: Endpoint
    /// Complete except for the secrets and the interactions.
    let configuration: Configuration
    let password: SecretSource?
    let passphrase: SecretSource?
    /// Whether a person may be asked.
    let mayAsk: Bool
    private let choice: QuestionerChoice
    /// The jump hosts whose configuration disables prompts (BatchMode).
    let silentJumpHosts: Set<Int>
    /// Whether ssh's configuration says ServerAliveInterval 0, and no option asks for keepalives.
    let forbidsKeepalive: Bool
    /// Notes on ssh's configuration, for `-v`.
    let notes: [String]

    /// - Parameter settings: ssh's configuration for the host; see ``settings(_:for:surroundings:)``.
    /// - Throws: `UsageProblem`.
    init(_ command: some ConnectingCommand, _ settings: HostSettings, launchEnvironment: LaunchEnvironment) throws {
        endpoint = try settings.endpoint()
        mayAsk = launchEnvironment.canAsk && !command.connection.batch && !settings.isBatch
        choice = launchEnvironment.choice
        let hosts = try settings.jumpHosts()
        silentJumpHosts = Set(hosts.indices.filter { hosts[$0].isBatch })
        configuration = try Self.configuration(command, launchEnvironment, settings, through: hosts, mayAsk: mayAsk)
        password = try SecretSource(command.credentials.passwordFile, option: "--password-file", mayAsk: mayAsk)
        passphrase = try SecretSource(command.credentials.passphraseFile, option: "--passphrase-file", mayAsk: mayAsk)
        forbidsKeepalive = settings.resolved.isSet("serveraliveinterval") && configuration.keepalive == nil
        notes = settings.notes
    }

    /// ssh's configuration for a destination that was named with options beside it.
    ///
    /// - Throws: `UsageProblem`.
    static func settings(
        _ command: some ConnectingCommand, for destination: String, launchEnvironment: LaunchEnvironment
    ) throws -> HostSettings {
        let named = try self.destination(
            destination, user: command.connection.user, port: command.connection.port?.value)
        return try HostSettings(
            for: named, config: command.files.config, options: command.files.settings(jump: command.connection.jump),
            launchEnvironment: launchEnvironment)
    }

    /// The destination as it was named, with the options that apply to it.
    static func destination(_ text: String, user: String?, port: Int?) throws -> Destination {
        do {
            let named = try Destination(parsing: text)
            if let user { try check(user: user) }
            return try Destination(user: user ?? named.user, host: named.host, port: port ?? named.port)
        } catch let problem as DestinationProblem {
            throw UsageProblem(problem)
        }
    }

    /// A mistake in the option is not the host's.
    private static func check(user: String) throws {
        if user == "" { throw UsageProblem(field: "user", problem: "it is empty; name one after --user") }
        do { _ = try Destination(user: user, host: "host") } catch let problem as DestinationProblem {
            throw UsageProblem(field: "--user", problem: problem.description)
        }
    }

    private static func configuration(
        _ command: some ConnectingCommand, _ launchEnvironment: LaunchEnvironment, _ settings: HostSettings,
        through hosts: [HostSettings], mayAsk: Bool
    ) throws -> Configuration {
        let jumpHosts = try hosts.map { host in
            JumpHost(
                try host.endpoint(),
                configuration: try shared(command, launchEnvironment, host, through: [], mayAsk: mayAsk && !host.isBatch),
                connectTimeout: host.connectTimeout)
        }
        var configuration = try shared(command, launchEnvironment, settings, through: jumpHosts, mayAsk: mayAsk)
        ReachOptions(command).put(into: &configuration)
        // These are for the destination, as with ssh(1): what a jump host is offered, its own configuration says.
        apply(command.credentials, home: launchEnvironment.home, to: &configuration.credentials)
        return configuration
    }

    /// Identities of the command line come before those of the configuration, and instead of the default ones.
    private static func apply(_ options: CredentialOptions, home: String, to credentials: inout Credentials) {
        if !options.identity.isEmpty {
            let named = options.identity.map { Identity(path: HomePath.expand($0, home: home)) }
            credentials.identities = named + credentials.identities.filter { !$0.isDefault && !named.contains($0) }
        }
        if options.identitiesOnly { credentials.identitiesOnly = true }
    }

    /// What ssh's configuration says of a host, and those options that hold for every host on the way.
    private static func shared(
        _ command: some ConnectingCommand, _ launchEnvironment: LaunchEnvironment, _ settings: HostSettings,
        through jumpHosts: [JumpHost], mayAsk: Bool
    ) throws -> Configuration {
        var configuration = Configuration.standard(home: launchEnvironment.home, agentSocket: launchEnvironment.agentSocket)
        configuration.hostKeyPolicy = mayAsk ? .ask : .strict
        try settings.apply(to: &configuration, canAsk: mayAsk, through: jumpHosts)
        switch command.credentials.agent {
        case "none": configuration.credentials.agentSocket = nil
        case let path?: configuration.credentials.agentSocket = path
        case nil: break
        }
        if !command.trust.knownHosts.isEmpty {
            let revoked = configuration.knownHosts.revoked
            configuration.knownHosts = KnownHostsFiles(
                user: command.trust.knownHosts.map { HomePath.expand($0, home: launchEnvironment.home) })
            configuration.knownHosts.revoked = revoked
        }
        if let policy = command.trust.hostKeyPolicy?.policy { configuration.hostKeyPolicy = policy }
        if let family = command.connection.family?.addressFamily { configuration.addressFamily = family }
        if let timeout = command.connection.connectTimeout {
            configuration.timeouts.connect = timeout.value
            configuration.timeouts.resolve = timeout.value
        }
        if let interval = command.connection.keepalive?.value {
            configuration.keepalive = KeepaliveOptions(interval: interval, countMax: configuration.keepalive?.countMax ?? 3)
        }
        return configuration
    }
}

extension AccessPlan {
    /// The configuration with the secrets and the interactions.
    ///
    /// - Throws: `UsageProblem`; what asking throws.
    func completeConfiguration(_ log: StageLog) async throws -> Configuration {
        try await completeConfiguration(log, answers: answers)
    }

    /// - Parameter answers: asks the person; nil for no questions.
    /// - Throws: `UsageProblem`; what asking throws.
    func completeConfiguration(_ log: StageLog, answers: RememberedAnswers?) async throws -> Configuration {
        var configuration = configuration
        let questioner = questioner
        configuration.observer = log
        configuration.interaction = answers?.interaction(at: .init(hop: 0, endpoint: endpoint))
        configuration.credentials.password = try await secret(password, "Password: ", questioner)
        configuration.credentials.passphrase = try await secret(passphrase, "Passphrase: ", questioner)
        // A passphrase opens local files and is sent to no host; a password is for the destination alone.
        for index in configuration.jumpHosts.indices {
            let place = RememberedAnswers.Place(hop: index + 1, endpoint: configuration.jumpHosts[index].endpoint)
            configuration.jumpHosts[index].configuration.interaction =
                silentJumpHosts.contains(index) ? nil : answers?.interaction(at: place)
            configuration.jumpHosts[index].configuration.credentials.passphrase = configuration.credentials.passphrase
        }
        for note in notes { log.line(note) }
        return configuration
    }

    /// Nil where prompts are disabled.
    var questioner: (any Questioner)? { mayAsk ? choice.questioner : nil }

    /// Prompts the person; nil where prompts are not allowed.
    var answers: RememberedAnswers? {
        questioner.map { RememberedAnswers(asking: PersonInteraction(questioner: $0)) }
    }

    private func secret(
        _ source: SecretSource?, _ prompt: String, _ questioner: (any Questioner)?
    ) async throws -> Secret? {
        switch source?.place {
        case nil: return nil
        case .file(let path): return try source?.read(path)
        case .terminal:
            guard let secret = try await questioner?.ask(prompt, after: "", echo: false), !secret.isEmpty else {
                throw UsageProblem(field: source?.option ?? "", problem: "nothing was typed")
            }
            return secret
        }
    }
}

/// `~/` at the front of a path that no shell has expanded, as in `--identity=~/.ssh/id`.
enum HomePath {
    static func expand(_ path: String, home: String) -> String {
        guard path.hasPrefix("~/") else { return path }
        return (home.hasSuffix("/") ? String(home.dropLast()) : home) + path.dropFirst()
    }
}
