internal import BridgeSSH
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun
internal import Synchronization

/// Collects the host keys of many servers, shows them in one table, has the new ones confirmed, and writes them.
struct HostKeyConfirmation {
    /// The way in which the new keys are confirmed.
    enum Confirming {
        /// Asks a person, if one can be asked.
        case asking
        /// Accepts these fingerprints without a question. If `areAllShown`, a fingerprint that no server shows is an error.
        case fingerprints(Set<String>, areAllShown: Bool)
    }

    let limits: FleetLimits
    let confirming: Confirming
    /// Whether a person can be asked.
    let mayAsk: Bool
    /// Whether the table goes to standard output; if not, it is shown only before a question.
    let showsTable: Bool
    /// The extent of the scan for each server's keys. One is enough to reach it: the one that a login would see.
    var extent = HostKeyScanner.KeySelection.first
    /// Key files for jump hosts that are already decrypted.
    var openedKeys = OpenedKeys()
    /// The most time for each server; nil for the limit of its configuration.
    var timeLimit: Duration?
    /// The question after the table.
    let question: (_ keys: Int, _ hosts: Int) -> String

    /// - Returns: the result of each round.
    /// - Throws: `SSHError`; `UsageProblem`; `CancellationError`.
    func perform(_ targets: TrustTargets) async throws -> [TrustReview] {
        var reviews: [TrustReview] = []
        for round in targets.rounds {
            var review = try await scan(round)
            let table = TrustTable(review, folded: Folding.names).text(width: width)
            if showsTable { FleetProcess.show(table) }
            let confirmation = try await confirmation(of: review, table)
            for change in review.changes(confirmation) {
                do {
                    review.take(try change.files.add(change.additions), of: change)
                } catch let problem as SSHKnownHostsProblem {
                    review.fail(change, problem.verdict())
                }
            }
            review.conclude(confirmation)
            reviews.append(review)
        }
        return reviews
    }

    private func confirmation(of review: TrustReview, _ table: String) async throws -> TrustReview.Confirmation {
        if case .fingerprints(let fingerprints, let areAllShown) = confirming {
            let unmatched = areAllShown ? review.unmatched(fingerprints) : []
            return unmatched.isEmpty ? .fingerprints(fingerprints) : .none(declined: false)
        }
        guard !review.newKeys.isEmpty, mayAsk else { return .none(declined: false) }
        let isSeen = showsTable && TerminalForm.of(1).isTerminal
        let text = question(Set(review.newKeys.map(\.key)).count, review.newHosts.count)
        switch try await FleetProcess.confirm(text, after: table, isSeen: isSeen) {
        case true?: return .all
        case false?: return .none(declined: true)
        case nil: return .none(declined: false)
        }
    }

    /// The columns of the terminal that shows the table; nil if none does.
    private var width: Int? {
        let form = TerminalForm.of(showsTable ? 1 : 2)
        return form.isTerminal ? form.width : nil
    }

    // MARK: The servers

    private func scan(_ round: [TrustTarget]) async throws -> TrustReview {
        var targets: [String: TrustTarget] = [:]
        let names = round.map { target in
            var name = target.hosts.first ?? target.endpoint.label
            while targets[name] != nil { name += "'" }
            targets[name] = target
            return name
        }
        var plan = try EnginePlan(hosts: names.count, limits, stop: [], runsCommand: false)
        plan.addresses = AddressNumbers.of(round.map(\.endpoint))
        let errors = FailuresByHost()
        return try await FleetConnections.with(perJumpHost: limits.connectionsPerJumpHost) { [plan, targets] connections in
            let work = HostKeyScanRunner(
                targets, connections, extent, openedKeys: openedKeys, timeLimit: timeLimit)
            let setting = FleetRunConfiguration(
                run: "trust", names: names, command: "trust", plan: plan, work: work,
                output: OutputPolicy(limit: 0, streams: false))
            var conversation = try InteractiveFleetRun(display, setting)
            conversation.endsInOrder = false
            conversation.observe = errors.take
            _ = try await conversation.perform()
            return TrustReview(
                zip(names, round).map { name, target in
                    let outcome =
                        work.scan(of: name).map { TrustOutcome(endpoint: target.endpoint, scan: $0) }
                        ?? TrustOutcome(endpoint: target.endpoint, error: errors.error(of: name))
                    return TrustReview.Entry(target, outcome)
                })
        }
    }

    /// Shows progress only.
    private var display: FleetDisplay.Options {
        var options = ShowOptions.displayForm
        options.modes = .quiet
        options.hasNotices = false
        return options
    }
}

/// Folds names into one expression.
enum Folding {
    static let names: @Sendable ([String]) -> String = { names in
        (try? HostSet(names.map { FleetHost(name: $0) }).folded) ?? names.joined(separator: ",")
    }
}

private final class FailuresByHost: Sendable {
    private let errors = Mutex<[String: SSHError]>([:])

    func take(_ event: FleetEvent) {
        guard case .ended(let result) = event, let error = result.error else { return }
        errors.withLock { $0[result.host] = error }
    }

    func error(of host: String) -> SSHError? { errors.withLock { $0[host] } }
}
