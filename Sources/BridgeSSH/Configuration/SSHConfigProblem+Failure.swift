extension SSHConfigProblem {
    /// The error for this problem: `ssh.local.config-invalid`, or `ssh.local.refused-by-config` for a refusal.
    public var failure: SSHError { SSHFailureClassifier.classify(SSHEvidence(local: event)) }

    /// What happened, as evidence has it.
    package var event: SSHEvidence.Event {
        isRefusal
            ? .configurationRefuses(file: file, line: line, reason: problem)
            : .configurationInvalid(file: file, line: line, problem: problem)
    }
}
