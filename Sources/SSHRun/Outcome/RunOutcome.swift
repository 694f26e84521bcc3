package import BridgeSSH

/// How a run ended, before it is reported.
package struct RunOutcome: Sendable {
    package enum End: Sendable {
        /// The command ended by itself; the error is the verdict on anything but exit status 0.
        case ended(SSHTermination, SSHError?)
        /// The run failed.
        case failed(SSHError)
        /// Nothing reads standard output any more.
        case outputClosed
        /// Cancelled before a command ran, by a signal or without.
        case cancelled(signal: String?)
        /// An error that no code here should throw.
        case unforeseen(String)
    }

    package var end: End
    /// What was collected, where the output was not passed on.
    package var standardOutput: [UInt8] = []
    package var standardError: [UInt8] = []
    /// Of the last attempt.
    package var timings = SSHStageTimings()
    /// Of all attempts, the waits between them included.
    package var durationSeconds = 0.0
    package var attempts = 1

    package init(end: End) {
        self.end = end
    }
}

extension RunOutcome.End {
    /// The outcome for a thrown error.
    ///
    /// - Parameter signal: the one that ends the run, if one does.
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
