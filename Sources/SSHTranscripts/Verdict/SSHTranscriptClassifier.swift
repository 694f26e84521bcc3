/// Tells failures apart from the words of plain SSH clients: OpenSSH's `ssh`, `scp` and `sftp` from 6.6 to 10, what runs
/// them (rsync, git, Ansible), and the SSH libraries of other languages. Codes, messages and hints are those of a run.
///
/// Words are weaker than evidence: standard error of a remote command may hold the same ones. So a verdict is `exact` only
/// where the client's own exit status and last words agree and nothing else could have written them.
public enum SSHTranscriptClassifier {
    /// The verdict; nil where nothing failed (exit status 0, or no status and no words that are known).
    public static func classify(_ transcript: SSHTranscript) -> SSHError? {
        if transcript.exitStatus == 0 { return nil }
        let reader = TranscriptReader(transcript.standardError)
        return TranscriptVerdict(transcript, reader).error
    }
}

extension SSHError {
    /// The same verdict, no surer than this.
    func weakened(to limit: Confidence, adding more: [String]) -> SSHError {
        let order: [Confidence] = [.exact, .likely, .guess]
        let index = max(order.firstIndex(of: confidence) ?? 2, order.firstIndex(of: limit) ?? 2)
        let added = more.filter { !alternatives.contains($0) }
        // Making an error makes all its texts harmless anew.
        if order[index] == confidence, added.isEmpty { return self }
        return SSHError(
            code: code, message: message, hint: hint, confidence: order[index],
            alternatives: alternatives + added, retry: retry,
            cause: cause, evidence: evidence)
    }
}
