import BridgeSSH

/// All that a run needs to know, made of the options and the surroundings; nothing has been opened or read yet.
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
    let wantsTerminal: Bool
    /// TERM for the remote terminal.
    let terminalType: String
    let output: OutputStyle
    let retry: RetryPlan

    /// - Throws: `UsageProblem`.
    init(_ run: RunCommand, surroundings: Surroundings) throws {
        output = run.output.style
        retry = RetryPlan(retries: run.retry.retries?.value ?? 0, isIdempotent: run.retry.idempotent)
        let (destination, words) = try Self.split(run.words)
        command = try Self.command(words, host: destination)
        endpoint = try Self.endpoint(destination, run.connection, loginName: surroundings.loginName)
        mayAsk = surroundings.canAsk && !run.connection.batch
        try Self.check(config: run.connection.config)
        configuration = Self.configuration(run, surroundings, mayAsk: mayAsk)
        commandOptions = Self.commandOptions(run.execution, run.output)
        input = try InputSource(run.execution)
        password = try SecretSource(run.credentials.passwordFile, option: "--password-file", mayAsk: mayAsk)
        passphrase = try SecretSource(run.credentials.passphraseFile, option: "--passphrase-file", mayAsk: mayAsk)
        wantsTerminal = run.execution.tty
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

    static func command(_ words: [String], host: String) throws -> String {
        let command = words.joined(separator: " ")
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

    static func endpoint(_ text: String, _ options: ConnectionOptions, loginName: String) throws -> Endpoint {
        let destination: Destination
        do {
            destination = try Destination(parsing: text)
        } catch let problem as DestinationProblem {
            throw UsageProblem(problem)
        }
        let user = options.user ?? destination.user ?? loginName
        guard !user.isEmpty else {
            throw UsageProblem(field: "user", problem: "it is empty; write user@\(destination.host) or give --user")
        }
        return Endpoint(host: destination.host, port: options.port?.value ?? destination.port ?? 22, user: user)
    }

    private static func check(config: String?) throws {
        guard let config, config != "none" else { return }
        throw UsageProblem(
            field: "--config",
            problem: "\(config) is not read, because ssh's configuration files are not supported yet; leave the option out, "
                + "or write --config none, and give what the file says as options")
    }

    // MARK: The options

    private static func configuration(_ run: RunCommand, _ surroundings: Surroundings, mayAsk: Bool) -> Configuration {
        let socket: String?
        switch run.credentials.agent {
        case "none": socket = nil
        case let path?: socket = path
        case nil: socket = surroundings.agentSocket
        }
        var configuration = Configuration.standard(home: surroundings.home, agentSocket: socket)
        if !run.credentials.identity.isEmpty {
            configuration.credentials.identities = run.credentials.identity.map {
                Identity(path: HomePath.expand($0, home: surroundings.home))
            }
        }
        configuration.credentials.identitiesOnly = run.credentials.identitiesOnly
        if !run.trust.knownHosts.isEmpty {
            configuration.knownHosts = KnownHostsFiles(
                user: run.trust.knownHosts.map { HomePath.expand($0, home: surroundings.home) })
        }
        configuration.hostKeyPolicy = run.trust.hostKeyPolicy?.policy ?? (mayAsk ? .ask : .strict)
        configuration.addressFamily = run.connection.family?.addressFamily ?? .any
        if let timeout = run.connection.connectTimeout {
            configuration.timeouts.connect = timeout.value
            configuration.timeouts.resolve = timeout.value
        }
        configuration.keepalive = run.connection.keepalive.map { KeepaliveOptions(interval: $0.value) }
        return configuration
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
