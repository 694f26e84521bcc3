internal import BridgeSSH
internal import HostSets
package import SSHRun

/// All that a run is made of, but for its hosts' work under way.
package struct FleetSetting: Sendable {
    /// The run's name.
    package var run: String
    /// The hosts, in the order in which they are begun; each once.
    package var names: [String]
    /// The command, as a person would read it.
    package var command: String
    /// The files that are copied in place of a command.
    package var transfer: FleetTransfer?
    /// What hosts read of a file or of what is piped to this process.
    package var input: SharedInput?
    /// The password for sudo, which may be asked for in the midst of the run.
    package var sudo: SudoPassword?
    /// Whether the journal records the digest of the input once it is known.
    package var recordsInput = false
    /// Whether something is done on each host after its login.
    package var doesMore = true
    /// What makes the connections: `libssh2`, or `ssh` of OpenSSH.
    package var via = "libssh2"
    package var plan: EnginePlan
    package var work: any HostWork
    package var output: OutputPolicy
    /// In bytes, for windows and output: see ``MemoryShares``.
    package var memory = 64 << 20
    package var journal: (any RunJournal)?
    /// Of a run that goes on: its hosts on which the command ran or may have run before.
    package var earlier: [FleetHostResult] = []
    /// Where the journal is, for a person.
    package var journalPlace: String?
    /// What happens between two batches; returns why the run must not go on, or nil. Cancelled when the run is stopped
    /// meanwhile.
    package var between: (@Sendable (_ after: Int) async -> String?)?
    package var log: any RunLog = SilentLog()
    /// How the hosts' exit statuses are made.
    package var convention = SSHExitStatus.Convention.bridge
    /// What becomes of the exit status of a command that failed.
    package var commands = SSHExitStatus.CommandStatus.remote

    package init(run: String, names: [String], command: String, plan: EnginePlan, work: any HostWork, output: OutputPolicy) {
        self.run = run
        self.names = names
        self.command = command
        self.plan = plan
        self.work = work
        self.output = output
    }

    /// One expression for names.
    package let folded: @Sendable ([String]) -> String = FleetSetting.fold

    /// One expression for names.
    package static let fold: @Sendable ([String]) -> String = { names in
        (try? HostSet(names.map { FleetHost(name: $0) }).folded) ?? names.joined(separator: ",")
    }

    func started(parallel: Int) -> FleetEvent.Start {
        var start = FleetEvent.Start(
            run: run, hosts: names.count, command: command, parallel: parallel,
            stopRules: plan.stop.map { ($0.rule.description, $0.at) }, journal: journalPlace)
        start.doesMore = doesMore
        start.via = via
        start.stdin = input?.name
        return start
    }
}
