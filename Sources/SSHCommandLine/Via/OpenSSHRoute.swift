package import BridgeSSH
package import SSHRun

/// The route of OpenSSH's ssh to a host: the arguments and the configuration that express bridge-ssh's options. ssh reads its
/// own configuration files itself.
package struct OpenSSHRoute: Sendable {
    package let endpoint: SSHEndpoint
    /// The host's name as typed, by which ssh finds its settings.
    let named: String
    /// The options before the destination.
    let options: [String]
    /// The configuration for ssh and the ssh processes of its jump hosts: the shared settings, then the configuration's own
    /// files.
    let configuration: Configuration

    /// The lines of a configuration, with a file of the caller's among them.
    struct Configuration {
        fileprivate(set) var before: [String]
        /// The file's path; nil for none.
        fileprivate(set) var file: String?
        fileprivate(set) var after: [String] = []

        /// - Parameter link: a link to the file. In the file's own path, ssh would expand patterns, and since 10.0 tokens and variables
        ///   (ssh_config(5), Include).
        func text(including link: String) -> String {
            let lines = before + (file == nil ? [] : ["Include \(OpenSSHRoute.quoted(link, hasTokens: false))"]) + after
            return lines.map { $0 + "\n" }.joined()
        }
    }
    let timeout: Duration
    let policy: SSHHostKeyPolicy
    /// The known_hosts files. Files from options must exist; ssh would treat a missing file as empty.
    let knownHosts: SSHKnownHostsFiles
    let mayAsk: Bool
    /// The settings that decide which key the server presents; nil if a program or another host decides.
    let hostKeyRequest: OpenSSHHostKeyRequest?
    let trustedName: (host: String, port: Int)
    /// The options that a remedy's command has to repeat.
    let reachOptions: [String]
    private let sessionSettings: [String]

    /// - Parameters:
    ///   - address: the address to connect to in place of the name.
    ///   - home: the home directory for the configuration.
    package init(
        _ request: AccessRequest, at endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, address: String? = nil,
        home: String, mayAsk: Bool
    ) {
        self.endpoint = endpoint
        named = endpoint.name.isEmpty ? endpoint.host : endpoint.name
        self.mayAsk = mayAsk
        knownHosts = configuration.knownHosts
        timeout = configuration.timeouts.connect
        reachOptions = configuration.reachOptions
        sessionSettings = request.sessionSettings
        hostKeyRequest = OpenSSHHostKeyRequest(endpoint, configuration)
        trustedName = configuration.knownHostName(of: endpoint)
        let shared = Self.shared(request, home: home)
        var own: [String] = []
        policy = !mayAsk && configuration.hostKeyPolicy == .ask ? .strict : configuration.hostKeyPolicy
        own.append("StrictHostKeyChecking=\(policy == .strict ? "yes" : policy.rawValue)")
        if let keepalive = configuration.keepalive {
            own += ["ServerAliveInterval=\(Self.seconds(keepalive.interval))", "ServerAliveCountMax=\(keepalive.countMax)"]
        }
        if request.identitiesOnly { own.append("IdentitiesOnly=yes") }
        if let address { own.append("HostName=\(address)") }
        if home != LocalAccount.current()?.home { own += Self.files(request, configuration) }
        own += ["ControlMaster=no", "ClearAllForwardings=yes", "RemoteCommand=none"]
        let identities = request.identities.flatMap { ["-i", HomePath.expand($0, home: home)] }
        options =
            ["-l", endpoint.user, "-p", "\(endpoint.port)"] + (shared + own).flatMap { ["-o", $0] } + identities
            + request.settings.flatMap { ["-o", $0] }
        // Jump hosts get no password.
        var ownFiles = Configuration(before: shared + (mayAsk ? [] : Self.unanswered))
        var lines: [String] = []
        switch request.configuration {
        case SSHConfigSource.none?: break
        case .file(let path)?: ownFiles.file = LocalPath.absolute(path)
        case .standard?, nil:
            ownFiles.file = home + "/.ssh/config"
            lines.append("Include /etc/ssh/ssh_config")
        }
        // bridge-ssh's defaults come last, for settings that no configuration has.
        lines.append("Match all")
        if !mayAsk { lines.append("StrictHostKeyChecking=yes") }
        let known = ["known_hosts", "known_hosts2"].map { Self.quoted("\(home)/.ssh/\($0)") }
        lines.append("UserKnownHostsFile=\(known.joined(separator: " "))")
        ownFiles.after = lines
        self.configuration = ownFiles
    }

    /// The files that the configuration finds in another home directory than that of the user database, where ssh would look.
    private static func files(_ request: AccessRequest, _ configuration: SSHConnectionConfiguration) -> [String] {
        let credentials = configuration.credentials
        var identities = credentials.identities.map(\.path).filter { !request.identities.contains($0) }
        if credentials.identities.allSatisfy(\.isDefault) {
            identities = identities.filter { access($0, F_OK) == 0 }
            // Without them, ssh would use its own defaults.
            if identities.isEmpty { identities = ["none"] }
        }
        var settings = identities.map { "IdentityFile=\(quoted($0))" }
        settings += credentials.certificates.map { "CertificateFile=\(quoted($0))" }
        if request.knownHosts.isEmpty {
            let known = configuration.knownHosts.user.map { quoted($0) }.joined(separator: " ")
            settings.append("UserKnownHostsFile=\(known.isEmpty ? "none" : known)")
        }
        return settings
    }

    /// The settings that apply to jump hosts too.
    private static func shared(_ request: AccessRequest, home: String) -> [String] {
        var settings: [String] = []
        if let policy = request.hostKeyPolicy {
            settings.append("StrictHostKeyChecking=\(policy == .strict ? "yes" : policy.rawValue)")
        }
        if !request.knownHosts.isEmpty {
            let files = request.knownHosts.map { quoted(HomePath.expand($0, home: home)) }
            settings += ["UserKnownHostsFile=\(files.joined(separator: " "))", "GlobalKnownHostsFile=/dev/null"]
        }
        switch request.agent {
        case .none?: settings.append("IdentityAgent=none")
        case .socket(let path)?: settings.append("IdentityAgent=\(quoted(path))")
        case nil: break
        }
        switch request.addressFamily {
        case .ipv4?: settings.append("AddressFamily=inet")
        case .ipv6?: settings.append("AddressFamily=inet6")
        default: break
        }
        return settings
    }

    /// Disables methods whose questions ssh would answer with an empty text.
    private static let unanswered = ["PasswordAuthentication=no", "KbdInteractiveAuthentication=no"]

    private static func seconds(_ duration: Duration) -> Int { max(1, Int(duration.boundedSeconds.rounded(.up))) }

    /// A path quoted for ssh's configuration, without expansion of tokens (ssh_config(5), TOKENS; misc.c: argv_split).
    fileprivate static func quoted(_ path: String, hasTokens: Bool = true) -> String {
        let inner = path.reduce(into: "") { text, character in
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "%": text += hasTokens ? "%%" : "%"
            default: text.append(character)
            }
        }
        return "\"\(inner)\""
    }

    /// ssh's arguments for a call.
    ///
    /// - Parameters:
    ///   - asks: whether ssh may ask questions.
    ///   - hasPassword: whether a password is available.
    ///   - isAlone: whether to use no connection that another ssh keeps.
    ///   - hasTerminal: whether the command gets a terminal. Its escape character is bridge-ssh's own.
    func arguments(
        _ call: OpenSSHRequest, _ log: LogRequest, in place: OpenSSHDirectory, asks: Bool, hasPassword: Bool, isAlone: Bool,
        hasTerminal: Bool
    ) -> [String] {
        var manner = ["BatchMode=\(asks ? "no" : "yes")"]
        if isAlone { manner.append("ControlPath=none") }
        if hasTerminal { manner.append("EscapeChar=none") }
        // Before the settings of the caller: the first one counts, and -s and -N refuse another one before them.
        manner += sessionSettings.map { $0 == "sessiontype" ? "SessionType=\(call.sessionType)" : "\($0)=no" }
        if !mayAsk {
            manner.append("NumberOfPasswordPrompts=1")
            // Only one method: a refused password must not be sent again by another method.
            manner +=
                hasPassword
                ? [
                    "PasswordAuthentication=yes", "KbdInteractiveAuthentication=yes",
                    "PreferredAuthentications=gssapi-with-mic,hostbased,publickey,password,keyboard-interactive",
                ] : Self.unanswered
        }
        let place = [hasTerminal ? "-tt" : "-T", "-E", place.log.path, "-F", place.configuration]
        return place + log.options + manner.flatMap { ["-o", $0] } + options
            + call.options + ["--", named] + (call.text.isEmpty ? [] : [call.text])
    }
}

/// The request for a session.
enum OpenSSHRequest: Sendable {
    /// The command, with variables that are set for it.
    case command(String, [(name: String, value: String)])
    /// - Parameter watchesServer: whether ssh sends keepalives.
    case subsystem(String, watchesServer: Bool)
    /// Only log in.
    case login

    var options: [String] {
        switch self {
        case .command(_, let variables):
            guard !variables.isEmpty else { return [] }
            // All variables in one setting: ssh uses only the first.
            let words = variables.map { variable in
                let text = "\(variable.name)=\(variable.value)"
                return "\"" + text.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) } + "\""
            }
            return ["-o", "SetEnv=\(words.joined(separator: " "))"]
        case .subsystem(_, let watchesServer):
            return ["-s"] + (watchesServer ? ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"] : [])
        case .login: return ["-N"]
        }
    }

    fileprivate var sessionType: String {
        switch self {
        case .command: "default"
        case .subsystem: "subsystem"
        case .login: "none"
        }
    }

    var text: String {
        switch self {
        case .command(let text, _), .subsystem(let text, _): text
        case .login: ""
        }
    }
}

/// Carries an attempt to its host by OpenSSH's ssh.
struct OpenSSHCarrier: CommandCarrier {
    let route: OpenSSHRoute
    /// The variables from options.
    let variables: [(name: String, value: String)]
    /// Opens the command's input, once for each attempt.
    let input: @Sendable () throws -> CommandInput

    func perform(_ attempt: RunAttempt) async -> RunOutcome {
        attempt.control.isConnected(false)
        let timeline = attempt.timeline()
        var outcome: RunOutcome
        do {
            let credentials = try await attempt.access.configuration().credentials
            let input = try input()
            let end: RunOutcome.End
            if let sudo = attempt.plan.sudo {
                end = try await attempt.performAsRoot(sudo, input) { command, input, streams in
                    await carry(command, input, streams, attempt, credentials, timeline)
                }
            } else {
                let reader = RunInput(input, wantsTerminal: attempt.plan.wantsTerminal, use: attempt.inputUse).reader
                let counted = CommandInput(next: reader, isRepeatable: true, isTerminal: input.isTerminal)
                end = await carry(attempt.plan.command, counted, attempt.streams, attempt, credentials, timeline)
            }
            outcome = RunOutcome(end: attempt.control.named(end))
        } catch {
            outcome = RunOutcome(end: attempt.end(by: error))
        }
        (outcome.standardOutput, outcome.standardError) = attempt.streams.collected
        outcome.timings = timeline.timings
        return outcome
    }

    private func carry(
        _ command: String, _ input: CommandInput, _ output: RunStreams, _ attempt: RunAttempt, _ credentials: SSHCredentials,
        _ timeline: Timeline
    ) async -> RunOutcome.End {
        let call = OpenSSHCall(
            route: route, request: .command(command, variables), timeline: timeline, control: attempt.control,
            log: attempt.context.log, options: attempt.commandOptions, credentials: credentials, known: attempt.secrets)
        var streams = OpenSSHCall.Streams(output: output, input: input)
        streams.began = { attempt.began($0, inputIsTerminal: input.isTerminal) }
        return await call.perform(streams)
    }
}

/// One attempt on a host of a fleet, made by OpenSSH's ssh.
package struct OpenSSHHostCall: Sendable {
    private let call: OpenSSHCall

    /// - Parameters:
    ///   - command: nil to log in and run nothing.
    ///   - variables: the variables from options.
    ///   - unknownKeys: those of the run.
    package init(
        _ route: OpenSSHRoute, command: String?, variables: [(name: String, value: String)], _ options: SSHCommandOptions,
        _ credentials: SSHCredentials, _ control: RunControl, timeline: Timeline, unknownKeys: UnknownHostKeys
    ) {
        let known = timeline.secrets
        call = OpenSSHCall(
            route: route, request: command.map { .command($0, variables) } ?? .login, timeline: timeline, control: control,
            log: SilentLog(), options: options, credentials: credentials, known: known, unknownKeys: unknownKeys)
    }

    /// - Parameters:
    ///   - input: the command's input.
    ///   - running: called when the host has accepted the login and the command runs.
    package func perform(
        _ sinks: (any OutputSink, any OutputSink), input: @escaping @Sendable () async throws -> [UInt8]?,
        running: @escaping @Sendable () async -> Void
    ) async -> RunOutcome.End {
        var streams = OpenSSHCall.Streams(output: .passing(sinks.0, sinks.1))
        streams.input = CommandInput(next: input, isRepeatable: true, isTerminal: false)
        streams.running = running
        return await call.perform(streams)
    }
}

/// The unknown host keys that servers presented to the ssh processes of one run.
package typealias UnknownHostKeys = SharedAnswers<OpenSSHHostKeyRequest, SSHHostKeyEvidence>

/// What decides which key a server presents to ssh, if no key of the host is known.
package struct OpenSSHHostKeyRequest: Hashable, Sendable {
    private let server: String
    private let way: [String]

    /// - Returns: nil if a program or another host decides.
    init?(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
        guard configuration.jumpHosts.isEmpty, configuration.proxyCommand == nil, configuration.knownHostsCommand == nil else {
            return nil
        }
        server = endpoint.place
        way = ["\(configuration.addressFamily)"] + configuration.algorithms.hostKey
    }
}

extension OpenSSHCall {
    /// Runs ssh, unless the host is refused with any key, and another host of the run was shown a key at the same address.
    func observe(_ streams: Streams) async -> (end: RunOutcome.End, watch: OpenSSHMonitor?) {
        guard let keys = unknownKeys, let request = route.hostKeyRequest, await isRefusedAnyway() else {
            return await connect(streams)
        }
        if let key = await keys.wait(for: request) {
            timeline.notice("not connected: another host of this run was shown this key at the same address")
            return (.failed(refusal(of: key)), nil)
        }
        let (end, watch) = await connect(streams)
        var key: SSHHostKeyEvidence?
        if case .failed(let error) = end, error.code == .hostKeyUnknown { key = error.evidence.hostKey }
        keys.settle(request, key)
        return (end, watch)
    }

    /// Whether an unknown key is not accepted, and no line, also of an authority, is about the host.
    private func isRefusedAnyway() async -> Bool {
        guard route.policy == .strict, let known = try? route.knownHosts.load(policy: .strict) else { return false }
        let name = route.trustedName
        return await known.lookUp { !$0.hasLine(of: [.trusted, .certificateAuthority], for: name.host, port: name.port) }
    }

    /// The verdict on an unknown host key in bridge-ssh's own words, which name the key and the command to type.
    func refusal(of key: SSHHostKeyEvidence) -> SSHError {
        var evidence = SSHEvidence(event: .hostKeyRejected, stage: .hostKey)
        place(&evidence)
        (evidence.hostKey, evidence.hostKeyReceived) = (key, true)
        return SSHFailureClassifier.classify(known.masking(evidence))
    }
}
