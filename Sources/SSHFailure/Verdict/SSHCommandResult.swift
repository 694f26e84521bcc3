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
    package var origin: SSHEvidence? { seen?.value }
    private let seen: Boxed<SSHEvidence>?

    private enum CodingKeys: String, CodingKey {
        case command, termination, standardOutput, standardError, durationSeconds
        case seen = "origin"
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
            durationSeconds: duration.boundedSeconds, seen: nil)
    }

    package init(
        command: String, termination: SSHTermination, standardOutput: [UInt8], standardError: [UInt8], durationSeconds: Double,
        origin: SSHEvidence? = nil
    ) {
        self.init(
            command: command, termination: termination, standardOutput: standardOutput, standardError: standardError,
            durationSeconds: durationSeconds, seen: origin.map { Boxed($0) })
    }

    package init(
        command: String, termination: SSHTermination, standardOutput: [UInt8], standardError: [UInt8], durationSeconds: Double,
        seen: Boxed<SSHEvidence>?
    ) {
        self.command = command
        self.termination = termination
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.durationSeconds = durationSeconds
        self.seen = seen
    }
}
