import BridgeSSH

/// All that a run needs to know, made of the options and the surroundings; but for ssh's configuration nothing
/// has been opened or read yet.
struct RunPlan {
    let endpoint: Endpoint
    /// The command line for the remote shell.
    let command: String
    /// Complete but for the secrets and for whom to ask.
    let configuration: Configuration
    let commandOptions: CommandOptions
    let input: InputSource
    let password: SecretSource?
    let passphrase: SecretSource?
    /// Whether a person may be asked.
    let mayAsk: Bool
    /// The jump hosts whose configuration says that nobody is to be asked about them (BatchMode).
    let silentJumpHosts: Set<Int>
    let wantsTerminal: Bool
    /// TERM for the remote terminal.
    let terminalType: String
    let output: OutputStyle
    let retry: RetryPlan
    /// What `-v` tells of ssh's configuration.
    let notes: [String]

    /// - Throws: `UsageProblem`.
    init(_ run: RunOptions, surroundings: Surroundings) throws {
        retry = RetryPlan(retries: run.retry.retries?.value ?? 0, isIdempotent: run.retry.idempotent)
        let (destination, words) = try Self.split(run.words)
        let named = try Self.destination(destination, user: run.connection.user, port: run.connection.port?.value)
        let settings = try HostSettings(
            for: named, config: run.files.config, options: run.files.settings(jump: run.connection.jump),
            surroundings: surroundings)
        notes = settings.notes
        output = Self.output(run.output, settings)
        command = try Self.command(words, host: destination, configured: settings.remoteCommand)
        endpoint = try settings.endpoint()
        mayAsk = surroundings.canAsk && !run.connection.batch && !settings.isBatch
        let hosts = try settings.jumpHosts()
        silentJumpHosts = Set(hosts.indices.filter { hosts[$0].isBatch })
        configuration = try Self.configuration(run, surroundings, settings, through: hosts, mayAsk: mayAsk)
        var commandOptions = Self.commandOptions(run.execution, run.output)
        commandOptions.environment.insert(
            contentsOf: settings.resolved.commandEnvironment(from: surroundings.environment), at: 0)
        self.commandOptions = commandOptions
        input = try InputSource(run.execution)
        password = try SecretSource(run.credentials.passwordFile, option: "--password-file", mayAsk: mayAsk)
        passphrase = try SecretSource(run.credentials.passphraseFile, option: "--passphrase-file", mayAsk: mayAsk)
        wantsTerminal = run.execution.tty || settings.wantsTerminal(isInputTerminal: surroundings.isInputTerminal)
        terminalType = surroundings.terminalType ?? "dumb"
    }

    // MARK: The words

    /// The destination and the command's words. An option that the parser does not know comes first here.
    static func split(_ words: [String]) throws -> (destination: String, command: [String]) {
        var rest = words[...]
        if rest.first == "--" {
            rest.removeFirst()
        } else if let first = rest.first, first.hasPrefix("-"), first != "-" {
            throw UsageProblem(
                field: first, problem: "there is no such option of run; options stand before the host, the command after it")
        }
        guard let destination = rest.popFirst() else {
            throw UsageProblem(field: "destination", problem: "it is missing; write: bridge-ssh run [user@]host command")
        }
        if rest.first == "--" { rest.removeFirst() }
        return (destination, Array(rest))
    }

    /// - Parameter configured: the RemoteCommand of ssh's configuration, for a run without a command.
    static func command(_ words: [String], host: String, configured: String? = nil) throws -> String {
        if let configured, !words.isEmpty {
            throw UsageProblem(
                field: "command",
                problem: "ssh's configuration has a RemoteCommand for \(host) already (\(configured)); leave the command out, or "
                    + "give -o RemoteCommand=none")
        }
        let command = configured ?? words.joined(separator: " ")
        guard !command.isEmpty else {
            throw UsageProblem(
                field: "command",
                problem: "it is missing, and an interactive shell is not offered; write it after the host, as in: "
                    + "bridge-ssh run \(host) uptime")
        }
        guard !command.unicodeScalars.contains("\0") else {
            throw UsageProblem(field: "command", problem: "it holds a NUL character, which no shell can run; remove it")
        }
        return command
    }

    /// The destination as it was named, with what options say of it.
    static func destination(_ text: String, user: String?, port: Int?) throws -> Destination {
        do {
            let named = try Destination(parsing: text)
            if user == "" { throw UsageProblem(field: "user", problem: "it is empty; name one after --user") }
            return try Destination(user: user ?? named.user, host: named.host, port: port ?? named.port)
        } catch let problem as DestinationProblem {
            throw UsageProblem(problem)
        }
    }

    // MARK: The options

    private static func configuration(
        _ run: RunOptions, _ surroundings: Surroundings, _ settings: HostSettings, through hosts: [HostSettings], mayAsk: Bool
    ) throws -> Configuration {
        let jumpHosts = try hosts.map { host in
            JumpHost(
                try host.endpoint(),
                configuration: try shared(run, surroundings, host, through: [], mayAsk: mayAsk && !host.isBatch))
        }
        var configuration = try shared(run, surroundings, settings, through: jumpHosts, mayAsk: mayAsk)
        // These are for the destination, as with ssh(1): what a jump host is offered, its own configuration says.
        if !run.credentials.identity.isEmpty {
            let named = run.credentials.identity.map { Identity(path: HomePath.expand($0, home: surroundings.home)) }
            let credentials = configuration.credentials
            configuration.credentials.identities =
                named + credentials.identities.filter { !$0.isDefault && !named.contains($0) }
        }
        if run.credentials.identitiesOnly { configuration.credentials.identitiesOnly = true }
        return configuration
    }

    /// What ssh's configuration says of a host, and those options that hold for every host on the way.
    private static func shared(
        _ run: RunOptions, _ surroundings: Surroundings, _ settings: HostSettings, through jumpHosts: [JumpHost], mayAsk: Bool
    ) throws -> Configuration {
        var configuration = Configuration.standard(home: surroundings.home, agentSocket: surroundings.agentSocket)
        configuration.hostKeyPolicy = mayAsk ? .ask : .strict
        try settings.apply(to: &configuration, canAsk: mayAsk, through: jumpHosts)
        switch run.credentials.agent {
        case "none": configuration.credentials.agentSocket = nil
        case let path?: configuration.credentials.agentSocket = path
        case nil: break
        }
        if !run.trust.knownHosts.isEmpty {
            let revoked = configuration.knownHosts.revoked
            configuration.knownHosts = KnownHostsFiles(
                user: run.trust.knownHosts.map { HomePath.expand($0, home: surroundings.home) })
            configuration.knownHosts.revoked = revoked
        }
        if let policy = run.trust.hostKeyPolicy?.policy { configuration.hostKeyPolicy = policy }
        if let family = run.connection.family?.addressFamily { configuration.addressFamily = family }
        if let timeout = run.connection.connectTimeout {
            configuration.timeouts.connect = timeout.value
            configuration.timeouts.resolve = timeout.value
        }
        if let interval = run.connection.keepalive?.value {
            configuration.keepalive = KeepaliveOptions(interval: interval, countMax: configuration.keepalive?.countMax ?? 3)
        }
        return configuration
    }

    private static func output(_ options: OutputOptions, _ settings: HostSettings) -> OutputStyle {
        var style = options.style
        style.quiet = options.quiet || (settings.isQuiet && options.verbose == 0)
        style.verbosity = max(options.verbose, options.quiet ? 0 : settings.verbosity)
        return style
    }

    private static func commandOptions(_ execution: ExecutionOptions, _ output: OutputOptions) -> CommandOptions {
        var options = CommandOptions()
        options.environment = execution.env.map { ($0.name, $0.value) }
        options.timeout = execution.timeout?.value
        options.idleTimeout = execution.idleTimeout?.value
        options.drain = execution.drain?.value
        if let limit = output.outputLimit { options.outputLimit = limit.value }
        return options
    }
}

/// How a run speaks.
struct OutputStyle {
    var json = false
    var quiet = false
    /// How often `-v` was given.
    var verbosity = 0
    var convention = ExitStatus.Convention.bridge
}

/// `~/` at the front of a path that no shell has expanded, as in `--identity=~/.ssh/id`.
enum HomePath {
    static func expand(_ path: String, home: String) -> String {
        guard path.hasPrefix("~/") else { return path }
        return (home.hasSuffix("/") ? String(home.dropLast()) : home) + path.dropFirst()
    }
}
