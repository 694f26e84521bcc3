/// Ends a run early when a number of hosts have ended in a certain way. No further host is begun then.
///
/// ```swift
/// stop: [.failures(percent: 5), .outcome(.error, count: 10), .code("ssh.auth.*", count: 3)]
/// ```
public struct StopRule: Sendable, Hashable {
    /// The results that count.
    package enum Subject: Sendable, Hashable {
        /// Every outcome except `ok`.
        case any
        case outcome(FleetHostOutcome)
        /// A failure code; a trailing `*` matches any rest: `ssh.auth.*`.
        case code(String)
        case sudo
    }

    package let subject: Subject
    package let limit: HostShare

    package init(_ subject: Subject, _ limit: HostShare) {
        self.subject = subject
        self.limit = limit
    }

    /// Ends the run when this many hosts are not `ok`.
    public static func failures(_ count: Int) -> StopRule { StopRule(.any, .count(count)) }
    /// Ends the run when this percentage of all hosts is not `ok`, rounded down, and at least one host.
    public static func failures(percent: Double) -> StopRule { StopRule(.any, HostShare(percent: percent)) }
    /// Ends the run when this many hosts have the outcome.
    public static func outcome(_ outcome: FleetHostOutcome, count: Int) -> StopRule { StopRule(.outcome(outcome), .count(count)) }
    /// Ends the run when this percentage of all hosts has the outcome, rounded down, and at least one host.
    public static func outcome(_ outcome: FleetHostOutcome, percent: Double) -> StopRule {
        StopRule(.outcome(outcome), HostShare(percent: percent))
    }
    /// Ends the run when this many hosts failed with a code, such as `ssh.host-key.changed`, or with a prefix: `ssh.auth.*`.
    public static func code(_ pattern: String, count: Int) -> StopRule { StopRule(.code(pattern), .count(count)) }
    /// Ends the run when sudo refused on this many hosts.
    public static func sudo(count: Int) -> StopRule { StopRule(.sudo, .count(count)) }
}

extension StopRule: CustomStringConvertible {
    /// The rule as on the command line: `failed=5%`.
    public var description: String {
        let name =
            switch subject {
            case .any: "any"
            case .outcome(let outcome): outcome.rawValue
            case .code(let pattern): pattern
            case .sudo: "sudo"
            }
        return "\(name)=\(limit)"
    }
}

extension StopRule {
    /// Reads `failed=5%`, `error=10`, `ssh.auth.*=3`, `sudo=1`, `any=1`.
    ///
    /// - Throws: `FleetPlanProblem`.
    package init(parsing text: String) throws(FleetPlanProblem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let limit = HostShare(parsing: parts[1]), let subject = Subject(parts[0]) else {
            throw FleetPlanProblem(
                field: "stop", option: "--stop",
                problem:
                    "“\(text)” is not a rule; write any, failed, error, unknown, sudo or a code such as ssh.auth.*, then = and a "
                    + "number of hosts or a percentage, as in: --stop failed=5%")
        }
        self.init(subject, limit)
    }

    /// The number of hosts at which the rule ends a run.
    ///
    /// - Parameters:
    ///   - hosts: the number of hosts of the run.
    ///   - codes: all existing codes.
    ///   - runsCommand: whether a command is run at all.
    /// - Throws: `FleetPlanProblem` for a rule that can never apply.
    package func number(of hosts: Int, codes: Set<String>, runsCommand: Bool) throws(FleetPlanProblem) -> Int {
        func never(_ why: String) -> FleetPlanProblem {
            FleetPlanProblem(field: "stop", option: "--stop", problem: "\(self) can never apply: \(why)")
        }
        guard limit.isPossible else { throw never("write a number from 1, or a percentage up to 100%") }
        let number = limit.hosts(of: hosts)
        guard number <= hosts else {
            throw never("the run has \(hosts) host\(hosts == 1 ? "" : "s"); write a smaller number")
        }
        switch subject {
        case .outcome(.skipped): throw never("hosts are skipped only once a run has been stopped; name another outcome")
        case .outcome(.ok): throw never("a run does not stop for hosts that are ok; name another outcome")
        case .outcome(.failed), .outcome(.unknown), .sudo:
            if !runsCommand { throw never("no command is run; name error, any or a code") }
        case .code(let pattern):
            guard codes.contains(where: { Self.matches($0, pattern) }) else {
                throw never("no failure code matches \(pattern)")
            }
        case .any, .outcome(.error): break
        }
        return number
    }

    /// Whether a host's result counts.
    func counts(_ end: AttemptEnd) -> Bool {
        switch subject {
        case .any: end.outcome != .ok
        case .outcome(let outcome): end.outcome == outcome
        case .code(let pattern): end.code.map { Self.matches($0, pattern) } ?? false
        case .sudo: end.isElevationRefused
        }
    }

    private static func matches(_ code: String, _ pattern: String) -> Bool {
        pattern.hasSuffix("*") ? code.hasPrefix(pattern.dropLast()) : code == pattern
    }
}

extension StopRule.Subject {
    fileprivate init?(_ name: String) {
        switch name {
        case "any": self = .any
        case "sudo": self = .sudo
        case _ where name.hasPrefix("ssh."): self = .code(name)
        default:
            guard let outcome = FleetHostOutcome(rawValue: name) else { return nil }
            self = .outcome(outcome)
        }
    }
}

/// The rules of a run, each with its count.
struct StopCounters {
    private struct Counter {
        let rule: StopRule
        let at: Int
        var count = 0
    }
    private var counters: [Counter]

    init(_ rules: [(rule: StopRule, at: Int)]) { counters = rules.map { Counter(rule: $0.rule, at: $0.at) } }

    /// - Returns: the first rule that this result completes, and its number of hosts.
    mutating func count(_ end: AttemptEnd) -> (rule: StopRule, at: Int)? {
        var reached: (StopRule, Int)?
        for index in counters.indices where counters[index].rule.counts(end) {
            counters[index].count += 1
            if counters[index].count == counters[index].at, reached == nil {
                reached = (counters[index].rule, counters[index].at)
            }
        }
        return reached
    }
}
