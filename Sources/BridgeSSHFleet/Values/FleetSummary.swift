/// The summary of a fleet run.
public struct FleetSummary: Sendable, Equatable {
    /// The run's name in the journal, `resume` and `@run:`.
    public var run: String
    /// The number of hosts of the run; in a resumed run, the number of hosts that were run again.
    public var hosts: Int
    /// The number of these hosts for each of the five outcomes.
    public var outcomes: [FleetHostOutcome: Int]
    /// Hosts grouped by outcome, code and exit status.
    public var groups: [Group]
    /// From the start of the run to the end of its last host.
    public var duration: Duration
    /// 0 if all hosts are ok, their common status if all failed alike, 192 if a rule or a person stopped the run, otherwise 1;
    /// 130 or 143 if a signal ended the run. In a resumed run it covers all hosts of the whole run.
    public var exitStatus: UInt8
    /// All hosts of a resumed run; nil if ``hosts`` already counts all.
    public var whole: Whole?

    /// A summary.
    public init(
        run: String, hosts: Int, outcomes: [FleetHostOutcome: Int], groups: [Group], duration: Duration, exitStatus: UInt8
    ) {
        self.run = run
        self.hosts = hosts
        self.outcomes = outcomes
        self.groups = groups
        self.duration = duration
        self.exitStatus = exitStatus
    }

    /// All hosts of a resumed run, including those that were not run again.
    public struct Whole: Sendable, Equatable {
        /// The number of hosts.
        public var hosts: Int
        /// The number of hosts for each of the five outcomes. If a host's command ran or may have run before and the host was not
        /// reached again, its earlier outcome counts.
        public var outcomes: [FleetHostOutcome: Int]

        /// The totals.
        public init(hosts: Int, outcomes: [FleetHostOutcome: Int]) {
            self.hosts = hosts
            self.outcomes = outcomes
        }
    }

    /// Hosts with the same outcome, code and exit status.
    public struct Group: Sendable, Equatable {
        /// The outcome of the hosts.
        public var outcome: FleetHostOutcome
        /// The code of the failure; nil for `ok` and `skipped`.
        public var code: String?
        /// The command's exit status, if one arrived.
        public var exitStatus: Int?
        /// The hosts, folded: `web[1-4]`.
        public var hosts: String
        /// The number of hosts.
        public var count: Int

        /// A group.
        public init(outcome: FleetHostOutcome, code: String?, exitStatus: Int?, hosts: String, count: Int) {
            self.outcome = outcome
            self.code = code
            self.exitStatus = exitStatus
            self.hosts = hosts
            self.count = count
        }
    }
}
