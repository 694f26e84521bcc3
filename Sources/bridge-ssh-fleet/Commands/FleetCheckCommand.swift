internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet check`: connects to every host, verifies its key and logs in, and runs nothing.
struct FleetCheckCommand: ResumableSubcommand, HostOptionGroups {
    static let name = "fleet check"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check", abstract: "Reach every host, verify its key and log in; run nothing.",
            usage: "bridge-ssh fleet check [<options>] <hosts>",
            discussion: """
                Does everything that a run does except the command, and reports for each host what would prevent it. For the other hosts it prints \
                what their key exchange offers against quantum computers; -b folds equal ones, and -q prints none.

                EXAMPLES
                  bridge-ssh fleet check 'web[1-20],@db'
                  bridge-ssh fleet check --output jsonl @ssh
                  bridge-ssh fleet check -q --journal none --prometheus /var/lib/node_exporter/ssh.prom @all
                """)
    }

    @OptionGroup(title: "Which hosts") var selection: HostSelectionOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup(title: "Host and user") var port: PortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "Trying again") var retry: RetryOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "Pace and safety") var pace: PaceOptions
    @OptionGroup(title: "Output and journal") var show: ShowOptions
    @OptionGroup(title: "Output and journal") var reports: ReportOptions
    @Option(
        help: ArgumentHelp(
            "Write a file for node_exporter's textfile collector: the outcome, failure code and duration of each host.",
            valueName: "file"),
        completion: .file(extensions: ["prom"]),
        transform: FileName.parse)
    var prometheus: String?

    @Argument(help: ArgumentHelp("The hosts.", valueName: "hosts"), completion: .fleetHosts)
    var expression: String

    func invocation() throws -> FleetInvocation {
        var job = FleetJob.check
        job.reportsOffer = !show.quiet
        var invocation = FleetInvocation(
            expression: expression, selection: selection, job: job, subject: RunSubject(kind: "check", command: ""),
            hosts: hosts, command: nil, sudo: nil, pace: pace, show: show, reports: reports)
        invocation.maker = via.maker
        invocation.metrics = prometheus
        return invocation
    }
}
