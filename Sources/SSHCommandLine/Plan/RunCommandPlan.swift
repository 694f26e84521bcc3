import BridgeSSH
import SSHRun

/// Everything that `run` takes from its options, ssh's configuration and the environment. Apart from ssh's configuration,
/// making it opens and reads no file.
struct RunCommandPlan {
    /// The destination as it was typed.
    let destination: String
    let run: RunPlan
    let input: InputSource
    let output: OutputStyle
    /// The names of the variables from options.
    let variables: [String]
    /// The key files from options.
    let identities: [String]
    /// The terms on which the connection is kept; nil for a connection that ends with the run.
    let persistence: PersistPlan?
    /// The SSH client that makes the connection.
    let maker: ConnectionMaker
    /// The variables from options, with their values.
    let ownVariables: [(name: String, value: String)]
    private let home: String
    /// The route for OpenSSH's ssh. Computed on demand, because most runs use libssh2.
    var route: OpenSSHRoute {
        var configuration = access.configuration
        run.keepAlive(&configuration)
        return OpenSSHRoute(access.request, at: access.endpoint, configuration, home: home, mayAsk: access.mayAsk)
    }

    var access: AccessPlan { run.access }
    var endpoint: SSHEndpoint { access.endpoint }

    /// - Parameters:
    ///   - needsCommand: whether a command runs; a copy has none, and ignores RemoteCommand as scp(1) does.
    ///   - suggestions: returns the end of the message about an unknown option.
    /// - Throws: `UsageProblem`.
    init(
        _ options: RunOptions, launchEnvironment: LaunchEnvironment, needsCommand: Bool = true,
        suggestions: (String) -> String = { _ in "" }
    ) throws {
        let (destination, words) = try Self.split(options.words, suggestions: suggestions)
        self.destination = destination
        let session: SSHConfigSession =
            !needsCommand ? .subsystem("sftp") : words.isEmpty ? .shell : .command(words.joined(separator: " "))
        let settings = try AccessPlan.settings(
            options, for: destination, session: session, launchEnvironment: launchEnvironment)
        var output = OutputStyle(options.output, settings)
        output.commands = options.status.commandStatus
        self.output = output
        let command =
            needsCommand
            ? try RunPlan.command(
                words, host: destination, configured: settings.remoteCommand, isRoot: options.sudo.isAskedFor,
                maximumBytes: options.via.maker.maximumCommandLength) : ""
        let access = try AccessPlan(options, settings, launchEnvironment: launchEnvironment)
        persistence = options.persist.persist.map { PersistPlan(keepFor: $0, named: destination, access, options) }
        input = try InputSource(options.execution, isNull: settings.resolved.isOn("stdinnull"))
        variables = options.execution.env.map(\.name)
        identities = options.credentials.identity.map { HomePath.expand($0, home: launchEnvironment.home) }
        var run = RunPlan(options.request, command: command, access, settings, in: launchEnvironment)
        maker = options.via.maker
        if maker == .ssh {
            try ViaOptions.check(run.commandOptions, persists: persistence != nil)
        }
        run.shell = try options.shell.plan(
            options.execution, sudo: options.sudo, via: options.via.maker, command: command,
            wantsTerminal: needsCommand && options.execution.tty,
            others: [("--persist", options.persist.persist != nil, "a kept connection only starts commands")])
        if let password = try options.sudo.password(for: destination, asking: access.questioner) {
            try Self.check(options, wantsTerminal: needsCommand && run.wantsTerminal)
            run.sudo = RunSudo(password)
        }
        self.run = run
        ownVariables = options.execution.env.map { ($0.name, $0.value) }
        home = launchEnvironment.home
    }

    /// - Throws: `UsageProblem` for options that do not work with sudo.
    private static func check(_ options: RunOptions, wantsTerminal: Bool) throws {
        if wantsTerminal {
            throw UsageProblem(
                field: "--sudo",
                problem:
                    "with a terminal sudo asks there; write -T for no terminal, or leave --sudo out and run `sudo COMMAND` with -t"
            )
        }
        if options.persist.persist != nil {
            throw UsageProblem(
                field: "--sudo",
                problem: "a kept connection cannot pass on sudo's prompt; leave --persist or --sudo out")
        }
    }

    /// Splits the words into the destination and the command. The first word may be an option that the parser does not know.
    static func split(
        _ words: [String], suggestions: (String) -> String
    ) throws -> (destination: String, command: [String]) {
        var rest = words[...]
        if rest.first == "--" {
            rest.removeFirst()
        } else if let first = rest.first, first.hasPrefix("-"), first != "-" {
            throw UsageProblem(
                field: first,
                problem: "unknown option of run; options come before the host, the command after it"
                    + suggestions(first))
        }
        guard let destination = rest.popFirst() else {
            throw UsageProblem(field: "destination", problem: "it is missing; write: `bridge-ssh run [user@]host command`")
        }
        if rest.first == "--" { rest.removeFirst() }
        return (destination, Array(rest))
    }
}

extension RunOptions {
    fileprivate var request: RunCommandRequest {
        var request = RunCommandRequest()
        request.options = execution.commandOptions
        if let limit = output.outputLimit { request.options.outputLimit = limit.value }
        request.wantsTerminal = execution.tty
        request.retry = RetryPlan(retry, waiting)
        return request
    }
}

extension OutputStyle {
    /// The style from the options, or else from ssh's configuration (LogLevel).
    fileprivate init(_ options: OutputOptions, _ settings: HostSettings) {
        self = options.style
        quiet = options.quiet || (settings.isQuiet && options.verbose == 0)
        verbosity = max(options.verbose, options.quiet ? 0 : settings.verbosity)
    }
}

/// How long a run's connection is kept, and which other runs may share it.
struct PersistPlan: Equatable {
    /// Seconds without a command after which the connection ends.
    let keepFor: Double
    /// The host's name as typed.
    let named: String
    let identity: ConnectionIdentity

    init(keepFor: KeepTime, named: String, _ access: AccessPlan, _ options: RunOptions) {
        self.keepFor = keepFor.seconds
        self.named = named
        let secrets = [options.credentials.passwordFile ?? "", options.keys.passphraseFile ?? ""]
        identity = ConnectionIdentity(
            access.endpoint, access.configuration,
            circumstances: secrets + (Self.dependsOnDirectory(access.configuration, secrets) ? [Self.directory] : []))
    }

    /// Whether the settings contain relative paths, so that they mean something else in another directory.
    ///
    /// - Parameter secrets: the files of secrets; an empty text for none, `-` for the terminal.
    static func dependsOnDirectory(_ configuration: SSHConnectionConfiguration, _ secrets: [String] = []) -> Bool {
        let paths =
            secrets.filter { !$0.isEmpty && $0 != "-" }
            + configuration.credentials.identities.map(\.path) + configuration.credentials.certificates
            + [configuration.credentials.agentSocket].compactMap { $0 }
            + configuration.knownHosts.user + configuration.knownHosts.system + configuration.knownHosts.revoked
        return configuration.proxyCommand != nil || paths.contains { !$0.hasPrefix("/") }
            || configuration.jumpHosts.contains { dependsOnDirectory($0.configuration) }
    }

    private static var directory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }
}

extension InputSource {
    /// - Throws: `UsageProblem` if the options contradict each other.
    ///
    /// - Parameter isNull: the value of StdinNull in ssh's configuration; an option takes precedence.
    init(_ options: ExecutionOptions, isNull: Bool = false) throws {
        switch options.stdin {
        case nil: self = options.noInput || isNull ? .none : .inherited
        case "none": self = .none
        case let path? where options.noInput:
            throw UsageProblem(field: "--stdin", problem: "\(path) contradicts -n, which lets the command read nothing; drop one")
        case "-": self = .inherited
        case let path?: self = .file(path)
        }
    }
}
