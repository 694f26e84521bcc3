extension SSHConfigProblem {
    /// The error for this problem: `ssh.local.config-invalid`, or `ssh.local.refused-by-config` for a refusal.
    public var failure: SSHError {
        var evidence = SSHEvidence(local: event)
        if let refusedHost { evidence.host = refusedHost }
        return SSHFailureClassifier.classify(evidence)
    }

    /// What happened, as evidence has it.
    package var event: SSHEvidence.Event {
        refusedHost != nil
            ? .configurationRefuses(file: file, line: line, reason: problem)
            : .configurationInvalid(file: file, line: line, problem: problem)
    }
}
