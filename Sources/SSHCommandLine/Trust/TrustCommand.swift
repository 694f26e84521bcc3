import ArgumentParser
import BridgeSSH
import SSHRun

/// `bridge-ssh trust`: shows the keys of a host, and adds them to known_hosts.
struct TrustCommand: ParsableCommand, ConnectingCommand, LongRunningCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "trust",
            abstract: "Show a host's keys and fingerprints, ask, and write them to known_hosts.",
            usage: "bridge-ssh trust [<options>] [<user>@]<host>[:<port>]",
            discussion: """
                Asks the host for the key that a login would see, and shows its type, size, SHA256 fingerprint and picture, and its \
                status in known_hosts. trust does not log in. Then it asks whether to write the key if it is not known yet. It \
                writes nothing without confirmation on a terminal or by --yes, and never a revoked key.

                With --all-types it asks for the key of every type, as ssh-keyscan does, with one connection each; so it does with \
                --update, and with --yes until it has found the fingerprint. Then yes writes all keys that are not known, and a \
                fingerprint only that key.

                With --update a changed key replaces the known one. With --remove trust only removes the host's lines, and does not \
                connect. Both keep the old file as known_hosts.old, as ssh-keygen does.

                EXAMPLES
                  bridge-ssh trust web1
                  bridge-ssh trust -J gate db1
                  bridge-ssh trust --yes SHA256:AbC… deploy@web1:2222
                  bridge-ssh trust --update web1
                  bridge-ssh trust --remove web1

                EXIT STATUS
                  0        one of the host's keys is known now, and none of them contradicts known_hosts; with --remove, none of \
                its lines is left
                  193–199  that of run for the same failure; see bridge-ssh run --help
                  255      with --exit-codes ssh, every failure
                """)
    }

    @OptionGroup(title: "Host and user") var port: PortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "Host and user") var prompts: PromptOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "What to do") var action: TrustActionOptions
    @OptionGroup(title: "Authentication at jump hosts") var keys: KeyAccessOptions
    @OptionGroup(title: "Output and exit status") var output: TrustOutputOptions

    @Argument(help: ArgumentHelp("The host.", valueName: "[user@]host[:port]"), completion: .hosts)
    var destination: String

    /// trust does not log in to the host.
    var credentials: CredentialOptions { .unset }

    func validate() throws {
        if action.remove, action.update || !action.yes.isEmpty {
            throw ValidationError("--remove writes no key; leave --update and --yes out.")
        }
    }

    /// Runs the command, and reports everything before it returns.
    func perform() async -> SSHExitStatus {
        do {
            let plan = try TrustPlan(self, launchEnvironment: .current())
            return await SupervisedTrust(plan: plan).perform()
        } catch {
            let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)")
            let hints = ArgumentHints(
                .trust, destination: destination, json: output.json, convention: output.style.convention)
            return UsageReport(problem: problem, hints: hints, object: Self.failureObject).publish()
        }
    }

    /// The JSON object of a failure before the host was asked.
    static func failureObject(_ error: SSHError, _ hints: ArgumentHints) -> JSONValue {
        TrustOutcome(endpoint: SSHEndpoint(unchecked: "", port: 0, user: ""), error: error)
            .json(hints.convention, destination: hints.destination)
    }
}

/// The changes that `trust` may make.
struct TrustActionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the key with this fingerprint without asking; fails if the host has no such key. Repeatable.",
            valueName: "fingerprint"))
    var yes: [String] = []

    @Flag(help: "Ask for the host's key of every type, with one connection each.")
    var allTypes = false

    @Flag(help: "Replace a known key with the changed one, if it is confirmed.")
    var update = false

    @Flag(help: "Remove the host's lines from known_hosts, as ssh-keygen -R does.")
    var remove = false
}

/// The options for output and exit status.
struct TrustOutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object on standard output instead of the report.")
    var json = false

    @Option(
        help: ArgumentHelp("Exit statuses of failures: 193–199, or 255 as ssh.", valueName: "bridge|ssh"))
    var exitCodes: SSHExitStatus.Convention?

    @Flag(name: .shortAndLong, help: "Report each stage as it begins; twice: the evidence of a failure too.")
    var verbose: Int

    var style: OutputStyle {
        OutputStyle(json: json, verbosity: verbose, convention: exitCodes ?? .bridge)
    }
}

/// The host, and what `trust` may write.
struct TrustPlan: Sendable {
    /// The destination as it was typed.
    let destination: String
    let access: AccessPlan
    let updates: Bool
    let removes: Bool
    /// The fingerprints that `--yes` confirms.
    let confirmed: [String]
    /// The extent of the scan for the host's keys. A host that was set up again has new keys of every type.
    let extent: HostKeyScanner.KeySelection
    let output: OutputStyle

    /// - Throws: `UsageProblem`.
    init(_ command: TrustCommand, launchEnvironment: LaunchEnvironment) throws {
        destination = command.destination
        let settings = try AccessPlan.settings(
            command, for: command.destination, session: .none, launchEnvironment: launchEnvironment)
        access = try AccessPlan(command, settings, launchEnvironment: launchEnvironment)
        updates = command.action.update
        removes = command.action.remove
        confirmed = try command.action.yes.map { try ConfirmedFingerprints.checked($0) }
        extent =
            command.action.allTypes || updates ? .all : confirmed.isEmpty ? .first : .until(fingerprints: confirmed)
        output = command.output.style
    }
}

/// Scans a host's keys, gets them confirmed, and writes them.
struct TrustWork: Sendable {
    let plan: TrustPlan
    /// Whether the person sees standard output.
    let reportIsSeen: Bool

    private var files: SSHKnownHostsFiles { plan.access.configuration.knownHosts }

    /// - Parameter show: called with the keys before any prompt.
    /// - Throws: `SSHError`; `UsageProblem`; `CancellationError`; `SSHKnownHostsProblem` if nothing has been written.
    func perform(_ configuration: SSHConnectionConfiguration, show: (SSHHostKeyScan) -> Void) async throws -> TrustOutcome {
        var outcome = TrustOutcome(endpoint: plan.access.endpoint)
        let name = plan.knownHostName
        if plan.removes {
            outcome.removed = try files.remove(host: name.host, port: name.port)
            return outcome
        }
        let scan = try await SSHClient.hostKeys(
            of: plan.access.endpoint, configuration: configuration, sharing: nil, plan.extent)
        outcome.take(scan)
        show(scan)
        let unmatched = plan.confirmed.filter { wanted in !scan.offers.contains { $0.key.fingerprint == wanted } }
        if !unmatched.isEmpty, let first = scan.offers.first {
            outcome.error = first.failure(at: plan.access.endpoint, plan.access.configuration, expected: unmatched)
            return outcome
        }
        let open = scan.offers.filter { TrustOutcome.isWritable($0.verdict, updating: plan.updates) }
        let answer = try await confirmation(of: open, in: scan)
        for (index, offer) in scan.offers.enumerated() where answer.keys.contains(offer.key) {
            do {
                try write(offer, at: index, to: &outcome)
            } catch let problem as SSHKnownHostsProblem {
                // The outcome still reports the keys that were written before.
                outcome.error = problem.verdict(at: plan.access.endpoint)
                return outcome
            }
        }
        outcome.error = outcome.obstacle.map {
            $0.failure(at: plan.access.endpoint, plan.access.configuration, declined: answer.wasAsked)
        }
        return outcome
    }

    /// The confirmed keys, by options or else by the person.
    private func confirmation(
        of open: [SSHHostKeyScan.Offer], in scan: SSHHostKeyScan
    ) async throws -> (keys: [SSHHostKey], wasAsked: Bool) {
        if !plan.confirmed.isEmpty {
            return (open.map(\.key).filter { plan.confirmed.contains($0.fingerprint) }, false)
        }
        guard !open.isEmpty, let questioner = plan.access.questioner else { return ([], false) }
        let text =
            reportIsSeen && questioner.isTerminal
            ? ""
            : TrustReport.text(
                scan, named: plan.access.endpoint.name, pictures: questioner.isTerminal)
        let fingerprints = open.map(\.key.fingerprint)
        let answer = try await questioner.ask(
            TrustPrompt.question(about: open), again: TrustPrompt.again, after: text
        ) { HostKeyAnswer($0, to: fingerprints) }
        switch answer {
        case nil, .no: return ([], true)
        case .yes: return (open.map(\.key), true)
        case .fingerprint(let fingerprint): return (open.map(\.key).filter { $0.fingerprint == fingerprint }, true)
        }
    }

    private func write(_ offer: SSHHostKeyScan.Offer, at index: Int, to outcome: inout TrustOutcome) throws {
        let name = plan.knownHostName
        guard case .changed = offer.verdict else {
            switch try files.add(offer.key, host: name.host, port: name.port) {
            case .added(let place): outcome.actions[index] = .added(place)
            case .alreadyKnown: outcome.actions[index] = .kept
            case .contradicted: break
            }
            return
        }
        let replacement = try files.replace(with: [offer.key], host: name.host, port: name.port)
        if let place = replacement.added.first { outcome.actions[index] = .replaced(place) }
        outcome.removed += replacement.removed
    }
}

extension TrustPlan {
    var knownHostName: (host: String, port: Int) { access.configuration.knownHostName(of: access.endpoint) }
}

enum TrustPrompt {
    static let again = "Please type yes, no, or a whole fingerprint: "

    static func question(about open: [SSHHostKeyScan.Offer]) -> String {
        let replaces = open.contains { if case .changed = $0.verdict { true } else { false } }
        let keys = open.count == 1 ? "this key" : "these \(open.count) keys"
        let action = replaces ? "Replace the known keys with \(keys)?" : "Remember \(keys)?"
        return "\(action) Compare the fingerprints first. Type yes, no, or \(open.count == 1 ? "the" : "one") fingerprint: "
    }
}

/// `trust` from beginning to end, with signal handling and the report.
struct SupervisedTrust: Sendable {
    let plan: TrustPlan

    func perform() async -> SSHExitStatus {
        let log = StageLog(style: plan.output)
        return await SignalSupervision.perform {
            await attempt(log, $0)
        } unfinished: {
            TrustOutcome(endpoint: plan.access.endpoint, error: verdict(on: CancellationError(), $0))
        } publish: {
            publish($0)
        }
    }

    private func attempt(_ log: StageLog, _ control: RunControl) async -> TrustOutcome {
        let isJSON = plan.output.json
        let work = TrustWork(plan: plan, reportIsSeen: !isJSON && TerminalForm.of(1).isTerminal)
        do {
            let configuration = try await plan.access.completeConfiguration(log)
            return try await work.perform(configuration) { scan in
                if !isJSON { Console.show(TrustReport.text(scan, named: plan.access.endpoint.name)) }
            }
        } catch {
            return TrustOutcome(endpoint: plan.access.endpoint, error: verdict(on: error, control))
        }
    }

    private func verdict(on error: any Error, _ control: RunControl) -> SSHError {
        control.verdict(on: error, at: plan.access.endpoint, of: .trust)
    }

    private func publish(_ outcome: TrustOutcome) -> SSHExitStatus {
        let status = outcome.error?.exitStatus(plan.output.convention) ?? .success
        if plan.output.json {
            Console.standardOutput(outcome.json(plan.output.convention, destination: plan.destination))
            return status
        }
        let actions = TrustReport.actions(outcome)
        if !actions.isEmpty { Console.show((outcome.scan == nil ? "" : "\n") + actions) }
        if let error = outcome.error { FailureBanner.show(error, showsEvidence: plan.output.verbosity > 1) }
        return status
    }
}
