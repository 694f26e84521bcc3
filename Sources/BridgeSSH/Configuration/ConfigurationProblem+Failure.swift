extension ConfigurationProblem {
    /// The failure that it is: `ssh.local.config-invalid`.
    public var failure: SSHError {
        FailureClassifier.classify(Evidence(local: .configurationInvalid(file: file, line: line, problem: problem)))
    }
}
