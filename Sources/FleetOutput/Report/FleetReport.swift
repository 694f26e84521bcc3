package import BridgeSSHFleet
import ErrorCore

/// The content of a report on a run, collected from its events or read from its journal.
package struct FleetReport: Sendable {
    /// The facts about the run as a whole.
    package struct Run: Sendable {
        package var name: String
        /// `run`, `script`, `copy` …
        package var kind: String
        /// The command, as a person would read it.
        package var command: String
        /// Milliseconds since 1970.
        package var startedAt: Int64
        package var duration = Duration.zero
        package var exitStatus: Int?
        /// Whether the run is still in progress.
        package var isUnderWay = false
        /// The words of the command line, without what looks like a secret.
        package var arguments: [String] = []
        package var journal: String?
        package var version = ""
        /// How suggested commands name the run; nil without a journal.
        package var reference: RunReference?

        /// - Parameter startedAt: the start time in milliseconds since 1970; nil to take it from the run's name.
        package init(name: String, kind: String, command: String, startedAt: Int64? = nil) {
            self.name = name
            self.kind = kind
            self.command = command
            self.startedAt = startedAt ?? RunName.time(of: name) ?? FleetTimestamp.now()
        }
    }

    /// The result of one host.
    struct Host: Sendable {
        let name: String
        let outcome: FleetHostOutcome
        /// `ok`, `exit status 3`, `ssh.connect.refused`.
        var ending: String
        var code: String?
        var exitStatus: Int?
        var message: String?
        var remedy: String?
        var attempts = 0
        var began = 0.0
        var duration = 0.0
        var stages = SSHStageTimings()
        var batch = 1
    }

    /// The most bytes of a message in a report.
    static let maximumMessageLength = 2048

    package var run: Run
    package let folded: @Sendable ([String]) -> String
    private(set) var notices: RunNotices
    private(set) var outputs: OutputGroups
    private var index: [String: Int] = [:]
    private var ends: [Host?]
    let names: [String]

    /// - Parameters:
    ///   - hosts: all hosts of the run, each once, in the order of the run.
    ///   - memory: the bytes of output kept in memory; further output is kept in a file in `spillDirectory`.
    ///   - folded: folds names into one expression.
    package init(
        _ run: Run, hosts: [String], form: OutputForm = OutputForm(), memory: Int, spillDirectory: String,
        folded: @escaping @Sendable ([String]) -> String
    ) {
        self.run = run
        self.folded = folded
        names = hosts
        ends = Array(repeating: nil, count: hosts.count)
        notices = RunNotices(form, run: run.reference, folded: folded)
        outputs = OutputGroups(OutputStore(memory: memory, directory: spillDirectory))
        for (position, name) in hosts.enumerated() { index[name] = position }
        var start = FleetEvent.Start(run: run.name, hosts: hosts.count, command: run.command, parallel: 1)
        start.runsAfterLogin = run.kind != "check"
        var ignored: [RenderedPiece] = []
        notices.take(.started(start), &ignored)
    }

    /// Adds the result of a host, once for each host.
    ///
    /// - Throws: `SSHError` if an output cannot be kept.
    package mutating func add(_ result: FleetHostResult) throws {
        guard let position = index[result.host] else { return }
        var ignored: [RenderedPiece] = []
        notices.take(.ended(result), &ignored)
        try outputs.add(result)
        var host = Host(name: result.host, outcome: result.outcome, ending: HostEnding(result).text)
        host.code = result.error?.code.rawValue
        host.exitStatus = result.exitStatus
        host.message = (result.error?.message).map { TerminalText.inert($0, limit: Self.maximumMessageLength, keepsLines: true) }
        host.remedy = result.error?.remedy
        host.attempts = result.attempts
        host.began = result.beganAt.boundedSeconds
        host.duration = result.duration.boundedSeconds
        host.stages = result.timings
        host.batch = result.batch
        ends[position] = host
    }

    /// Adds a host to which the command may have been sent and whose end is not known.
    mutating func addUnended(_ name: String) {
        guard let position = index[name] else { return }
        var host = Host(name: name, outcome: .unknown, ending: "no end is known")
        host.message = "The run ended while the command may have been running."
        ends[position] = host
    }

    /// Every host of the run, in the order of the run. A host without a result was never begun.
    var hosts: [Host] {
        zip(names, ends).map { name, end in end ?? Host(name: name, outcome: .skipped, ending: "never begun") }
    }

    /// The number of hosts for each of the five outcomes.
    package var outcomes: [FleetHostOutcome: Int] {
        var counts = Dictionary(uniqueKeysWithValues: FleetHostOutcome.allCases.map { ($0, 0) })
        for end in ends { counts[end?.outcome ?? .skipped, default: 0] += 1 }
        return counts
    }

    /// The report as text, as shown at the end of a run.
    package var text: String {
        var tally = FleetTally()
        for host in hosts { tally.add(FleetHostResult(host: host.name, outcome: host.outcome)) }
        let summary = tally.summary(run: run.name, duration: run.duration, folded: { _ in "" })
        return notices.closing(summary)
    }
}

extension JournalReader {
    /// Makes the report of the run.
    ///
    /// - Throws: `JournalProblem`; `SSHError` if an output cannot be kept.
    package func report(
        _ reference: RunReference?, form: OutputForm = OutputForm(), memory: Int, spillDirectory: String,
        folded: @escaping @Sendable ([String]) -> String
    ) throws -> FleetReport {
        let info = try info()
        var run = FleetReport.Run(
            name: info.name, kind: info.subject.kind, command: info.subject.title, startedAt: info.startedAt)
        run.exitStatus = info.exitStatus
        run.arguments = info.subject.arguments
        run.journal = info.path
        run.reference = reference
        let records = try records()
        var report = FleetReport(
            run, hosts: records.map(\.host), form: form, memory: memory, spillDirectory: spillDirectory, folded: folded)
        var last = Duration.zero
        for record in records where record.state == .armed { report.addUnended(record.host) }
        try results { result in
            var result = result
            result.transfer = info.subject.transfer
            last = max(last, result.beganAt + result.duration)
            try report.add(result)
        }
        let whole = info.finishedAt.map { Duration.milliseconds(max(0, $0 - info.startedAt)) }
        report.run.duration = whole ?? last
        return report
    }
}

extension FleetReport {
    /// `5 of 40 hosts are not ok: the command failed on 3 and did not run on 2.`
    package var sentence: String {
        let (hosts, outcomes) = (names.count, self.outcomes)
        func count(_ outcome: FleetHostOutcome) -> Int { outcomes[outcome] ?? 0 }
        let bad = hosts - count(.ok)
        guard bad > 0 else {
            return hosts == 0
                ? "The run has no hosts." : hosts == 1 ? "The host is ok." : "All \(hosts) hosts are ok."
        }
        let (subject, error, unknown) =
            switch run.kind {
            case "run", "script": ("the command", "did not run", "may have run")
            case "check": ("the login", "was not possible", "may have been made")
            default: ("the copy", "was not begun", "may have been made in part")
            }
        let parts: [(FleetHostOutcome, String)] = [
            (.failed, "failed"), (.error, error), (.unknown, unknown), (.skipped, "was never tried"),
        ]
        let told = parts.filter { count($0.0) > 0 }.map { "\($0.1) on \(count($0.0))" }
        let list = told.count < 2 ? told.joined() : told.dropLast().joined(separator: ", ") + " and " + (told.last ?? "")
        return "\(bad) of \(Formatted.hosts(hosts)) \(bad == 1 ? "is" : "are") not ok: \(subject) \(list)."
    }

    /// A cause and the hosts that failed with it.
    package struct Cause: Sendable {
        package let code: String
        package let title: String
        package let message: String
        package let remedy: String
        /// The folded names.
        package let hosts: String
        package let count: Int
    }

    /// The failures by cause, most frequent first, then the hosts whose end is not known.
    package var causes: [Cause] {
        let known = notices.failures.sorted.map { group in
            Cause(
                code: group.code, title: group.title, message: group.message ?? group.title,
                remedy: group.remedy.commandLine, hosts: folded(group.hosts), count: group.hosts.count)
        }
        let unended = hosts.filter { $0.outcome == .unknown && $0.code == nil }
        guard let first = unended.first else { return known }
        return known + [
            Cause(
                code: "unknown", title: "No end is known", message: first.message ?? first.ending, remedy: "Look there first.",
                hosts: folded(unended.map(\.name)), count: unended.count)
        ]
    }
}
