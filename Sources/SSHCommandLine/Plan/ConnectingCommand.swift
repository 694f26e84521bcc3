import BridgeSSH
import SSHRun

/// A command with the options for how a host is reached, trusted and logged in to.
package protocol AccessOptionGroups {
    var connection: ConnectionOptions { get }
    var files: ConfigurationOptions { get }
    var trust: TrustOptions { get }
    var credentials: CredentialOptions { get }
    var keys: KeyAccessOptions { get }
}

/// A subcommand that connects to a host.
protocol ConnectingCommand: AccessOptionGroups {
    var port: PortOptions { get }
    var prompts: PromptOptions { get }
    /// The SSH client that connects.
    var maker: ConnectionMaker { get }
}

extension ConnectingCommand {
    var maker: ConnectionMaker { .libssh2 }

    /// The request that the options describe.
    func accessRequest(home: String, session: SSHConfigSession = .command("")) -> AccessRequest {
        var request = AccessRequest()
        request.session = session
        request.user = connection.user
        request.port = port.port?.value
        request.configuration = files.source(home: home)
        request.settings = files.settings(jump: connection.jump)
        request.connectTimeout = connection.connectTimeout?.duration
        request.keepaliveInterval = connection.keepalive?.duration
        request.addressFamily = connection.family?.addressFamily
        request.isBatch = prompts.batch
        request.knownHosts = trust.knownHosts
        request.hostKeyPolicy = trust.hostKeyPolicy
        request.agent = keys.agent.map { $0 == "none" ? .none : .socket($0) }
        request.identities = credentials.identity
        request.reachOptions = reachOptions
        request.identitiesOnly = credentials.identitiesOnly
        request.isForOpenSSH = maker == .ssh
        return request
    }
}

extension ConnectingCommand {
    private var reachOptions: ReachOptions {
        ReachOptions(
            shared: (files.config.map { ["-F", $0] } ?? []) + trust.knownHosts.flatMap { ["--known-hosts", $0] },
            own: (connection.jump.map { ["-J", $0] } ?? []) + files.option.flatMap { ["-o", $0] }
                + (port.port.map { ["-p", "\($0.value)"] } ?? []) + (connection.user.map { ["-l", $0] } ?? []))
    }
}

extension AccessPlan {
    /// - Parameter settings: ssh's configuration for the host, from ``settings(_:for:launchEnvironment:)``.
    /// - Throws: `UsageProblem`.
    init(_ command: some ConnectingCommand, _ settings: HostSettings, launchEnvironment: LaunchEnvironment) throws {
        try self.init(
            command.accessRequest(home: launchEnvironment.home), settings, in: launchEnvironment,
            secrets: { try CommandLineSecrets(command.credentials, command.keys, mayAsk: $0) })
    }

    /// ssh's configuration for a destination and its options.
    ///
    /// - Throws: `UsageProblem`.
    static func settings(
        _ command: some ConnectingCommand, for destination: String, session: SSHConfigSession = .command(""),
        launchEnvironment: LaunchEnvironment
    ) throws -> HostSettings {
        let request = command.accessRequest(home: launchEnvironment.home, session: session)
        return try HostConfigurations(request, in: launchEnvironment).settings(for: destination)
    }

    /// The way to ask the person; nil if prompts are disabled.
    var questioner: (any Questioner)? { mayAsk ? QuestionerChoice.ofThisProcess.questioner : nil }
}

/// Secrets from the files that options name, or from the person who started this process.
struct CommandLineSecrets: AccessSecrets {
    let passwordSource: SecretSource?
    let passphraseSource: SecretSource?
    /// Nil if prompts are disabled.
    private let choice: QuestionerChoice?

    /// - Throws: `UsageProblem` if an option requires a prompt and no person can be asked.
    init(_ credentials: CredentialOptions, _ keys: KeyAccessOptions, mayAsk: Bool) throws {
        passwordSource = try SecretSource(credentials.passwordFile, option: "--password-file", mayAsk: mayAsk)
        passphraseSource = try SecretSource(keys.passphraseFile, option: "--passphrase-file", mayAsk: mayAsk)
        choice = mayAsk ? .ofThisProcess : nil
    }

    func password() async throws -> SSHSecret? { try await secret(passwordSource, "Password: ") }

    func passphrase() async throws -> SSHSecret? { try await secret(passphraseSource, "Passphrase: ") }

    var person: (any SSHInteraction)? { choice?.questioner.map { PersonInteraction(questioner: $0) } }

    private func secret(_ source: SecretSource?, _ prompt: String) async throws -> SSHSecret? {
        switch source?.place {
        case nil: return nil
        case .file(let path): return try source?.read(path)
        case .terminal:
            guard let secret = try await choice?.questioner?.ask(prompt, after: "", echo: false), !secret.isEmpty else {
                throw UsageProblem(field: source?.option ?? "", problem: "nothing was typed")
            }
            return secret
        }
    }
}
