import BridgeSSH
import ErrorCore
import Logging

/// Reports the outcome of a run: the JSON object or the banner, and the exit status.
struct RunConclusion: Sendable {
    let plan: RunPlan
    let log: StageLog
    let records: RunRecords

    /// 128 + SIGPIPE, as of any filter whose reader went away: nothing is reported, because nothing is read any more.
    private static let outputClosed = ExitStatus(rawValue: 141)

    func publish(_ outcome: RunOutcome) async -> ExitStatus {
        let said = await say(outcome)
        let hints = ArgumentHints(quiet: plan.output.quiet, convention: plan.output.convention)
        let status = LostReport.conclude(said, hints, lostEvidence(outcome))
        if !plan.output.quiet, !plan.output.json {
            for complaint in await records.complaints() { Console.note(TerminalText.escape(complaint)) }
        }
        return status
    }

    /// What is known of a command whose JSON object could not be written.
    private func lostEvidence(_ outcome: RunOutcome) -> Evidence {
        if case .failed(let error) = outcome.end { return error.evidence }
        var evidence = Evidence(local: .commandEnded, endpoint: plan.endpoint)
        if case .ended(let termination, _) = outcome.end {
            evidence.command = CommandEvidence(command: plan.command, ended: termination)
        }
        return evidence
    }

    private func say(_ outcome: RunOutcome) async -> ExitStatus {
        switch outcome.end {
        case .ended(_, nil):
            if plan.output.json { Console.standardOutput(report(outcome, nil).json) }
            records.logger.info("succeeded", metadata: metadata(outcome, .success))
            return .success
        case .ended(_, let error?), .failed(let error):
            return await publish(error, outcome)
        case .outputClosed:
            log.line("nobody reads standard output any more")
            let status = plan.output.convention == .ssh ? ExitStatus.unclassified : Self.outputClosed
            records.logger.info("nobody reads standard output any more", metadata: metadata(outcome, status))
            return status
        case .cancelled(let signal):
            return await publish(verdict(.cancelled(signal: signal)), outcome)
        case .unforeseen(let problem):
            return await publish(verdict(.internalFailure(problem: problem)), outcome)
        }
    }

    private func publish(_ error: SSHError, _ outcome: RunOutcome) async -> ExitStatus {
        let status = error.exitStatus(plan.output.convention)
        if plan.output.json { Console.standardOutput(report(outcome, error).json) }
        let details = FailureBanner.details(of: error, attempts: outcome.attempts)
        // Also of a command that was never sent.
        let values: ErrorMetadata = [
            "attempts": "\(outcome.attempts)", "exit_status": "\(status)", "ssh_command": Redactor.standard.command(plan.command),
        ]
        if let presentation = await records.handle(error, details: details, values: values) {
            show(presentation, error)
        } else if error.code == .localCancelled, !plan.output.json, !plan.output.quiet {
            // The handler does not show a cancellation; at a terminal this answers ^C and reports the state of the command.
            show(ErrorPresentation(error, details: details), error)
        } else if !plan.output.json {
            log.line("\(error.code): \(error.message)")
            if let cause = error.cause { log.line("cause: \(cause.message)") }
        }
        return status
    }

    private func show(_ presentation: ErrorPresentation, _ error: SSHError) {
        FailureBanner.show(presentation, of: error, showsEvidence: plan.output.verbosity > 1)
    }

    private func metadata(_ outcome: RunOutcome, _ status: ExitStatus) -> Logger.Metadata {
        [
            "ssh_command": .string(plan.command),
            "exit_status": .stringConvertible(Int(status.rawValue)), "attempts": .stringConvertible(outcome.attempts),
            "elapsed_seconds": .stringConvertible(outcome.durationSeconds),
        ]
    }

    private func verdict(_ event: Evidence.Event) -> SSHError {
        FailureClassifier.classify(Evidence(local: event, endpoint: plan.endpoint))
    }

    private func report(_ outcome: RunOutcome, _ error: SSHError?) -> RunReport {
        var report = RunReport(
            host: plan.endpoint.host, port: plan.endpoint.port, user: plan.endpoint.user, command: plan.command,
            destination: plan.destination)
        if case .ended(let termination, _) = outcome.end {
            switch termination {
            case .exited(let status): report.exitStatus = status
            // A signal's name comes from the server: the error has it in a form that is safe to print.
            case .signalled, .unknown: break
            }
        }
        if let error { report.take(error) }
        report.standardOutput = outcome.standardOutput
        report.standardError = outcome.standardError
        report.durationSeconds = outcome.durationSeconds
        report.timings = RunReport.Timings(outcome.timings)
        report.attempts = outcome.attempts
        return report
    }
}

extension RunReport.Timings {
    init(_ timings: StageTimings) {
        self.init()
        resolve = timings.resolve
        connect = timings.connect
        banner = timings.banner
        keyExchange = timings.keyExchange
        authentication = timings.authentication
        channel = timings.channel
        command = timings.command
    }
}
