package import BridgeSSH
package import ErrorCore
package import Logging

/// What a run's outcome comes to: a verdict, an exit status, and the report of it. A value; its owner shows and records it.
package struct RunConclusion: Sendable {
    package enum Verdict: Sendable {
        /// Exit status 0, and all output.
        case succeeded
        /// Nothing reads standard output any more. There is nothing to report, because nothing would read it.
        case outputClosed
        case failed(SSHError)
    }

    package let verdict: Verdict
    private let plan: RunPlan
    private let outcome: RunOutcome

    package init(_ plan: RunPlan, _ outcome: RunOutcome) {
        self.plan = plan
        self.outcome = outcome
        func local(_ event: SSHEvidence.Event) -> Verdict {
            .failed(SSHFailureClassifier.classify(SSHEvidence(local: event, endpoint: plan.endpoint)))
        }
        verdict =
            switch outcome.end {
            case .ended(_, nil): .succeeded
            case .ended(_, let error?), .failed(let error): .failed(error)
            case .outputClosed: .outputClosed
            case .cancelled(let signal): local(.cancelled(signal: signal))
            case .unforeseen(let problem): local(.internalFailure(problem: problem))
            }
    }

    package func exitStatus(
        _ convention: ExitStatus.Convention, commands: ExitStatus.CommandStatus = .remote
    ) -> ExitStatus {
        switch verdict {
        case .succeeded: .success
        case .outputClosed: .outputClosed(convention)
        case .failed(let error): error.exitStatus(convention, commands: commands)
        }
    }

    /// The object of `--json`.
    package var report: RunReport {
        var report = RunReport(
            host: plan.endpoint.host, port: plan.endpoint.port, user: plan.endpoint.user, command: plan.command)
        if case .failed(let error) = verdict { report.take(error) }
        if case .ended(let termination, _) = outcome.end { report.take(termination) }
        report.standardOutput = outcome.standardOutput
        report.standardError = outcome.standardError
        report.durationSeconds = outcome.durationSeconds
        report.timings = outcome.timings
        report.attempts = outcome.attempts
        return report
    }

    /// For the log, of a run that did not fail.
    package func metadata(_ status: ExitStatus) -> Logger.Metadata {
        [
            "ssh_host": .string(plan.endpoint.host), "ssh_command": .string(Redactor.standard.command(plan.command)),
            "exit_status": .stringConvertible(Int(status.rawValue)), "attempts": .stringConvertible(outcome.attempts),
            "elapsed_seconds": .stringConvertible(outcome.durationSeconds),
        ]
    }

    /// For the record of a failure; the command also where it was never sent.
    package func errorValues(_ status: ExitStatus) -> ErrorMetadata {
        [
            "attempts": "\(outcome.attempts)", "exit_status": "\(status)", "ssh_command": Redactor.standard.command(plan.command),
        ]
    }
}
