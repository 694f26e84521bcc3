extension ConfigurationProblem {
    /// The error for this problem: `ssh.local.config-invalid`.
    public var failure: SSHError {
        FailureClassifier.classify(Evidence(local: .configurationInvalid(file: file, line: line, problem: problem)))
    }
}
