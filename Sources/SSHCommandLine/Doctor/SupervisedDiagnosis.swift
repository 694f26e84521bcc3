import BridgeSSH
import ErrorCore
import SSHRun

/// A diagnosis from beginning to end, with signal handling and the report.
struct SupervisedDiagnosis: Sendable {
    let plan: DoctorPlan

    func perform() async -> ExitStatus {
        let log = StageLog(style: plan.output)
        return await Supervision.perform {
            await diagnose(log, $0)
        } unfinished: {
            ended(by: CancellationError(), $0)
        } publish: {
            publish($0)
        }
    }

    private func diagnose(_ log: StageLog, _ control: RunControl) async -> SSHDiagnosis {
        let endpoint = plan.access.endpoint
        do {
            let configuration = try await plan.access.completeConfiguration(log)
            var diagnosis = SSHDiagnosis(endpoint: endpoint, findings: [], error: nil)
            do {
                try await withRetry(plan.retry.policy { true }, observer: { report($0, log) }) { _ in
                    diagnosis = try await SSHClient.diagnose(
                        endpoint, configuration: configuration, options: plan.commandOptions)
                    if let error = diagnosis.error { throw error }
                }
            } catch let error as SSHError where error.code == diagnosis.error?.code {
                // It is in the diagnosis.
            }
            diagnosis.error = diagnosis.error.map(control.named)
            return diagnosis
        } catch {
            return ended(by: error, control)
        }
    }

    private func report(_ event: RetryEvent, _ log: StageLog) {
        guard case .willRetry(let attempt, let delay) = event else { return }
        log.waits("\(ErrorProfile(attempt.error).code); looking again in \(CopyProgressLine.seconds(delay)) s")
    }

    private func ended(by error: any Error, _ control: RunControl) -> SSHDiagnosis {
        let endpoint = plan.access.endpoint
        return SSHDiagnosis(endpoint: endpoint, findings: [], error: control.verdict(on: error, at: endpoint, of: .doctor))
    }

    /// The report on standard output; the banner of a failure on standard error, as of a run.
    private func publish(_ diagnosis: SSHDiagnosis) -> ExitStatus {
        if plan.output.json {
            Console.standardOutput(diagnosis.json(plan.output.convention, destination: plan.destination))
            return diagnosis.exitStatus(plan.output.convention)
        }
        let form = TerminalForm.of(1)
        // Where both go to one place the banner follows at once, and the report need not say the same.
        let report = DoctorReport(form: form, tellsFailure: !StandardDescriptors.areOne)
        Console.show(report.text(diagnosis))
        guard let error = diagnosis.error else { return diagnosis.exitStatus(plan.output.convention) }
        let isTold = !StandardDescriptors.areOne && diagnosis.findings.contains { $0.level == .failed && $0["title"] != nil }
        // A person with `| tee` has the report before them; with a file they have to know that there is something to read.
        if isTold, TerminalForm.of(2).isTerminal, plan.output.verbosity < 2 {
            Console.note("stopped: \(error.code.title) (\(error.code)); the report says more")
        } else {
            FailureBanner.show(error, showsEvidence: plan.output.verbosity > 1)
        }
        return diagnosis.exitStatus(plan.output.convention)
    }
}
