/// How a streaming run ended.
public struct SSHCommandOutcome<Value> {
    /// What the closure returned.
    public let value: Value
    /// How the command ended; `unknown` where it was ended and the server did not say how.
    public let termination: SSHTermination
    /// Whether the command still ran when the closure returned, and was ended then
    /// (``SSHExecution/WhenBodyReturns``). How it ended is no failure then.
    public let wasTerminated: Bool
    /// The time from the exec request to the end of the output.
    public let duration: Duration
    /// What is known of the command; at least where it did not succeed.
    var evidence: SSHEvidence? { seen?.value }
    let seen: Boxed<SSHEvidence>?

    init(value: Value, _ ending: SSHExecution.Ending, duration: Duration) {
        self.value = value
        termination = ending.termination
        wasTerminated = ending.wasTerminated
        self.duration = duration
        seen = ending.seen
    }

    /// The outcome of a command that was not run, for tests.
    public init(value: Value, termination: SSHTermination = .exited(0), wasTerminated: Bool = false, duration: Duration = .zero) {
        self.value = value
        self.termination = termination
        self.wasTerminated = wasTerminated
        self.duration = duration
        seen = Boxed(SSHCommandResult(command: "", termination: termination).evidence)
    }

    /// The verdict on a command that did not succeed; nil for exit status 0, and for a command that was ended on purpose.
    public var error: SSHError? {
        termination.isSuccess || wasTerminated ? nil : evidence.map { SSHFailureClassifier.classify($0) }
    }

    /// The closure's value, if the command exited with status 0 or was ended because the closure had returned.
    ///
    /// - Throws: ``error`` if it did neither.
    public func checked() throws -> Value {
        if let error { throw error }
        return value
    }
}

extension SSHCommandOutcome: Sendable where Value: Sendable {}
