internal import BridgeSSH
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun

/// Asks, once and before the first host begins, for passwords, passphrases, and the confirmation of unknown host keys.
struct HostPreparation {
    let hosts: HostOptions
    /// The purpose of the connections.
    let session: SSHConfigSession
    let limits: FleetLimits
    let isQuiet: Bool

    /// - Throws: `UsageProblem`; `SSHError`; `CancellationError`.
    func perform(_ named: [NamedHost], in environment: LaunchEnvironment) async throws -> HostAccess.Secrets {
        var secrets = try await HostAccess.secrets(hosts, in: environment)
        // If a person can be asked, their answer may create the missing known_hosts file.
        let access = HostAccess(
            hosts, command: SSHCommandOptions(), session: session, in: environment, secrets, mayAsk: environment.canAsk)
        try await SharedFailure.check(named, access, willAsk: environment.canAsk)
        guard environment.canAsk else { return secrets }
        var locked = EncryptedKeyFiles()
        var targets = TrustTargets(.questionable)
        for host in named {
            let connection = try access.connection(to: host)
            if connection.mayAsk { locked.add(connection.configuration) }
            targets.add(host.name, connection.endpoint, connection.configuration)
        }
        secrets.openedKeys = try await locked.opened()
        try await settleHostKeys(targets, secrets.openedKeys)
        return secrets
    }

    /// How long all hosts may wait for one. A live server answers sooner, and the run will report one that does not answer.
    private static let timeLimit = Duration.seconds(4)

    /// Hosts whose keys are not accepted still begin, and end with `ssh.host-key.unknown`.
    private func settleHostKeys(_ targets: TrustTargets, _ openedKeys: OpenedKeys) async throws {
        let unknown = targets.rounds.flatMap { $0 }.flatMap(\.hosts)
        guard !unknown.isEmpty else { return }
        if !isQuiet { FleetProcess.note("\(Formatted.hosts(unknown.count)) not known: looking at their keys first") }
        var conversation = HostKeyConfirmation(
            limits: limits, confirming: .asking, mayAsk: true, showsTable: false, openedKeys: openedKeys
        ) { keys, hosts in
            "Remember \(keys == 1 ? "this key" : "these \(keys) keys") of \(Formatted.hosts(hosts))? Compare the fingerprints first; "
                + "no leaves \(hosts == 1 ? "the host" : "the hosts") out. Type yes or no: "
        }
        conversation.timeLimit = Self.timeLimit
        let reviews = try await conversation.perform(targets)
        guard !isQuiet else { return }
        FleetProcess.say(TrustSummary(reviews, folded: Folding.names).written)
        let silent = TrustSummary(reviews, folded: Folding.names).silent
        if !silent.isEmpty {
            FleetProcess.note(
                "no host key came within \(Self.timeLimit.components.seconds) s from \(Folding.names(silent)), which this run does "
                    + "not wait for; bridge-ssh fleet trust does")
        }
    }
}

extension HostSelectionOptions {
    /// The hosts of an expression, with the inventory's settings for reaching them.
    ///
    /// - Parameters:
    ///   - journal: the value of `--journal`, for `@run:`.
    ///   - configuration: the value of `-F`, for `@ssh`.
    /// - Returns: the hosts, and notices for the person.
    /// - Throws: `HostSetProblem`.
    func named(_ expression: String, journal: String?, configuration: String?) throws -> (hosts: [NamedHost], notices: [String]) {
        let sources = try sources(for: [expression] + exclude, .ofThisProcess(journal: journal, configuration: configuration))
        let resolved = try select(expression, from: sources)
        let hosts = try resolved.hosts.map { host in
            var named = NamedHost(name: host.name)
            let variables = try sources.inventory?.variables(of: host.name)
            named.user = host.user ?? variables?.user
            named.port = host.port ?? variables?.port
            named.address = variables?.address
            named.identity = variables?.identityFile
            named.arguments = variables?.commonArguments ?? []
            if noInventoryCommands { try InventoryCommands.refuse(named) }
            return named
        }
        return (hosts, resolved.notices)
    }
}

/// Lets OpenSSH's ssh connect to a host and run the program there.
struct OpenSSHHostRunner: HostRunner {
    let job: FleetJob
    let accessTable: HostAccessTable
    /// The environment variables from the options.
    let variables: [(name: String, value: String)]
    private let unknownKeys = UnknownHostKeys()

    init(job: FleetJob, accessTable: HostAccessTable, variables: [(name: String, value: String)]) {
        (self.job, self.accessTable, self.variables) = (job, accessTable, variables)
    }

    func perform(_ attempt: HostAttempt) async -> AttemptReport {
        var report = AttemptReport(.cancelled(signal: nil))
        let secrets = KnownSecrets()
        job.sudo?.known.map { secrets.add($0) }
        let timeline = Timeline(observer: nil, secrets: secrets)
        do {
            let (route, options, credentials) = try accessTable.route(attempt.host)
            report.endpoint = route.endpoint
            // ssh sends the command right after the login, so the journal must record it durably before.
            if job.command != nil { try await attempt.arm() }
            func carry(
                _ command: String?, _ sinks: (any OutputSink, any OutputSink), _ input: @escaping SudoConversation.Input
            ) async -> RunOutcome.End {
                let call = OpenSSHHostCall(
                    route, command: command, variables: variables, options, credentials, attempt.control, timeline: timeline,
                    unknownKeys: unknownKeys)
                return await call.perform(sinks, input: input) { await attempt.loggedIn() }
            }
            if let command = job.command, let password = job.sudo {
                let sudo = SudoConversation(
                    HostSudoPermit(attempt: attempt), password: password, secrets, input: job.input.reader(), to: attempt.sinks.1)
                report.end = try await sudo.perform(at: route.endpoint) { sudo in
                    await carry(sudo.command(command), (attempt.sinks.0, sudo), { try await sudo.nextInput() })
                }
            } else {
                report.end = await carry(job.command, attempt.sinks, job.input.reader())
            }
        } catch {
            report.end = attempt.control.end(of: error)
        }
        report.ranNothing = job.command == nil
        report.timings = timeline.timings
        return report
    }
}
