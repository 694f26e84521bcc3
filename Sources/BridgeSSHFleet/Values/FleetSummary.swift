import BridgeSSH

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

/// Adds up the results of hosts.
package struct FleetTally: Sendable {
    /// The end of a run.
    package enum Ending: Sendable, Equatable {
        /// Every host was run.
        case completed
        /// A rule or a person stopped it early.
        case stopped
        /// A signal ended it: 128 plus the signal's number.
        case interrupted(SSHExitStatus)
    }

    private struct Cause: Hashable {
        var outcome: FleetHostOutcome
        var code: String?
        var exitStatus: Int?
    }

    private let convention: SSHExitStatus.Convention
    private let commands: SSHExitStatus.CommandStatus
    private var hosts: [Cause: [String]] = [:]
    /// The exit status of hosts with the same cause.
    private var statuses: [Cause: SSHExitStatus] = [:]
    /// The number of hosts for each of the five outcomes.
    package private(set) var outcomes = Dictionary(uniqueKeysWithValues: FleetHostOutcome.allCases.map { ($0, 0) })

    package init(convention: SSHExitStatus.Convention = .bridge, commands: SSHExitStatus.CommandStatus = .remote) {
        (self.convention, self.commands) = (convention, commands)
    }

    /// The number of hosts that have ended.
    package var count: Int { outcomes.values.reduce(0, +) }

    package mutating func add(_ result: FleetHostResult) {
        outcomes[result.outcome, default: 0] += 1
        let cause = Cause(outcome: result.outcome, code: result.error?.code.rawValue, exitStatus: result.exitStatus)
        hosts[cause, default: []].append(result.host)
        if result.outcome != .skipped { statuses[cause] = status(of: result) }
    }

    private func status(of result: FleetHostResult) -> SSHExitStatus {
        if result.outcome == .ok { return .success }
        // A journal may have kept nothing else of a failure.
        if result.outcome == .failed, let status = result.termination.flatMap({ SSHExitStatus.ended($0, commands: commands) }) {
            return status
        }
        if let error = result.error { return error.exitStatus(convention, commands: commands) }
        // A killed process has recorded only that the command may have been sent.
        return result.outcome == .unknown ? .sessionFailure : .unclassified
    }

    /// The summary of the run.
    ///
    /// - Parameters:
    ///   - whole: the tally of all hosts of a resumed run, which decides the exit status; nil if this tally already has all.
    ///   - folded: folds names into one expression.
    package func summary(
        run: String, duration: Duration, ending: Ending = .completed, whole: FleetTally? = nil, folded: ([String]) -> String
    ) -> FleetSummary {
        let groups = hosts.map { cause, names in
            FleetSummary.Group(
                outcome: cause.outcome, code: cause.code, exitStatus: cause.exitStatus, hosts: folded(names), count: names.count)
        }
        var summary = FleetSummary(
            run: run, hosts: count, outcomes: outcomes, groups: groups.sorted(by: Self.isBefore), duration: duration,
            exitStatus: UInt8(truncatingIfNeeded: (whole ?? self).exitStatus(ending).rawValue))
        summary.whole = whole.map { FleetSummary.Whole(hosts: $0.count, outcomes: $0.outcomes) }
        return summary
    }

    private func exitStatus(_ ending: Ending) -> SSHExitStatus {
        switch ending {
        case .completed: outcomes[.skipped] == 0 ? commonStatus : .stopped
        case .stopped: .stopped
        case .interrupted(let status): status
        }
    }

    /// The common status of all hosts. Hosts that end with the same number for different reasons did not end alike.
    private var commonStatus: SSHExitStatus {
        guard let first = statuses.first else { return .success }
        return statuses.count == 1 ? first.value : .mixed
    }

    /// Sorts by outcome, then the largest group first.
    private static func isBefore(_ one: FleetSummary.Group, _ other: FleetSummary.Group) -> Bool {
        func key(_ group: FleetSummary.Group) -> (Int, Int, String, Int) {
            (FleetHostOutcome.allCases.firstIndex(of: group.outcome) ?? 0, -group.count, group.code ?? "", group.exitStatus ?? -1)
        }
        return key(one) < key(other)
    }
}

extension FleetHostResult {
    /// The command's exit status, if one arrived.
    package var exitStatus: Int? {
        if case .exited(let status) = termination { return status }
        return nil
    }
}

extension FleetHostOutcome {
    /// The counts of all outcomes that occurred: `10 ok, 2 failed`.
    package static func text(of counts: [FleetHostOutcome: Int]) -> String {
        allCases.compactMap { outcome in
            counts[outcome].flatMap { $0 > 0 ? "\($0) \(outcome.rawValue)" : nil }
        }.joined(separator: ", ")
    }
}

/// Adds up a resumed run: the hosts that were not run again, and the new results of the others.
struct WholeRun: Sendable {
    private(set) var tally: FleetTally
    /// The earlier results of hosts that are run again.
    private var before: [String: FleetHostResult] = [:]

    /// - Parameters:
    ///   - earlier: the hosts on which the command ran or may have run.
    ///   - names: the hosts that run now.
    ///   - tally: an empty tally.
    init(_ earlier: [FleetHostResult], running names: [String], tally: FleetTally) {
        var tally = tally
        let names = Set(names)
        for result in earlier {
            if names.contains(result.host) { before[result.host] = result } else { tally.add(result) }
        }
        self.tally = tally
    }

    mutating func add(_ result: FleetHostResult) {
        // If the host was not reached again, its earlier result still counts.
        tally.add(result.outcome.mayHaveRun ? result : before[result.host] ?? result)
    }
}
