/// What a fleet run came to.
public struct FleetSummary: Sendable, Equatable {
    /// The run's name, by which the journal, `resume` and `@run:` know it.
    public var run: String
    /// The number of hosts that have ended: those of the run, or where it was resumed those that were run again.
    public var hosts: Int
    /// All five outcomes, with how many of these hosts have each.
    public var outcomes: [FleetHostOutcome: Int]
    /// Hosts of equal outcome, code and exit status.
    public var groups: [Group]
    /// From the begin of the run to the end of its last host.
    public var duration: Duration
    /// 0 if all are ok, the hosts' common status if all failed alike, 192 if a rule or a person stopped the run, else 1; 130 or
    /// 143 where a signal ended it. That of a run that was resumed is of all its hosts.
    public var exitStatus: UInt8
    /// All hosts of a run that was resumed; nil where ``hosts`` are all.
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

    /// All hosts of a run that was resumed, with those that were not run again.
    public struct Whole: Sendable, Equatable {
        /// The number of hosts.
        public var hosts: Int
        /// All five outcomes, with how many hosts have each. A host whose command ran or may have run before, and that was not
        /// reached when it was run again, counts as it did.
        public var outcomes: [FleetHostOutcome: Int]

        /// A sum.
        public init(hosts: Int, outcomes: [FleetHostOutcome: Int]) {
            self.hosts = hosts
            self.outcomes = outcomes
        }
    }

    /// Hosts of equal outcome, code and exit status.
    public struct Group: Sendable, Equatable {
        /// What became of the hosts.
        public var outcome: FleetHostOutcome
        /// The code of the failure; nil for `ok` and `skipped`.
        public var code: String?
        /// The command's exit status, where one came.
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
