package import BridgeSSH
package import ErrorCore
package import Logging

/// The conclusion from a run's outcome: a verdict, an exit status, and a report. It is a value; its owner prints and records it.
package struct RunConclusion: Sendable {
    package enum Verdict: Sendable {
        /// The command exited with status 0, and all its output came.
        case succeeded
        /// The reader of standard output closed it, so nobody reads a report.
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
        _ convention: SSHExitStatus.Convention, commands: SSHExitStatus.CommandStatus = .remote
    ) -> SSHExitStatus {
        switch verdict {
        case .succeeded: .success
        case .outputClosed: .outputClosed(convention)
        case .failed(let error): error.exitStatus(convention, commands: commands)
        }
    }

    /// The object for `--json`.
    package var report: RunReport {
        var report = RunReport(
            host: plan.endpoint.host, port: plan.endpoint.port, user: plan.endpoint.user, command: plan.command)
        if case .failed(let error) = verdict { report.take(error) }
        if case .ended(let termination, _) = outcome.end { report.take(termination) }
        report.shell = report.shell ?? outcome.shell
        report.hostKeyUpdate = outcome.hostKeyUpdate
        report.postQuantum = outcome.postQuantum ?? report.postQuantum
        report.standardOutput = outcome.standardOutput
        report.standardError = outcome.standardError
        report.durationSeconds = outcome.durationSeconds
        report.timings = outcome.timings
        report.attempts = outcome.attempts
        return report
    }

    /// For the log of a run that did not fail.
    package func metadata(_ status: SSHExitStatus) -> Logger.Metadata {
        [
            "ssh_host": .string(plan.endpoint.host), "ssh_command": .string(Redactor.standard.command(plan.command)),
            "exit_status": .stringConvertible(Int(status.rawValue)), "attempts": .stringConvertible(outcome.attempts),
            "elapsed_seconds": .stringConvertible(outcome.durationSeconds),
        ]
    }

    /// For the record of a failure. It contains the command even if the command was not sent.
    package func errorValues(_ status: SSHExitStatus) -> ErrorMetadata {
        [
            "attempts": "\(outcome.attempts)", "exit_status": "\(status)", "ssh_command": Redactor.standard.command(plan.command),
        ]
    }
}
