internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// What is asked for once, before the first host is begun: passwords, passphrases, and host keys that are not known.
struct HostPreparation {
    let hosts: HostOptions
    /// What the connections are for.
    let session: SSHConfigSession
    let limits: FleetLimits
    let isQuiet: Bool

    /// - Throws: `UsageProblem`; `SSHError`; `CancellationError`.
    func perform(_ named: [NamedHost], in environment: LaunchEnvironment) async throws -> HostAccess.Secrets {
        var secrets = try await HostAccess.secrets(hosts, in: environment)
        // With a person the file of known hosts may be one that their answer makes.
        let access = HostAccess(
            hosts, command: SSHCommandOptions(), session: session, in: environment, secrets, mayAsk: environment.canAsk)
        try await CommonFault.check(named, access, willAsk: environment.canAsk)
        guard environment.canAsk else { return secrets }
        var locked = EncryptedKeyFiles()
        var targets = TrustTargets(.questionable)
        for host in named {
            let reach = try access.reach(host)
            if reach.mayAsk { locked.add(reach.configuration) }
            targets.add(host.name, reach.endpoint, reach.configuration)
        }
        secrets.openedKeys = try await locked.opened()
        try await settleHostKeys(targets, secrets.openedKeys)
        return secrets
    }

    /// What all hosts wait for one: a server that is there answers sooner, and one that is not is the run's to report.
    private static let patience = Duration.seconds(4)

    /// Hosts whose keys are not accepted are begun all the same, and end with `ssh.host-key.unknown`.
    private func settleHostKeys(_ targets: TrustTargets, _ openedKeys: OpenedKeys) async throws {
        let unknown = targets.rounds.flatMap { $0 }.flatMap(\.hosts)
        guard !unknown.isEmpty else { return }
        if !isQuiet { FleetProcess.note("\(Amounts.hosts(unknown.count)) not known: looking at their keys first") }
        var conversation = TrustConversation(
            limits: limits, confirming: .asking, mayAsk: true, showsTable: false, openedKeys: openedKeys
        ) { keys, hosts in
            "Remember \(keys == 1 ? "this key" : "these \(keys) keys") of \(Amounts.hosts(hosts))? Compare the fingerprints first; "
                + "no leaves \(hosts == 1 ? "the host" : "the hosts") out. Type yes or no: "
        }
        conversation.patience = Self.patience
        let reviews = try await conversation.perform(targets)
        guard !isQuiet else { return }
        FleetProcess.say(TrustSummary(reviews, folded: Folding.names).written)
        let silent = TrustSummary(reviews, folded: Folding.names).silent
        if !silent.isEmpty {
            FleetProcess.note(
                "no host key came within \(Self.patience.components.seconds) s from \(Folding.names(silent)), which this run does "
                    + "not wait for; bridge-ssh fleet trust does")
        }
    }
}

extension HostSelectionOptions {
    /// The hosts that an expression names, each with what an inventory says of how it is reached.
    ///
    /// - Parameters:
    ///   - journal: what `--journal` says, for `@run:`.
    ///   - configuration: what `-F` says, for `@ssh`.
    /// - Returns: the hosts, and what the person should know.
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
            if noInventoryCommands { try InventoryArguments.refuseCommands(named) }
            return named
        }
        return (hosts, resolved.notices)
    }
}

/// Has OpenSSH's ssh connect to a host, and run the program there.
struct OpenSSHHostWork: HostWork {
    let job: FleetJob
    let reaches: HostAccessTable
    /// Those of options.
    let variables: [(name: String, value: String)]

    func perform(_ attempt: HostAttempt) async -> AttemptReport {
        var report = AttemptReport(.cancelled(signal: nil))
        let timeline = Timeline(observer: nil)
        do {
            let (route, options, credentials) = try reaches.route(attempt.host)
            report.endpoint = route.endpoint
            // ssh sends the command as soon as it is logged in: that it may be sent has to be durable before.
            if job.command != nil { try await attempt.arm() }
            let call = OpenSSHHostCall(
                route, command: job.command, variables: variables, options, credentials, attempt.control, timeline: timeline)
            report.end = await call.perform(attempt.sinks, input: job.input.reader()) { await attempt.loggedIn() }
        } catch {
            report.end = attempt.control.end(of: error)
        }
        report.ranNothing = job.command == nil
        report.timings = timeline.timings
        return report
    }
}
