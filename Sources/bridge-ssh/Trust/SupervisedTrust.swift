import BridgeSSH

/// `trust` from beginning to end, with signals, and with the last word said.
struct SupervisedTrust {
    let plan: TrustPlan

    func perform() async -> ExitStatus {
        let control = RunControl()
        SignalWatch.start { control.received($0) }
        let log = StageLog(style: plan.output)
        let work = Task(executorPreference: OneLoop.executor) { await attempt(log, control) }
        control.attach { work.cancel() }
        let outcome = await work.value
        TerminalGuard.restore()
        return publish(outcome)
    }

    private func attempt(_ log: StageLog, _ control: RunControl) async -> TrustOutcome {
        let isJSON = plan.output.json
        let work = TrustWork(plan: plan, reportIsSeen: !isJSON && TerminalForm.of(1).isTerminal)
        do {
            let configuration = try await plan.access.completeConfiguration(log)
            return try await work.perform(configuration) { if !isJSON { Console.standardOutput(TrustReport.text($0)) } }
        } catch {
            return TrustOutcome(endpoint: plan.access.endpoint, error: verdict(on: error, control))
        }
    }

    private func verdict(on error: any Error, _ control: RunControl) -> SSHError {
        switch error {
        case let error as SSHError: return control.named(error)
        case let problem as UsageProblem: return problem.verdict(of: .trust)
        case let problem as KnownHostsProblem: return problem.verdict
        default:
            let endpoint = plan.access.endpoint
            let event: Evidence.Event =
                error is CancellationError
                ? .cancelled(signal: control.signal) : .internalFailure(problem: "\(error)")
            var evidence = Evidence(
                event: event, stage: .local, host: endpoint.host, port: endpoint.port, user: endpoint.user)
            evidence.libraryVersion = Library.version
            return FailureClassifier.classify(evidence)
        }
    }

    private func publish(_ outcome: TrustOutcome) -> ExitStatus {
        let status = outcome.error?.exitStatus(plan.output.convention) ?? .success
        if plan.output.json {
            Console.standardOutput(outcome.json(plan.output.convention).bytes + [UInt8(ascii: "\n")])
            return status
        }
        let deeds = TrustReport.deeds(outcome)
        if !deeds.isEmpty { Console.standardOutput((outcome.scan == nil ? "" : "\n") + deeds) }
        if let error = outcome.error { FailureBanner.show(error, showsEvidence: plan.output.verbosity > 1) }
        return status
    }
}
