package import BridgeSSH

/// The end of a run, before it is reported.
package struct RunOutcome: Sendable {
    package enum End: Sendable {
        /// The command ended on its own. The error is the verdict, unless it exited with status 0.
        case ended(SSHTermination, SSHError?)
        /// The run failed.
        case failed(SSHError)
        /// The reader of standard output closed it.
        case outputClosed
        /// Cancelled before a command ran; `signal` is nil without a signal.
        case cancelled(signal: String?)
        /// An error of an unexpected type.
        case unforeseen(String)
    }

    package var end: End
    /// The collected output, if the output was not passed on.
    package var standardOutput: [UInt8] = []
    package var standardError: [UInt8] = []
    /// The times of the last attempt.
    package var timings = SSHStageTimings()
    /// The duration of all attempts, including the waits between them.
    package var durationSeconds = 0.0
    package var attempts = 1
    /// The device's shell that the command was typed into.
    package var shell: SSHShellEvidence?
    /// What became of the host keys that the server announced; nil if known_hosts had them all.
    package var hostKeyUpdate: HostKeyUpdate?
    /// The server's offer of post-quantum key exchange; nil if it is not known.
    package var postQuantum: PostQuantumOffer?

    package init(end: End) {
        self.end = end
    }
}

extension RunOutcome.End {
    /// The outcome for a thrown error.
    ///
    /// - Parameter signal: the signal that ended the run, if any.
    package init(_ error: any Error, signal: String?) {
        switch error {
        case let error as SSHError: self = .failed(error)
        case let problem as UsageProblem: self = .failed(problem.verdict)
        case OutputFailure.closed: self = .outputClosed
        case OutputFailure.abandoned, is CancellationError: self = .cancelled(signal: signal)
        default: self = .unforeseen("\(error)")
        }
    }
}
