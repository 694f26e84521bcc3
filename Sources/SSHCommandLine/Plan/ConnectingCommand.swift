import BridgeSSH
import SSHRun

/// A subcommand that connects to a host.
protocol ConnectingCommand {
    var connection: ConnectionOptions { get }
    var prompts: PromptOptions { get }
    var files: ConfigurationOptions { get }
    var trust: TrustOptions { get }
    var credentials: CredentialOptions { get }
}

extension ConnectingCommand {
    /// What the options ask for.
    func accessRequest(home: String, session: SSHConfigSession = .command("")) -> AccessRequest {
        var request = AccessRequest()
        request.session = session
        request.user = connection.user
        request.port = connection.port?.value
        request.configuration = files.source(home: home)
        request.settings = files.settings(jump: connection.jump)
        request.connectTimeout = connection.connectTimeout?.duration
        request.keepaliveInterval = connection.keepalive?.duration
        request.addressFamily = connection.family?.addressFamily
        request.isBatch = prompts.batch
        request.knownHosts = trust.knownHosts
        request.hostKeyPolicy = trust.hostKeyPolicy
        request.agent = credentials.agent.map { $0 == "none" ? .none : .socket($0) }
        request.identities = credentials.identity
        request.reachOptions = reachOptions
        request.identitiesOnly = credentials.identitiesOnly
        return request
    }
}

extension ConnectingCommand {
    private var reachOptions: ReachOptions {
        ReachOptions(
            shared: (files.config.map { ["-F", $0] } ?? []) + trust.knownHosts.flatMap { ["--known-hosts", $0] },
            own: (connection.jump.map { ["-J", $0] } ?? []) + files.option.flatMap { ["-o", $0] }
                + (connection.port.map { ["-p", "\($0.value)"] } ?? []) + (connection.user.map { ["-l", $0] } ?? []))
    }
}

extension AccessPlan {
    /// - Parameter settings: ssh's configuration for the host; see ``settings(_:for:launchEnvironment:)``.
    /// - Throws: `UsageProblem`.
    init(_ command: some ConnectingCommand, _ settings: HostSettings, launchEnvironment: LaunchEnvironment) throws {
        let options = command.credentials
        try self.init(
            command.accessRequest(home: launchEnvironment.home), settings, in: launchEnvironment,
            secrets: { try CommandLineSecrets(options, mayAsk: $0) })
    }

    /// ssh's configuration for a destination that was named with options beside it.
    ///
    /// - Throws: `UsageProblem`.
    static func settings(
        _ command: some ConnectingCommand, for destination: String, session: SSHConfigSession = .command(""),
        launchEnvironment: LaunchEnvironment
    ) throws -> HostSettings {
        let request = command.accessRequest(home: launchEnvironment.home, session: session)
        return try HostConfigurations(request, in: launchEnvironment).settings(for: destination)
    }

    /// Asks the person; nil where prompts are disabled.
    var questioner: (any Questioner)? { mayAsk ? QuestionerChoice.ofThisProcess.questioner : nil }
}
