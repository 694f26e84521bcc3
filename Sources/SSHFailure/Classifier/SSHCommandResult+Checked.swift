extension SSHCommandResult {
    /// This result, if the command exited with status 0.
    ///
    /// - Throws: `SSHError` with this result attached: `ssh.command.exit-nonzero`, `…not-found`, `…not-executable`,
    ///   `…killed-by-signal`, `…login-shell-denied`, or `…outcome-unknown` if neither a status nor a signal came.
    @discardableResult
    public func checked() throws -> SSHCommandResult {
        if termination.isSuccess { return self }
        var error = SSHFailureClassifier.classify(evidence)
        error.result = self
        throw error
    }

    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    public var standardOutputText: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    public var standardErrorText: String { String(decoding: standardError, as: UTF8.self) }

    /// The evidence of an ended command, with the end of its output.
    package var evidence: SSHEvidence {
        var evidence = origin ?? SSHEvidence(event: .commandEnded, stage: .command)
        evidence.event = .commandEnded
        evidence.stage = .command
        var ended = evidence.command ?? SSHCommandEvidence(command: command)
        ended.progress = .accepted
        ended.endOfOutput = true
        ended.channelClosed = true
        if origin?.command == nil {
            ended.standardOutputTail = String(decoding: standardOutput.suffix(2048), as: UTF8.self)
            ended.standardErrorTail = String(decoding: standardError.suffix(8192), as: UTF8.self)
        }
        switch termination {
        case .exited(let status): ended.exitStatus = status
        case .signalled(let signal): ended.exitSignal = signal
        case .unknown: break
        }
        evidence.command = ended
        return evidence
    }
}
