import BridgeSSH
import SSHRun

/// Scans a host's keys, gets them confirmed, and writes them.
struct TrustWork: Sendable {
    let plan: TrustPlan
    /// Whether the person sees standard output.
    let reportIsSeen: Bool

    private var files: SSHKnownHostsFiles { plan.access.configuration.knownHosts }

    /// - Parameter show: called with the keys before any prompt.
    /// - Throws: `SSHError`; `UsageProblem`; `CancellationError`; `SSHKnownHostsProblem` if nothing has been written.
    func perform(_ configuration: SSHConnectionConfiguration, show: (SSHHostKeyScan) -> Void) async throws -> TrustOutcome {
        var outcome = TrustOutcome(endpoint: plan.access.endpoint)
        let name = plan.knownHostName
        if plan.removes {
            outcome.removed = try files.remove(host: name.host, port: name.port)
            return outcome
        }
        let scan = try await SSHClient.hostKeys(
            of: plan.access.endpoint, configuration: configuration, sharing: nil, plan.extent)
        outcome.take(scan)
        show(scan)
        let unmatched = plan.confirmed.filter { wanted in !scan.offers.contains { $0.key.fingerprint == wanted } }
        if !unmatched.isEmpty, let first = scan.offers.first {
            outcome.error = first.failure(at: plan.access.endpoint, plan.access.configuration, expected: unmatched)
            return outcome
        }
        let open = scan.offers.filter { TrustOutcome.isWritable($0.verdict, updating: plan.updates) }
        let answer = try await confirmation(of: open, in: scan)
        for (index, offer) in scan.offers.enumerated() where answer.keys.contains(offer.key) {
            do {
                try write(offer, at: index, to: &outcome)
            } catch let problem as SSHKnownHostsProblem {
                // The outcome still reports the keys that were written before.
                outcome.error = problem.verdict
                return outcome
            }
        }
        outcome.error = outcome.obstacle.map {
            $0.failure(at: plan.access.endpoint, plan.access.configuration, declined: answer.wasAsked)
        }
        return outcome
    }

    /// The confirmed keys, by options or else by the person.
    private func confirmation(
        of open: [SSHHostKeyScan.Offer], in scan: SSHHostKeyScan
    ) async throws -> (keys: [SSHHostKey], wasAsked: Bool) {
        if !plan.confirmed.isEmpty {
            return (open.map(\.key).filter { plan.confirmed.contains($0.fingerprint) }, false)
        }
        guard !open.isEmpty, let questioner = plan.access.questioner else { return ([], false) }
        let text =
            reportIsSeen && questioner.isTerminal
            ? ""
            : TrustReport.text(
                scan, named: plan.access.endpoint.name, pictures: questioner.isTerminal)
        let fingerprints = open.map(\.key.fingerprint)
        let answer = try await questioner.ask(
            TrustPrompt.question(about: open), again: TrustPrompt.again, after: text
        ) { HostKeyAnswer($0, to: fingerprints) }
        switch answer {
        case nil, .no: return ([], true)
        case .yes: return (open.map(\.key), true)
        case .fingerprint(let fingerprint): return (open.map(\.key).filter { $0.fingerprint == fingerprint }, true)
        }
    }

    private func write(_ offer: SSHHostKeyScan.Offer, at index: Int, to outcome: inout TrustOutcome) throws {
        let name = plan.knownHostName
        guard case .changed = offer.verdict else {
            switch try files.add(offer.key, host: name.host, port: name.port) {
            case .added(let place): outcome.actions[index] = .added(place)
            case .alreadyKnown: outcome.actions[index] = .kept
            case .contradicted: break
            }
            return
        }
        let replacement = try files.replace(with: [offer.key], host: name.host, port: name.port)
        if let place = replacement.added.first { outcome.actions[index] = .replaced(place) }
        outcome.removed += replacement.removed
    }
}

extension TrustPlan {
    var knownHostName: (host: String, port: Int) { access.configuration.knownHostName(of: access.endpoint) }
}

enum TrustPrompt {
    static let again = "Please type yes, no, or a whole fingerprint: "

    static func question(about open: [SSHHostKeyScan.Offer]) -> String {
        let replaces = open.contains { if case .changed = $0.verdict { true } else { false } }
        let keys = open.count == 1 ? "this key" : "these \(open.count) keys"
        let action = replaces ? "Replace the known keys with \(keys)?" : "Remember \(keys)?"
        return "\(action) Compare the fingerprints first. Type yes, no, or \(open.count == 1 ? "the" : "one") fingerprint: "
    }
}

/// `trust` from beginning to end, with signal handling and the report.
struct SupervisedTrust: Sendable {
    let plan: TrustPlan

    func perform() async -> SSHExitStatus {
        let log = StageLog(style: plan.output)
        return await SignalSupervision.perform {
            await attempt(log, $0)
        } unfinished: {
            TrustOutcome(endpoint: plan.access.endpoint, error: verdict(on: CancellationError(), $0))
        } publish: {
            publish($0)
        }
    }

    private func attempt(_ log: StageLog, _ control: RunControl) async -> TrustOutcome {
        let isJSON = plan.output.json
        let work = TrustWork(plan: plan, reportIsSeen: !isJSON && TerminalForm.of(1).isTerminal)
        do {
            let configuration = try await plan.access.completeConfiguration(log)
            return try await work.perform(configuration) { scan in
                if !isJSON { Console.show(TrustReport.text(scan, named: plan.access.endpoint.name)) }
            }
        } catch {
            return TrustOutcome(endpoint: plan.access.endpoint, error: verdict(on: error, control))
        }
    }

    private func verdict(on error: any Error, _ control: RunControl) -> SSHError {
        control.verdict(on: error, at: plan.access.endpoint, of: .trust)
    }

    private func publish(_ outcome: TrustOutcome) -> SSHExitStatus {
        let status = outcome.error?.exitStatus(plan.output.convention) ?? .success
        if plan.output.json {
            Console.standardOutput(outcome.json(plan.output.convention, destination: plan.destination))
            return status
        }
        let actions = TrustReport.actions(outcome)
        if !actions.isEmpty { Console.show((outcome.scan == nil ? "" : "\n") + actions) }
        if let error = outcome.error { FailureBanner.show(error, showsEvidence: plan.output.verbosity > 1) }
        return status
    }
}
