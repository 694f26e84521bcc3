internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet trust`: collects the host keys of all hosts, asks once and writes once.
struct FleetTrustCommand: FleetSubcommand, HostOptionGroups {
    static let name = "fleet trust"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "trust", abstract: "Show the keys of all hosts in one table, ask once, and write them to known_hosts.",
            usage: "bridge-ssh fleet trust [<options>] <hosts>",
            discussion: """
                Asks every host for the key that a login would see, many at once, and logs in to jump hosts only. The table has \
                a row for each key, or state, with the folded names of its hosts. Then it asks whether to write the keys of \
                unknown hosts: all of them, or none. Nothing is written without a yes, on a terminal or by --yes or \
                --fingerprints. With those it asks for keys of other types too, until a fingerprint matches; with --all-types \
                always.

                Hosts at one address and port are one server, which is asked once for each type.

                A host that is known by one of its keys needs nothing. A key that has changed, or is revoked, is never written: \
                `bridge-ssh trust --update` is for one host at a time. Jump hosts that are not known come first, with a table of their own.

                EXAMPLES
                  bridge-ssh fleet trust 'web[1-20]'
                  bridge-ssh fleet trust -J gate '@db'
                  bridge-ssh fleet trust --fingerprints keys.txt 'web[1-20]'

                EXIT STATUS
                  0        every host is known by one of its keys now, and none contradicts what is known
                  193–199  all other hosts have the same failure; its status, as for run
                  1        hosts have different failures, or only some failed
                  255      with --exit-codes ssh, every failure
                """)
    }

    @OptionGroup(title: "Which hosts") var selection: HostSelectionOptions
    @OptionGroup(title: "Host and user") var port: PortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "Trying again") var retry: RetryOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions

    @Option(
        help: ArgumentHelp(
            "Write the key that has this fingerprint, without asking; nothing is written if no host shows it. Repeatable.",
            valueName: "fingerprint"))
    var yes: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write the keys whose fingerprints are in this file, without asking; lines as ssh-keygen -l prints them.",
            valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var fingerprints: String?

    @Flag(help: "Ask for each host's key of every type, with one connection each.")
    var allTypes = false

    @Option(
        help: ArgumentHelp("Hosts at once; auto begins at 8 and adapts (auto).", valueName: "number|auto"))
    var parallel = "auto"

    @Option(help: ArgumentHelp("Begin at most this many hosts per second.", valueName: "number"))
    var rate: Double?

    @Option(
        help: ArgumentHelp("The directory of the journals, for @run:.", valueName: "directory"), completion: .directory,
        transform: FileName.parse)
    var journal: String?

    @Flag(help: "Write one JSON object for each host on standard output instead of the table, as trust --json does.")
    var json = false

    @Flag(name: .shortAndLong, help: "Suppress the failures by cause, and the totals.")
    var quiet = false

    @Option(
        help: ArgumentHelp("Exit statuses of failures: 193–199, or 255 as ssh.", valueName: "bridge|ssh"))
    var exitCodes: SSHExitStatus.Convention?

    @Argument(help: ArgumentHelp("The hosts.", valueName: "hosts"), completion: .fleetHosts)
    var expression: String

    func perform() async throws -> SSHExitStatus {
        let environment = FleetProcess.environment()
        let convention = exitCodes ?? .bridge
        let confirming = try confirming()
        let (named, notices) = try selection.named(
            expression, journal: journal, configuration: hosts.configurationFile)
        if !quiet { notices.forEach(FleetProcess.note) }
        var pace = try PaceOptions.parse([])
        (pace.parallel, pace.rate) = (parallel, rate)
        let limits = try pace.limits(hosts)
        let secrets = try await HostAccess.secrets(hosts, in: environment)
        let access = HostAccess(hosts, command: SSHCommandOptions(), in: environment, secrets, mayAsk: true)
        var (targets, locked) = (TrustTargets(.all), EncryptedKeyFiles())
        for host in named {
            let connection = try access.connection(to: host)
            // This command logs in to jump hosts only.
            for jumpHost in connection.configuration.jumpHosts where connection.mayAsk { locked.add(jumpHost.configuration) }
            targets.add(host.name, connection.endpoint, connection.configuration)
        }
        var conversation = HostKeyConfirmation(
            limits: limits, confirming: confirming, mayAsk: environment.canAsk, showsTable: !json,
            openedKeys: try await locked.opened()
        ) { keys, hosts in
            "Remember \(keys == 1 ? "this key" : "these \(keys) keys") of \(Formatted.hosts(hosts))? "
                + "Compare the fingerprints first. Type yes or no: "
        }
        conversation.extent = extent(confirming)
        return report(try await conversation.perform(targets), confirming, convention)
    }

    private func report(
        _ reviews: [TrustReview], _ confirming: HostKeyConfirmation.Confirming, _ convention: SSHExitStatus.Convention
    ) -> SSHExitStatus {
        let summary = TrustSummary(reviews, folded: Folding.names)
        if json {
            for entry in reviews.flatMap(\.entries) {
                for host in entry.target.hosts { FleetProcess.output(entry.outcome.json(convention, destination: host).line) }
            }
        } else {
            FleetProcess.show(summary.written)
        }
        if !quiet { FleetProcess.say(summary.closing(ShowOptions.displayForm.form)) }
        let status = summary.exitStatus(convention)
        guard case .fingerprints(let fingerprints, areAllShown: true) = confirming,
            let unmatched = reviews.map({ $0.unmatched(fingerprints) }).last, !unmatched.isEmpty
        else { return status }
        FleetProcess.note("no host shows \(unmatched.joined(separator: ", ")), and nothing was written")
        return status == .success ? convention == .ssh ? .unclassified : .hostKeyFailure : status
    }

    private func extent(_ confirming: HostKeyConfirmation.Confirming) -> HostKeyScanner.KeySelection {
        guard !allTypes, case .fingerprints(let fingerprints, let areAllShown) = confirming else {
            return allTypes ? .all : .first
        }
        return areAllShown ? .until(fingerprints: Array(fingerprints)) : .untilAny(of: fingerprints)
    }

    /// - Throws: `UsageProblem`.
    private func confirming() throws -> HostKeyConfirmation.Confirming {
        var confirmed = Set(try yes.map { try ConfirmedFingerprints.checked($0) })
        guard let fingerprints else {
            return confirmed.isEmpty ? .asking : .fingerprints(confirmed, areAllShown: true)
        }
        let text = String(decoding: try LocalContent.read(fingerprints, for: "--fingerprints"), as: UTF8.self)
        confirmed.formUnion(try ConfirmedFingerprints.inLines(of: text, option: "--fingerprints"))
        return .fingerprints(confirmed, areAllShown: false)
    }
}
