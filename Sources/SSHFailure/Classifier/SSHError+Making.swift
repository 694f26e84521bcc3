public import ErrorCore

extension SSHError {
    /// An error as a connection would throw it, for tests of what catches it. Everything that is not given is as the code has it.
    ///
    /// ```swift
    /// server.on("uptime", throws: SSHError(.sessionConnectionLost, host: "web1", commandMayHaveRun: .unknown))
    /// ```
    /// - Parameters:
    ///   - code: what failed.
    ///   - message: what happened.
    ///   - hint: the remedy.
    ///   - host: the host in its evidence.
    ///   - commandMayHaveRun: whether the command may have run.
    ///   - result: what was collected of the command.
    public init(
        _ code: Code, message: String? = nil, hint: String? = nil, host: String = "", retry: RetryAdvice? = nil,
        commandMayHaveRun: CommandMayHaveRun = .no, result: SSHCommandResult? = nil
    ) {
        let definition = FailureCatalogue.definition(of: code)
        let message = message ?? definition.meaning
        var evidence = SSHEvidence(event: .internalFailure(problem: message), stage: code.stage, host: host)
        if code == .localCancelled { evidence.event = .cancelled(signal: nil) }
        if let result { evidence.command = result.evidence.command }
        if evidence.commandMayHaveRun != commandMayHaveRun {
            var command = SSHCommandEvidence(command: result?.command ?? "")
            command.progress = commandMayHaveRun == .no ? .notSent : .accepted
            command.exitStatus = commandMayHaveRun == .yes ? 1 : nil
            evidence.command = command
        }
        self.init(
            code: code, message: message, hint: hint ?? definition.remedy, confidence: .exact, retry: retry ?? definition.retry,
            evidence: evidence)
        self.result = result
    }
}
