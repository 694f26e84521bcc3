import BridgeSSH

/// What ssh's end means, from its trace.
struct StandInVerdict {
    let ending: StandInReport.Ending
    let error: SSHError?
    /// Whether the trace proves that no session was asked for, so that neither the command nor the input is touched.
    let isUntouched: Bool

    /// - Parameters:
    ///   - status: what ssh exited with; nil where a signal ended it.
    ///   - signal: that signal.
    ///   - ssh: is asked what it would do with these arguments, after a failure.
    ///   - trace: its log.
    ///   - tellsClose: whether that tells when the server closes a channel.
    ///   - parent: the name of the program that started this one.
    init(status: Int?, signal: Int?, ssh: RealSSH, words: [String], trace text: String, tellsClose: Bool, parent: String = "") {
        // timeout(1) ends ssh by SIGTERM, and exits with 124 itself.
        let isTimeout = parent == "timeout" && (signal == 15 || status == 255 && text.mentions("Killed by signal 15."))
        let line = (isTimeout ? ["timeout", "1"] : []) + ["ssh", "-oLogLevel=DEBUG1"] + words
        let shown = signal.map { 128 + $0 } ?? status ?? 255
        let trace = SSHTrace(
            SSHTranscript(
                standardError: text, exitStatus: isTimeout ? 124 : shown,
                command: line.map(\.shellWord).joined(separator: " ")), tellsClose: tellsClose)
        isUntouched = !trace.mayHaveSession
        guard status != 0 else {
            ending = trace.remoteStatus == nil ? .ssh : .remote
            error = nil
            return
        }
        error = HostKeyLook.refined(trace, text, ssh, words)
        if signal != nil {
            ending = .signal
        } else if let status, status != 255 || trace.remoteStatus == 255 {
            ending = .remote
        } else {
            ending = .ssh
        }
    }
}
