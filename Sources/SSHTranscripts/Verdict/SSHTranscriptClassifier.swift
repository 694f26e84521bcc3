/// Tells failures apart from the words of plain SSH clients: OpenSSH's `ssh`, `scp` and `sftp` from 6.6 to 10, what runs
/// them (rsync, git, Ansible), and the SSH libraries of other languages. Codes, messages and hints are those of a run.
///
/// Words are weaker than evidence: standard error of a remote command may hold the same ones. So a verdict is `exact` only
/// where the client's own exit status and last words agree and nothing else could have written them.
public enum SSHTranscriptClassifier {
    /// The verdict; nil where nothing failed (exit status 0, or no status and no words that are known).
    public static func classify(_ transcript: SSHTranscript) -> SSHError? {
        verdict(on: transcript).error
    }

    /// The verdict, and the client whose words the transcript has (`openssh 9.2`); nil where no words name it.
    package static func verdict(on transcript: SSHTranscript) -> (error: SSHError?, client: String?) {
        let reader = TranscriptReader(
            transcript.standardError, program: LocalClient.program(of: transcript.command), of: transcript.command)
        if transcript.exitStatus == 0 { return (nil, reader.client) }
        return (TranscriptVerdict(transcript, reader).error, reader.client)
    }
}
