public import ErrorCore

extension SSHError: CancellationDescribing {
    /// Whether the task was cancelled: `ssh.local.cancelled`.
    public var isCancellation: Bool { code == .localCancelled }

    /// This failure's run, cancelled in the wait before the next attempt. What is known of the command stays.
    public var cancelledBeforeRetry: SSHError {
        var evidence = evidence
        evidence.event = .cancelled(signal: nil)
        evidence.stage = .local
        var error = SSHFailureClassifier.classify(evidence)
        error.result = result
        return error
    }
}
