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
        var status = await say(conclusion, outcome)
        if let problem = records.write(conclusion) {
            if !style.quiet { Console.note(problem) }
            if status == .success { status = .localFailure }
        }
        let hints = ArgumentHints(quiet: style.quiet, convention: style.convention)
        return LostReport.conclude(status, hints, outcome.lostEvidence(plan.run))
    }

    private func say(_ conclusion: RunConclusion, _ outcome: RunOutcome) async -> ExitStatus {
        let status = conclusion.exitStatus(style.convention, commands: style.commands)
        switch conclusion.verdict {
        case .succeeded:
            if style.json { Console.standardOutput(report(conclusion)) }
            records.logger.info("succeeded", metadata: conclusion.metadata(status))
            records.annotate(nil, of: plan.destination)
        case .outputClosed:
            let text = "nothing reads standard output any more"
            log.line(text)
            records.logger.info("\(text)", metadata: conclusion.metadata(status))
        case .failed(let error):
            if style.json { Console.standardOutput(report(conclusion)) }
            await publish(error, attempts: outcome.attempts, conclusion.errorValues(status))
            records.annotate(error, of: plan.destination)
            if !style.quiet, !style.json, error.exitStatus == .authenticationFailure {
                let offered = error.evidence.authentication?.methodsOffered ?? []
                for missing in plan.access.missingMethods where offered.contains(missing.method) { Console.note(missing.text) }
            }
        }
        if !style.quiet, !style.json {
            if let note = plan.run.sudo?.note { Console.note(note) }
            for complaint in await records.complaints() { Console.note(TerminalText.escape(complaint)) }
        }
        return status
    }

    private func report(_ conclusion: RunConclusion) -> JSONValue {
        var report = conclusion.report
        report.destination = plan.destination
        report.via = plan.maker.rawValue
        return report.json
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

extension RunOutcome {
    /// What is known of a command whose JSON object could not be written.
    fileprivate func lostEvidence(_ plan: RunPlan) -> SSHEvidence {
        if case .failed(let error) = end { return error.evidence }
        var evidence = SSHEvidence(local: .commandEnded, endpoint: plan.endpoint)
        if case .ended(let termination, _) = end {
            evidence.command = SSHCommandEvidence(command: plan.command, ended: termination)
        }
        return evidence
    }
}
