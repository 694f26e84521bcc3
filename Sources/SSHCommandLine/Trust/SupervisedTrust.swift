import BridgeSSH
import SSHRun

/// `trust` from beginning to end, with signal handling and the report.
struct SupervisedTrust: Sendable {
    let plan: TrustPlan

    func perform() async -> ExitStatus {
        let log = StageLog(style: plan.output)
        return await Supervision.perform {
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

    private func publish(_ outcome: TrustOutcome) -> ExitStatus {
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
