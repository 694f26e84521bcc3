internal import BridgeSSH
internal import HostSets
package import SSHRun

/// Everything that defines a run, except the work in progress on its hosts.
package struct FleetRunConfiguration: Sendable {
    package var run: String
    /// The hosts in the order in which they begin, each once.
    package var names: [String]
    /// The command, as a person would read it.
    package var command: String
    /// The files to copy instead of running a command.
    package var transfer: FleetTransfer?
    /// The input of every host's command, from a file or from what is piped to this process.
    package var input: SharedInput?
    /// The password for sudo, which may be asked for during the run.
    package var sudo: SudoPassword?
    /// Whether the journal records the digest of the input once it is known.
    package var recordsInput = false
    /// Whether anything is done on each host after its login.
    package var runsAfterLogin = true
    /// What makes the connections: `libssh2`, or OpenSSH's `ssh`.
    package var via = "libssh2"
    package var plan: EnginePlan
    package var work: any HostRunner
    package var output: OutputPolicy
    /// Memory for windows and output, in bytes: see ``MemoryShares``.
    package var memory = 64 << 20
    package var journal: (any RunJournal)?
    /// In a resumed run, the hosts on which the command ran or may have run before.
    package var earlier: [FleetHostResult] = []
    /// Where the journal is, as shown to a person.
    package var journalPlace: String?
    /// Called between two batches. Returns the reason to end the run, or nil. Cancelled if the run is stopped meanwhile.
    package var between: (@Sendable (_ after: Int) async -> String?)?
    package var log: any RunLog = SilentLog()
    /// The convention for the hosts' exit statuses.
    package var convention = SSHExitStatus.Convention.bridge
    /// What happens to the exit status of a command that failed.
    package var commands = SSHExitStatus.CommandStatus.remote

    package init(run: String, names: [String], command: String, plan: EnginePlan, work: any HostRunner, output: OutputPolicy) {
        self.run = run
        self.names = names
        self.command = command
        self.plan = plan
        self.work = work
        self.output = output
    }

    /// Folds names into one expression.
    package let folded: @Sendable ([String]) -> String = FleetRunConfiguration.fold

    /// Folds names into one expression.
    package static let fold: @Sendable ([String]) -> String = { names in
        (try? HostSet(names.map { FleetHost(name: $0) }).folded) ?? names.joined(separator: ",")
    }

    func started(parallel: Int) -> FleetEvent.Start {
        var start = FleetEvent.Start(
            run: run, hosts: names.count, command: command, parallel: parallel,
            stopRules: plan.stop.map { ($0.rule.description, $0.at) }, journal: journalPlace)
        start.runsAfterLogin = runsAfterLogin
        start.via = via
        start.stdin = input?.name
        return start
    }
}
