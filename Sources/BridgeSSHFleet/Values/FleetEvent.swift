/// What happens in a fleet run, in order. `started` is the first event and `summary` the last one, always.
public enum FleetEvent: Sendable {
    /// The run begins.
    case started(Start)
    /// A piece of a host's output, as it came.
    case output(host: String, stream: SSHEvidence.OutputStream, bytes: [UInt8])
    /// A host has its outcome. Every host of the run gets exactly one.
    case ended(FleetHostResult)
    /// A cause on this machine holds the run up. No further host is begun until `resumed`.
    case paused(reason: String)
    /// The cause on this machine is over, and hosts are begun again.
    case resumed(reason: String)
    /// The next batch begins.
    case batch(number: Int, of: Int, hosts: Int)
    /// No further host is begun. What was not begun is skipped.
    case stopped(rule: String?, reason: String)
    /// The run is over.
    case summary(FleetSummary)

    /// How a run began.
    public struct Start: Sendable {
        /// The run's name, by which the journal, `resume` and `@run:` know it.
        public var run: String
        /// The number of hosts of the run.
        public var hosts: Int
        /// The command, as a person would read it.
        public var command: String
        /// How many hosts run at once, at first.
        public var parallel: Int
        /// The rules that end the run early, and the number of hosts at which each does.
        public var stopRules: [(rule: String, at: Int)]
        /// Where the journal is; nil without one.
        public var journal: String?
        /// What every host's command reads: `-` for this process's standard input, or the path of a file; nil for nothing, and
        /// for a script, which comes that way itself.
        public var stdin: String?
        /// Whether something is done on each host after its login.
        package var doesMore = true
        /// What makes the connections: `libssh2`, or `ssh` of OpenSSH.
        package var via = "libssh2"

        /// A beginning.
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
