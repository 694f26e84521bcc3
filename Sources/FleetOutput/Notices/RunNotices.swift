import BridgeSSHFleet
import ErrorCore

/// bridge-ssh's own messages about a run, on standard error: a line for each failure when it happens, and at the end the failures
/// by cause, the totals, and the next steps.
struct RunNotices: Sendable {
    private var form: OutputForm
    private let folded: @Sendable ([String]) -> String
    private(set) var failures = FailureGroups()
    private var copied = CopyTotals()
    private var runsAfterLogin = true
    /// The hosts that refused to set a variable of `--env`.
    private var refusedVariables: [String: [String]] = [:]
    /// The options for reaching the hosts with unknown keys; nil before the first.
    private var trustOptions: [String]?

    /// The hosts whose output files are not complete.
    var incompleteHosts: [String] = []

    /// Nil for a run without a journal.
    private let run: RunReference?

    init(_ form: OutputForm, run: RunReference?, folded: @escaping @Sendable ([String]) -> String) {
        self.form = form
        self.run = run
        self.folded = folded
    }

    mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) {
        switch event {
        case .started(let start):
            runsAfterLogin = start.runsAfterLogin
            // The number of hosts that a percentage means.
            for (rule, at) in start.stopRules where rule.hasSuffix("%") {
                say("stops at \(Formatted.hosts(at)): \(VisibleText.name(rule))", &pieces)
            }
        case .output: break
        case .ended(let result):
            failures.add(result)
            if let error = result.error, error.code == .hostKeyUnknown {
                trustOptions = Self.common(trustOptions, error.evidence.options)
            }
            copied.add(result)
            for name in result.refusedVariables { refusedVariables[name, default: []].append(result.host) }
            if let line = failure(result) {
                pieces.append(RenderedPiece(.standardError, form.own("bridge-ssh: \(line)") + "\n"))
            }
        case .paused(let reason): say("paused: " + VisibleText.name(reason), &pieces)
        case .resumed(let reason): say("goes on: " + VisibleText.name(reason), &pieces)
        case .batch(let number, let count, let hosts):
            if count > 1 { say("batch \(number) of \(count): \(Formatted.hosts(hosts))", &pieces) }
        case .stopped(let rule, let reason):
            say("stopped\(rule.map { " by the rule \(VisibleText.name($0))" } ?? ""): " + VisibleText.name(reason), &pieces)
        case .summary(let summary): pieces.append(RenderedPiece(.standardError, form.own(closing(summary))))
        }
    }

    /// Sets the current width of the terminal, in columns.
    mutating func fit(_ width: Int) { form.width = width }

    private func say(_ text: String, _ pieces: inout [RenderedPiece]) {
        pieces.append(RenderedPiece(.standardError, form.own(form.message(text))))
    }

    /// `web5: exit status 3: no space left on /srv`, on one line.
    private func failure(_ result: FleetHostResult) -> String? {
        guard let error = result.error else { return nil }
        let host = form.painted(VisibleText.name(result.host), HostColor.failure, on: .standardError)
        let ending = HostEnding(result).text
        let words: String
        if result.outcome == .failed, result.transfer == nil {
            words = ending + (error.cause.map { ": \(VisibleText.name($0.message))" } ?? "")
        } else {
            // The code comes first, because a narrow terminal cuts the end.
            words = "[\(error.code.rawValue)] \(VisibleText.name(error.message))"
        }
        guard form.isErrorTerminal else { return "\(host): \(words)" }
        let space = form.width - TerminalText.columns(form.own("bridge-ssh: \(VisibleText.name(result.host)): ")) - 1
        return "\(host): \(form.own(words, cutToColumns: max(20, space)))"
    }

    /// The options that two hosts have in common. The run's arguments come first; a host's own follow.
    ///
    /// - Parameter one: nil if the other host is the first.
    private static func common(_ one: [String]?, _ other: [String]) -> [String] {
        guard let one, one != other else { return other }
        let shared = zip(one, other).prefix { $0 == $1 }.map(\.0)
        // An option without its value is incomplete.
        return shared.last?.hasPrefix("-") == true ? shared.dropLast() : shared
    }

    // MARK: The end

    func closing(_ summary: FleetSummary) -> String {
        var lines: [String] = []
        let time = Formatted.time(summary.duration.boundedSeconds)
        if summary.hosts > 0 || summary.whole == nil {
            lines.append(
                "\(Formatted.hosts(summary.hosts)) in \(time): \(Self.counts(summary.outcomes))"
                    + (copied.text.map { "; " + $0 } ?? ""))
        }
        if !incompleteHosts.isEmpty {
            let hosts = Formatted.hosts(incompleteHosts.count)
            lines.append("the files of \(hosts) are not complete: \(VisibleText.name(folded(incompleteHosts.sorted())))")
        }
        for (name, hosts) in refusedVariables.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "\(Formatted.hosts(hosts.count)) refused to set \(VisibleText.name(name)) (AcceptEnv there does not list it): "
                    + VisibleText.name(folded(hosts.sorted())))
        }
        if let whole = summary.whole {
            lines.append("the whole run, \(Formatted.hosts(whole.hosts)): \(Self.counts(whole.outcomes))")
        }
        lines += nextSteps(summary.whole?.outcomes ?? summary.outcomes)
        let shown = failures.lines(form, folded: folded) + lines.flatMap { form.paragraph($0, indent: 2) }
        return shown.joined(separator: "\n") + "\n"
    }

    private static func counts(_ outcomes: [FleetHostOutcome: Int]) -> String {
        let text = FleetHostOutcome.text(of: outcomes)
        return text.isEmpty ? "none begun" : text
    }

    /// The next steps.
    func nextSteps(_ outcomes: [FleetHostOutcome: Int]) -> [String] {
        guard let run else { return [] }
        func count(_ outcome: FleetHostOutcome) -> Int { outcomes[outcome] ?? 0 }
        var lines: [String] = []
        let left = count(.error) + count(.skipped)
        if copied.hasCopies {
            // Hosts that got only some of the files are copied to again.
            let rest = left + count(.unknown)
            if rest > 0 { lines.append("\(Formatted.hosts(rest)) not complete: `\(run.resume)`\(run.resumeNote)") }
        } else if left > 0 {
            lines.append(
                "\(Formatted.hosts(left)) \(runsAfterLogin ? "did not run it" : "without a login"): `\(run.resume)`\(run.resumeNote)"
            )
        }
        if count(.unknown) > 0, !copied.hasCopies {
            lines.append("\(Formatted.hosts(count(.unknown))) may have run it: look there first: `\(run.hosts("unknown"))`")
        }
        let unknownHosts = failures.count(of: .hostKeyUnknown)
        if unknownHosts > 0 {
            lines.append("\(Formatted.hosts(unknownHosts)) not known: `\(run.trust(trustOptions ?? []))`")
        }
        if count(.failed) > 0 {
            lines.append(
                "\(Formatted.hosts(count(.failed))) failed: list \(count(.failed) == 1 ? "it" : "them"): `\(run.hosts("failed"))`"
            )
        }
        return lines
    }
}

/// The totals of what was copied, over all hosts.
struct CopyTotals: Sendable {
    private var direction: HostTransfer.Direction?
    private var files = 0
    private var bytes: UInt64 = 0
    private var hosts = 0

    /// Whether anything was to be copied.
    var hasCopies: Bool { direction != nil }

    mutating func add(_ result: FleetHostResult) {
        guard let transfer = result.transfer else { return }
        direction = transfer.direction
        guard let copied = result.copied, copied.files > 0 || result.outcome == .ok else { return }
        hosts += 1
        files += copied.files
        bytes &+= copied.bytes
    }

    /// `3 files, 1.2 MiB to 40 hosts`; nil if nothing was copied.
    var text: String? {
        guard let direction, hosts > 0 else { return nil }
        let way = direction == .copy ? "to" : "from"
        return "\(Formatted.files(files)), \(Formatted.bytes(Int(clamping: bytes))) \(way) \(Formatted.hosts(hosts))"
    }
}

/// How a suggested command names a run: by its own name, because `last` may mean another run by then.
package struct RunReference: Sendable, Equatable {
    private let run: String
    private let option: String
    /// The subcommand of a run whose journal lacks some of its words; nil if the journal has them all.
    private let incompleteSubcommand: String?
    /// The command that resumes a shard; nil if the run is not one.
    private let shard: String?
    /// The run's options that name its inventory.
    private let inventory: [String]

    /// - Parameters:
    ///   - file: the run's journal, if a person named the run by that file.
    ///   - option: the option, with a leading space, that a command needs to find the journal.
    ///   - incompleteSubcommand: the subcommand of a run whose journal lacks some of its words: they contained a secret, or
    ///     `--journal-command none` kept them out. To resume such a run, a person must give the words again.
    ///   - shard: the command that resumes the run, if it is a shard of a plan.
    ///   - inventory: the options that name the inventory of the run.
    package init(
        run: String, file: String? = nil, option: String, incompleteSubcommand: String? = nil, shard: String? = nil,
        inventory: [String] = []
    ) {
        self.inventory = inventory
        self.incompleteSubcommand = incompleteSubcommand
        self.shard = shard
        self.run = file?.shellWord ?? run
        self.option = file == nil ? option : ""
    }

    /// The command that resumes the run.
    var resume: String {
        shard ?? "bridge-ssh fleet resume\(option) \(run)" + (incompleteSubcommand.map { " -- \($0) …" } ?? "")
    }

    /// What a person must add to ``resume``; empty if it can be typed as it is.
    var resumeNote: String {
        incompleteSubcommand == nil || shard != nil ? "" : " (… are the words of this run, which its journal does not have)"
    }

    var report: String { "bridge-ssh fleet report\(option) \(run)" }

    /// The command that lists the selected hosts of the run.
    func hosts(_ selector: String) -> String { "bridge-ssh fleet hosts\(option) @run:\(run):\(selector)" }

    /// The command that trusts the unknown hosts of the run.
    ///
    /// - Parameter options: the options with which the hosts are reached.
    func trust(_ options: [String]) -> String {
        let words = (inventory + options).map { " " + $0.shellWord }.joined()
        return "bridge-ssh fleet trust\(option)\(words) @run:\(run):ssh.host-key.unknown"
    }
}
