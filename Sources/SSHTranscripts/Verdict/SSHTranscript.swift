/// What a plain SSH client left behind: its standard error, and what it exited with.
public struct SSHTranscript: Sendable, Hashable, Codable {
    /// What it wrote to standard error, or a log that holds this.
    public var standardError: String
    /// Its exit status; nil where it is not known.
    public var exitStatus: Int?
    /// The command line that was run (`ssh web1 make`, `git fetch`, `rsync …`), or the remote command alone; empty where
    /// it is not known.
    public var command: String

    /// A transcript.
    public init(standardError: String, exitStatus: Int? = nil, command: String = "") {
        self.standardError = standardError
        self.exitStatus = exitStatus
        self.command = command
    }
}
