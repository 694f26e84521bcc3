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

/// How a run ended, before it is reported.
package struct RunOutcome: Sendable {
    package enum End: Sendable {
        /// The command ended on its own. The error is the verdict, unless it exited with status 0.
        case ended(SSHTermination, SSHError?)
        /// The run failed.
        case failed(SSHError)
        /// The reader of standard output closed it.
        case outputClosed
        /// Cancelled before a command ran; `signal` is nil without a signal.
        case cancelled(signal: String?)
        /// An error of an unexpected type.
        case unforeseen(String)
    }

    package var end: End
    /// The collected output, if the output was not passed on.
    package var standardOutput: [UInt8] = []
    package var standardError: [UInt8] = []
    /// The times of the last attempt.
    package var timings = SSHStageTimings()
    /// The duration of all attempts, including the waits between them.
    package var durationSeconds = 0.0
    package var attempts = 1
    /// The device's shell that the command was typed into.
    package var shell: SSHShellEvidence?
    /// What became of the host keys that the server announced; nil if known_hosts had them all.
    package var hostKeyUpdate: HostKeyUpdate?
    /// The server's offer of post-quantum key exchange; nil if it is not known.
    package var postQuantum: PostQuantumOffer?

    package init(end: End) {
        self.end = end
    }
}

extension RunOutcome.End {
    /// The outcome for a thrown error.
    ///
    /// - Parameter signal: the signal that ended the run, if any.
    package init(_ error: any Error, signal: String?) {
        switch error {
        case let error as SSHError: self = .failed(error)
        case let problem as UsageProblem: self = .failed(problem.verdict)
        case OutputFailure.closed: self = .outputClosed
        case OutputFailure.abandoned, is CancellationError: self = .cancelled(signal: signal)
        default: self = .unforeseen("\(error)")
        }
    }
}
