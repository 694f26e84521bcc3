/// The command and what is known of how it ended.
public struct SSHCommandEvidence: Sendable, Hashable, Codable {
    /// The command line as it was given to the remote shell.
    public var command: String
    /// How far the exec request got.
    public var progress = Progress.notSent
    /// The exit status (RFC 4254 section 6.10), if one came.
    public var exitStatus: Int?
    /// The exit signal, if one came.
    public var exitSignal: SSHExitSignal?
    /// Whether the end of both output streams was received.
    public var endOfOutput = false
    /// Whether the server had closed the channel.
    public var channelClosed = false
    /// The last 8 KiB of standard error, as UTF-8 with replacement characters.
    public var standardErrorTail = ""
    /// The last 2 KiB of standard output, as UTF-8 with replacement characters.
    public var standardOutputTail = ""
    /// Whether a pseudo-terminal was allocated (standard error then comes on standard output).
    public var hasPTY = false
    /// How a command that had to end was ended; nil when it did not have to.
    public var teardown: Teardown?

    /// How far an exec request got.
    public enum Progress: String, Sendable, Hashable, Codable {
        /// It was not sent: the command cannot have run.
        case notSent
        /// It was sent and not answered: the command may have run.
        case sent
        /// It was refused: the command did not run.
        case refused
        /// It was accepted: the server has started the command.
        case accepted
    }

    /// How a command was ended.
    public enum Teardown: String, Sendable, Hashable, Codable {
        /// A signal was sent (RFC 4254 section 6.9).
        case signalled
        /// ^C was typed into its pseudo-terminal.
        case interrupted
        /// Only its channel was closed; it may still run.
        case channelClosed
    }

    /// A command that has not been sent yet.
    public init(command: String) {
        self.command = command
    }
}
