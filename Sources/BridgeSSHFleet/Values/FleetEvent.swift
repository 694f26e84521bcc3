/// An event of a fleet run. `started` is always the first event and `summary` the last one.
public enum FleetEvent: Sendable {
    /// The run begins.
    case started(Start)
    /// A piece of a host's output, as it arrived.
    case output(host: String, stream: SSHEvidence.OutputStream, bytes: [UInt8])
    /// A host has its outcome. Every host of the run gets exactly one.
    case ended(FleetHostResult)
    /// A cause on this machine pauses the run. No further host begins until `resumed`.
    case paused(reason: String)
    /// The cause on this machine has ended, and hosts begin again.
    case resumed(reason: String)
    /// The next batch begins.
    case batch(number: Int, of: Int, hosts: Int)
    /// No further host begins. Hosts that were not begun are skipped.
    case stopped(rule: String?, reason: String)
    /// The run is over.
    case summary(FleetSummary)

    /// How a run began.
    public struct Start: Sendable {
        /// The run's name in the journal, `resume` and `@run:`.
        public var run: String
        /// The number of hosts of the run.
        public var hosts: Int
        /// The command, as a person would read it.
        public var command: String
        /// How many hosts run at once, at first.
        public var parallel: Int
        /// The rules that end the run early, and the number of hosts at which each applies.
        public var stopRules: [(rule: String, at: Int)]
        /// The path of the journal; nil without one.
        public var journal: String?
        /// The input of every host's command: `-` for this process's standard input, or the path of a file. Nil for no input, and
        /// for a script, which is itself sent on standard input.
        public var stdin: String?
        /// Whether anything is done on each host after its login.
        package var runsAfterLogin = true
        /// What makes the connections: `libssh2`, or OpenSSH's `ssh`.
        package var via = "libssh2"

        /// The start of a run.
        public init(
            run: String, hosts: Int, command: String, parallel: Int, stopRules: [(rule: String, at: Int)] = [],
            journal: String? = nil
        ) {
            self.run = run
            self.hosts = hosts
            self.command = command
            self.parallel = parallel
            self.stopRules = stopRules
            self.journal = journal
        }
    }
}
