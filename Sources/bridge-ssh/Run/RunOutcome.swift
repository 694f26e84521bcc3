import BridgeSSH

/// How a run ended, before anything is said of it.
struct RunOutcome: Sendable {
    enum End: Sendable {
        /// The command ended by itself; the error is the verdict on anything but exit status 0.
        case ended(Termination, SSHError?)
        /// The run failed.
        case failed(SSHError)
        /// Nobody reads our standard output any more.
        case outputClosed
        /// Cancelled before a command ran, by a signal or without.
        case cancelled(signal: String?)
        /// Something that nothing of ours should throw.
        case unforeseen(String)
    }

    var end: End
    /// What `--json` collected.
    var standardOutput: [UInt8] = []
    var standardError: [UInt8] = []
    /// Of the last attempt.
    var timings = StageTimings()
    /// Of all attempts, the waits between them included.
    var durationSeconds = 0.0
    var attempts = 1
}
