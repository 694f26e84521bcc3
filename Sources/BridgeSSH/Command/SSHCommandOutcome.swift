/// The end of a streaming run.
public struct SSHCommandOutcome<Value> {
    /// The value that the closure returned.
    public let value: Value
    /// How the command ended; `unknown` if it was ended and the server did not report how.
    public let termination: SSHTermination
    /// Whether the command was still running when the closure returned, and was then ended (``SSHExecution/WhenBodyReturns``). In
    /// that case its termination is not a failure.
    public let wasTerminated: Bool
    /// The time from the exec request to the end of the output.
    public let duration: Duration
    /// The evidence of the command; always present if it did not succeed.
    var evidence: SSHEvidence? { boxedEvidence?.value }
    let boxedEvidence: Boxed<SSHEvidence>?

    init(value: Value, _ ending: SSHExecution.CommandEnd, duration: Duration) {
        self.value = value
        termination = ending.termination
        wasTerminated = ending.wasTerminated
        self.duration = duration
        boxedEvidence = ending.boxedEvidence
    }

    /// The outcome of a command that did not run, for tests.
    public init(value: Value, termination: SSHTermination = .exited(0), wasTerminated: Bool = false, duration: Duration = .zero) {
        self.value = value
        self.termination = termination
        self.wasTerminated = wasTerminated
        self.duration = duration
        boxedEvidence = Boxed(SSHCommandResult(command: "", termination: termination).evidence)
    }

    /// The outcome of a command that a test script answered.
    package init(value: Value, of command: SSHCommandResult, wasTerminated: Bool) {
        self.value = value
        termination = command.termination
        self.wasTerminated = wasTerminated
        duration = command.duration
        boxedEvidence = Boxed(command.evidence)
    }

    /// The verdict on a command that failed; nil for exit status 0, and for a command that was ended on purpose.
    public var error: SSHError? {
        termination.isSuccess || wasTerminated ? nil : evidence.map { SSHFailureClassifier.classify($0) }
    }

    /// The closure's value, if the command exited with status 0, or was ended because the closure had returned.
    ///
    /// - Throws: ``error`` otherwise.
    public func checked() throws -> Value {
        if let error { throw error }
        return value
    }
}

extension SSHCommandOutcome: Sendable where Value: Sendable {}
extension SSHCommandOutcome: Equatable where Value: Equatable {}
extension SSHCommandOutcome: Hashable where Value: Hashable {}
