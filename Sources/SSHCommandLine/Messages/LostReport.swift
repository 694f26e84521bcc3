import BridgeSSH

/// What a subcommand wrote on standard output and could not: then it has not succeeded.
enum LostReport {
    /// Reports output that is lost, and corrects the exit status.
    ///
    /// - Parameters:
    ///   - status: the status without the loss, which is kept where it is a failure.
    ///   - hints: the wanted form of the report.
    ///   - evidence: what is known of a command whose result is lost.
    static func conclude(_ status: ExitStatus, _ hints: ArgumentHints, _ evidence: SSHEvidence? = nil) -> ExitStatus {
        guard let number = Console.takeOutputProblem() else { return status }
        var evidence = evidence ?? SSHEvidence(event: .outputUnwritable(systemError: number), stage: .local)
        evidence.event = .outputUnwritable(systemError: number)
        let verdict = SSHFailureClassifier.classify(evidence)
        // Standard error has it also with --json, for there is no other place.
        if !hints.quiet { FailureBanner.show(verdict, showsEvidence: false) }
        return status == .success ? verdict.exitStatus(hints.convention) : status
    }
}
