import BridgeSSH

/// A diagnosis from beginning to end, with signals, and with the last word said.
struct SupervisedDiagnosis {
    let plan: DoctorPlan

    func perform() async -> ExitStatus {
        let control = RunControl()
        SignalWatch.start { control.received($0) }
        let log = StageLog(style: plan.output)
        let work = Task(executorPreference: OneLoop.executor) { await diagnose(log, control) }
        control.attach { work.cancel() }
        let diagnosis = await work.value
        TerminalGuard.restore()
        return publish(diagnosis)
    }

    private func diagnose(_ log: StageLog, _ control: RunControl) async -> Diagnosis {
        let endpoint = plan.access.endpoint
        do {
            let configuration = try await plan.access.completeConfiguration(log)
            var diagnosis = try await SSHClient.diagnose(
                endpoint, configuration: configuration, options: plan.commandOptions)
            diagnosis.error = diagnosis.error.map(control.named)
            return diagnosis
        } catch let problem as UsageProblem {
            return Diagnosis(endpoint: endpoint, findings: [], error: problem.verdict(of: .doctor))
        } catch {
            let event: Evidence.Event =
                error is CancellationError
                ? .cancelled(signal: control.signal) : .internalFailure(problem: "\(error)")
            var evidence = Evidence(
                event: event, stage: .local, host: endpoint.host, port: endpoint.port, user: endpoint.user)
            evidence.libraryVersion = Library.version
            return Diagnosis(endpoint: endpoint, findings: [], error: FailureClassifier.classify(evidence))
        }
    }

    /// The report on standard output; the banner of a failure on standard error, as of a run.
    private func publish(_ diagnosis: Diagnosis) -> ExitStatus {
        if plan.output.json {
            Console.standardOutput(diagnosis.json(plan.output.convention).bytes + [UInt8(ascii: "\n")])
            return diagnosis.exitStatus(plan.output.convention)
        }
        let form = TerminalForm.of(1)
        // On one screen the banner follows at once, and what it says need not be said twice.
        let report = DoctorReport(form: form, tellsFailure: !(form.isTerminal && TerminalForm.of(2).isTerminal))
        Console.standardOutput(report.text(diagnosis))
        if let error = diagnosis.error { FailureBanner.show(error, showsEvidence: plan.output.verbosity > 1) }
        return diagnosis.exitStatus(plan.output.convention)
    }
}
