/// The command and the known facts about its end.
public struct SSHCommandEvidence: Sendable, Hashable, Codable {
    /// The command line, as sent to the remote shell.
    public var command: String
    /// The progress of the exec request.
    public var progress = Progress.notSent
    /// The exit status (RFC 4254 section 6.10), if one came.
    public var exitStatus: Int?
    /// The exit signal (RFC 4254 section 6.10), if one came.
    public var exitSignal: SSHExitSignal?
    /// Whether the end of both output streams was received.
    public var endOfOutput = false
    /// Whether the server had closed the channel.
    public var channelClosed = false
    /// The last 8 KiB of standard error, as UTF-8 with replacement characters.
    public var standardErrorTail = ""
    /// The last 2 KiB of standard output, as UTF-8 with replacement characters.
    public var standardOutputTail = ""
    /// Whether a pseudo-terminal was allocated. Standard error then arrives on standard output.
    public var hasPTY = false
    /// The way in which bridge-ssh ended the command; nil if it did not have to.
    public var teardown: Teardown?
    /// The shell that the command was typed into; nil for an exec request. With a shell, ``progress`` describes the typed
    /// command.
    public var shell: SSHShellEvidence?

    /// The progress of an exec request.
    public enum Progress: String, Sendable, Hashable, Codable {
        /// Not sent: the command cannot have run.
        case notSent
        /// Sent and not answered: the command may have run.
        case sent
        /// Refused: the command did not run.
        case refused
        /// Accepted: the server has started the command.
        case accepted
    }

    /// The way in which bridge-ssh ended a command.
    public enum Teardown: String, Sendable, Hashable, Codable {
        /// A signal was sent (RFC 4254 section 6.9).
        case signalled
        /// ^C was typed into its pseudo-terminal.
        case interrupted
        /// Only its channel was closed; the command may still run.
        case channelClosed
    }

    /// A command that has not been sent yet.
    public init(command: String) {
        self.command = command
    }

    /// The command's end, as far as it is known.
    var termination: SSHTermination { exitSignal.map { .signalled($0) } ?? exitStatus.map { .exited($0) } ?? .unknown }
}

/// The known facts about a device's shell that a command was typed into.
public struct SSHShellEvidence: Sendable, Hashable, Codable {
    /// The kind of device, if known, such as `Cisco IOS`.
    public var device: String?
    /// The prompt as first received; nil if none came.
    public var prompt: String?
    /// The last received line without a line end.
    public var lastLine: String
    /// The line with which the device rejected the command, or reported that it failed.
    public var rejection: String?
    /// Whether the device has shown the command as it was typed; nil before the command was. Without that a prompt does not say
    /// that the command has ended.
    public var echoSeen: Bool?
    /// Whether the prompt came back after the command.
    public var promptReturned = false

    /// A shell of which only the last line is known.
    public init(lastLine: String = "") { self.lastLine = lastLine }
}
