import BridgeSSH

/// Everything a run needs to know, made of the options and the surroundings; except for ssh's configuration nothing has been
/// opened or read yet.
struct RunPlan {
    /// The destination as it was typed.
    let destination: String
    let access: AccessPlan
    /// The command line for the remote shell.
    let command: String
    let commandOptions: CommandOptions
    let input: InputSource
    let wantsTerminal: Bool
    /// TERM for the remote terminal.
    let terminalType: String
    /// ssh's escape character for a terminal session; nil for none.
    let escapeCharacter: UInt8?
    let output: OutputStyle
    let retry: RetryPlan
    /// Nil for a connection that ends with the run.
    let persistence: Persistence?

    var endpoint: Endpoint { access.endpoint }
    var configuration: Configuration { access.configuration }
    var mayAsk: Bool { access.mayAsk }
    var notes: [String] { access.notes }

    /// - Throws: `UsageProblem`.
    ///
    /// - Parameter needsCommand: whether it is for a command; a copy has none, and leaves RemoteCommand alone as scp(1) does.
    init(_ run: RunOptions, launchEnvironment: LaunchEnvironment, needsCommand: Bool = true) throws {
        retry = RetryPlan(retries: run.retry.retries?.value ?? 0, isIdempotent: run.retry.idempotent)
        let (destination, words) = try Self.split(run.words)
        self.destination = destination
        let settings = try AccessPlan.settings(run, for: destination, launchEnvironment: launchEnvironment)
        output = Self.output(run.output, settings)
        command = needsCommand ? try Self.command(words, host: destination, configured: settings.remoteCommand) : ""
        let access = try AccessPlan(run, settings, launchEnvironment: launchEnvironment)
        self.access = access
        persistence = run.persist.persist.map { Persistence(keepFor: $0, named: destination, access, run.credentials) }
        var commandOptions = Self.commandOptions(run.execution, run.output)
        commandOptions.environment.insert(
            contentsOf: settings.resolved.commandEnvironment(from: launchEnvironment.environment), at: 0)
        self.commandOptions = commandOptions
        input = try InputSource(run.execution)
        wantsTerminal = run.execution.tty || settings.wantsTerminal(isInputTerminal: launchEnvironment.isInputTerminal)
        terminalType = launchEnvironment.terminalType ?? "dumb"
        escapeCharacter = EscapeKeys.character(named: settings.resolved.value("escapechar") ?? "~")
    }

    /// A person at a terminal session does not wait for a server that is gone, unless ServerAliveInterval is 0.
    func keepingAlive(_ configuration: Configuration) -> Configuration {
        guard wantsTerminal, !access.forbidsKeepalive, configuration.keepalive == nil else { return configuration }
        var configuration = configuration
        configuration.keepalive = Self.sessionKeepalive
        return configuration
    }

    /// The default of a terminal session.
    static let sessionKeepalive = KeepaliveOptions(interval: 15, countMax: 3)

    // MARK: The words

    /// The destination and the command's words. An option that the parser does not know comes first here.
    static func split(_ words: [String]) throws -> (destination: String, command: [String]) {
        var rest = words[...]
        if rest.first == "--" {
            rest.removeFirst()
        } else if let first = rest.first, first.hasPrefix("-"), first != "-" {
            throw UsageProblem(
                field: first,
                problem: "there is no such option of run; options stand before the host, the command after it"
                    + Misspelling.option(first))
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

    // MARK: The options

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

/// The form and amount of a run's output.
struct OutputStyle {
    var json = false
    var quiet = false
    /// How often `-v` was given.
    var verbosity = 0
    var convention = ExitStatus.Convention.bridge
}
