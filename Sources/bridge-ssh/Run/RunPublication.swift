import BridgeSSH
import ErrorCore
import Logging
import SSHRun

/// Shows and records a run's conclusion: the JSON object or the banner, the logs, and the exit status.
struct RunPublication: Sendable {
    let plan: RunCommandPlan
    let log: StageLog
    let records: RunRecords

    private var style: OutputStyle { plan.output }

    func publish(_ outcome: RunOutcome) async -> ExitStatus {
        let conclusion = RunConclusion(plan.run, outcome)
        let status = conclusion.exitStatus(style.convention)
        switch conclusion.verdict {
        case .succeeded:
            if style.json { Console.standardOutput(conclusion.report.json) }
            records.logger.info("succeeded", metadata: conclusion.metadata(status))
        case .outputClosed:
            let text = "nothing reads standard output any more"
            log.line(text)
            records.logger.info("\(text)", metadata: conclusion.metadata(status))
        case .failed(let error):
            if style.json { Console.standardOutput(conclusion.report.json) }
            await publish(error, attempts: outcome.attempts, conclusion.errorValues(status))
        }
        if !style.quiet, !style.json {
            for complaint in await records.complaints() { Console.note(TerminalText.escape(complaint)) }
        }
        return status
    }

    private func publish(_ error: SSHError, attempts: Int, _ values: ErrorMetadata) async {
        let details = FailureBanner.details(of: error, attempts: attempts)
        if let presentation = await records.handle(error, details: details, values: values) {
            show(presentation, error)
        } else if error.code == .localCancelled, !style.json, !style.quiet {
            // The handler does not show a cancellation; at a terminal this answers ^C and reports the state of the command.
            show(ErrorPresentation(error, details: details), error)
        } else if !style.json {
            log.line("\(error.code): \(error.message)")
            if let cause = error.cause { log.line("cause: \(cause.message)") }
        }
    }

    private func show(_ presentation: ErrorPresentation, _ error: SSHError) {
        FailureBanner.show(presentation, of: error, showsEvidence: style.verbosity > 1)
    }
}
