/// The result of a plain SSH client: its standard error and exit status.
public struct SSHTranscript: Sendable, Hashable, Codable {
    /// The client's standard error, or a log that contains it.
    public var standardError: String
    /// The exit status; nil if unknown.
    public var exitStatus: Int?
    /// The command line (`ssh web1 make`, `git fetch`, `rsync …`), or the remote command alone; empty if unknown.
    public var command: String

    /// Makes a transcript.
    public init(standardError: String, exitStatus: Int? = nil, command: String = "") {
        self.standardError = standardError
        self.exitStatus = exitStatus
        self.command = command
    }
}

/// Classifies failures by the output of plain SSH clients: OpenSSH's `ssh`, `scp` and `sftp` from 6.6 to 10, the programs that
/// run them (rsync, git, Ansible), and the SSH libraries of other languages. Codes, messages and hints are those of a run.
///
/// Output is weaker than evidence: the standard error of a remote command may contain the same words. So a verdict is `exact`
/// only if the client's exit status and last lines agree, and no other program could have written them.
public enum SSHTranscriptClassifier {
    /// The verdict; nil if nothing failed (exit status 0, or no status and no known words).
    public static func classify(_ transcript: SSHTranscript) -> SSHError? {
        verdict(on: transcript).error
    }

    /// The verdict, and the client that wrote the transcript (`openssh 9.2`); nil if it is unknown.
    package static func verdict(on transcript: SSHTranscript) -> (error: SSHError?, client: String?) {
        let reader = TranscriptReader(
            transcript.standardError, program: LocalClient.program(of: transcript.command), of: transcript.command)
        if transcript.exitStatus == 0 { return (nil, reader.client) }
        return (TranscriptVerdict(transcript, reader).error, reader.client)
    }
}
