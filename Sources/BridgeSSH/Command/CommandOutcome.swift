/// How a streaming run ended.
public struct CommandOutcome<Value> {
    /// What the closure returned.
    public let value: Value
    /// How the command ended.
    public let termination: Termination
    /// Seconds from the exec request to the end of the output.
    public let durationSeconds: Double
    /// What is known of the command; at least where it did not succeed.
    var evidence: Evidence? { seen?.value }
    let seen: Boxed<Evidence>?

    /// The verdict on a command that did not succeed; nil for exit status 0.
    public var error: SSHError? {
        termination.isSuccess ? nil : evidence.map { FailureClassifier.classify($0) }
    }

    /// The closure's value, if the command exited with status 0.
    ///
    /// - Throws: ``error`` if it did not.
    public func checked() throws -> Value {
        if let error { throw error }
        return value
    }
}

extension CommandOutcome: Sendable where Value: Sendable {}
