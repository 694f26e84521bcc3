import BridgeSSH
import SSHRun

/// What a subcommand wrote on standard output and could not: then it has not succeeded.
enum LostReport {
    /// Reports output that is lost, and corrects the exit status.
    ///
    /// - Parameters:
    ///   - status: the status without the loss, which is kept where it is a failure.
    ///   - hints: the wanted form of the report.
    ///   - evidence: what is known of a command whose result is lost.
    static func conclude(_ status: ExitStatus, _ hints: ArgumentHints, _ evidence: SSHEvidence? = nil) -> ExitStatus {
        let number: Int32
        switch Console.takeOutputProblem() {
        case .system(let problem)?: number = problem
        // It needs no message: its reader did not want all of it.
        case .closed?: return status == .success ? .outputClosed(hints.convention) : status
        case .abandoned?, nil: return status
        }
        var evidence = evidence ?? SSHEvidence(event: .outputUnwritable(systemError: number), stage: .local)
        evidence.event = .outputUnwritable(systemError: number)
        let verdict = SSHFailureClassifier.classify(evidence)
        // Standard error has it also with --json, for there is no other place.
        if !hints.quiet { FailureBanner.show(verdict, showsEvidence: false) }
        return status == .success ? verdict.exitStatus(hints.convention) : status
    }
}
