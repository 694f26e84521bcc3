internal import ErrorCore

/// The result of a remote command.
public struct SSHCommandResult: Sendable, Hashable, Codable {
    /// The command line, as sent to the remote shell.
    public let command: String
    /// How it ended.
    public let termination: SSHTermination
    /// The complete standard output.
    public let standardOutput: [UInt8]
    /// The complete standard error.
    public let standardError: [UInt8]
    /// The time from the exec request to the end of its output.
    public var duration: Duration { .bounded(seconds: durationSeconds) }
    package let durationSeconds: Double
    /// The host and the notices of the run, for the error that `checked()` makes.
    package var origin: SSHEvidence? { boxedEvidence?.value }
    private let boxedEvidence: Boxed<SSHEvidence>?

    private enum CodingKeys: String, CodingKey {
        case command, termination, standardOutput, standardError, durationSeconds
        case boxedEvidence = "origin"
    }

    /// A result, for tests.
    ///
    /// - Parameter duration: the time that the command took.
    public init(
        command: String, termination: SSHTermination = .exited(0), standardOutput: [UInt8] = [], standardError: [UInt8] = [],
        duration: Duration = .zero
    ) {
        self.init(
            command: command, termination: termination, standardOutput: standardOutput, standardError: standardError,
            durationSeconds: duration.boundedSeconds, boxedEvidence: nil)
    }

    package init(
        command: String, termination: SSHTermination, standardOutput: [UInt8], standardError: [UInt8], durationSeconds: Double,
        origin: SSHEvidence? = nil
    ) {
        self.init(
            command: command, termination: termination, standardOutput: standardOutput, standardError: standardError,
            durationSeconds: durationSeconds, boxedEvidence: origin.map { Boxed($0) })
    }

    package init(
        command: String, termination: SSHTermination, standardOutput: [UInt8], standardError: [UInt8], durationSeconds: Double,
        boxedEvidence: Boxed<SSHEvidence>?
    ) {
        self.command = command
        self.termination = termination
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.durationSeconds = durationSeconds
        self.boxedEvidence = boxedEvidence
    }
}
