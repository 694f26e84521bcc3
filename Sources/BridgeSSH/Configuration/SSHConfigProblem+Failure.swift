extension SSHConfigProblem {
    /// The error for this problem: `ssh.local.config-invalid`.
    public var failure: SSHError {
        SSHFailureClassifier.classify(SSHEvidence(local: .configurationInvalid(file: file, line: line, problem: problem)))
    }
}
