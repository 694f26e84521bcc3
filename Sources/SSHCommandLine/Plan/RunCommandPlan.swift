import BridgeSSH
import SSHRun

/// Everything that `run` takes from its options, ssh's configuration and the environment; except for ssh's configuration nothing
/// has been opened or read yet.
struct RunCommandPlan {
    /// The destination as it was typed.
    let destination: String
    let run: RunPlan
    let input: InputSource
    let output: OutputStyle
    /// The variables that were asked for by an option.
    let variables: [String]
    /// The key files that were asked for by an option.
    let identities: [String]
    /// Nil for a connection that ends with the run.
    let persistence: Persistence?
    /// What makes the connection.
    let maker: ConnectionMaker
    /// The variables of options, with their values.
    let ownVariables: [(name: String, value: String)]
    private let home: String
    /// How ssh is told to reach the host. Made where it is wanted: most runs are by libssh2.
    var route: OpenSSHRoute {
        OpenSSHRoute(access.request, at: access.endpoint, access.configuration, home: home, mayAsk: access.mayAsk)
    }

    var access: AccessPlan { run.access }
    var endpoint: SSHEndpoint { access.endpoint }

    /// - Parameters:
    ///   - needsCommand: whether it is for a command; a copy has none, and leaves RemoteCommand alone as scp(1) does.
    ///   - suggestions: what is said of an option that there is not.
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
                mostBytes: options.via.maker.longestCommand) : ""
        let access = try AccessPlan(options, settings, launchEnvironment: launchEnvironment)
        persistence = options.persist.persist.map { Persistence(keepFor: $0, named: destination, access, options.credentials) }
        input = try InputSource(options.execution, isNull: settings.resolved.isOn("stdinnull"))
        variables = options.execution.env.map(\.name)
        identities = options.credentials.identity.map { HomePath.expand($0, home: launchEnvironment.home) }
        var run = RunPlan(options.request, command: command, access, settings, in: launchEnvironment)
        maker = options.via.maker
        if maker == .ssh {
            try ViaOptions.check(
                run.commandOptions, wantsTerminal: needsCommand && run.wantsTerminal, persists: persistence != nil,
                isRoot: options.sudo.isAskedFor)
        }
        if let password = try options.sudo.password(for: destination, asking: access.questioner) {
            try Self.check(options, wantsTerminal: needsCommand && run.wantsTerminal)
            run.sudo = RunSudo(password)
        }
        self.run = run
        ownVariables = options.execution.env.map { ($0.name, $0.value) }
        home = launchEnvironment.home
    }

    /// What does not go together with sudo.
    private static func check(_ options: RunOptions, wantsTerminal: Bool) throws {
        if wantsTerminal {
            throw UsageProblem(
                field: "--sudo",
                problem:
                    "with a terminal sudo asks there; write -T to have none, or leave --sudo out and run `sudo COMMAND` with -t")
        }
        if options.persist.persist != nil {
            throw UsageProblem(
                field: "--sudo",
                problem: "a connection that is kept has no way for sudo's question; leave --persist or --sudo out")
        }
    }

    /// The destination and the command's words. An option that the parser does not know comes first here.
    static func split(
        _ words: [String], suggestions: (String) -> String
    ) throws -> (destination: String, command: [String]) {
        var rest = words[...]
        if rest.first == "--" {
            rest.removeFirst()
        } else if let first = rest.first, first.hasPrefix("-"), first != "-" {
            throw UsageProblem(
                field: first,
                problem: "there is no such option of run; options stand before the host, the command after it"
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
    /// What they ask for the command.
    fileprivate var request: RunCommandRequest {
        var request = RunCommandRequest()
        request.options = execution.commandOptions
        if let limit = output.outputLimit { request.options.outputLimit = limit.value }
        request.wantsTerminal = execution.tty
        request.retry = retry.plan
        return request
    }
}

extension OutputStyle {
    /// As the options say, or else ssh's configuration (LogLevel).
    fileprivate init(_ options: OutputOptions, _ settings: HostSettings) {
        self = options.style
        quiet = options.quiet || (settings.isQuiet && options.verbose == 0)
        verbosity = max(options.verbose, options.quiet ? 0 : settings.verbosity)
    }
}
